"""What the model is told: one Markdown file a role, in Mustache.

A file has a `[system]` part and a `[user]` part; `{{>name}}` brings in another file. What stays the same from
call to call stands first, because providers and the local model cache a prompt's beginning.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from langchain_core.utils import mustache

__all__ = ["Prompt", "load_prompt"]


@dataclass(frozen=True)
class Prompt:
    """A role's prompt; `messages` fills it in."""

    name: str
    system: str
    user: str

    def messages(self, **values: Any) -> list[BaseMessage]:
        """The system and the user message, with these values in the places of the template that have their names.

        Values are data: what looks like a template in them stays text. A value that is left out is rendered as nothing.
        """
        system, user = (
            mustache.render(text, values, partials_dict=_SHARED).strip() for text in (self.system, self.user)
        )
        return [SystemMessage(system), HumanMessage(user)]


def load_prompt(name: str) -> Prompt:
    """The prompt in `prompts/NAME.md`.

    Raises:
        FileNotFoundError: there is no such file.
    """
    system, _, user = _read(name).partition("[user]\n")
    return Prompt(name, system.removeprefix("[system]\n"), user)


def _read(name: str) -> str:
    return files(__package__).joinpath(f"{name}.md").read_text("utf-8")


_SHARED = {name: _read(name) for name in ("functions", "known")}
"""The parts that several roles bring in, read once: a node must not wait for the disk."""
