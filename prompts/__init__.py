"""What the model is told: one Markdown file a role, in Mustache.

A file has a `[system]` part and a `[user]` part. Between them may stand examples, each a `[user]` and an `[assistant]`
part. What stays the same from call to call stands first, because providers and the local model cache a prompt's
beginning.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.utils import mustache

__all__ = ["Prompt", "load_prompt"]


_MESSAGES: dict[str, type[BaseMessage]] = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}


@dataclass(frozen=True)
class Prompt:
    """A role's prompt; `messages` fills it in. `parts` are the roles of messages with their templates."""

    name: str
    parts: tuple[tuple[str, str], ...]

    def messages(self, **values: Any) -> list[BaseMessage]:
        """The messages, with these values in the places of the templates that have their names.

        Values are data: what looks like a template in them stays text. A value that is left out is rendered as nothing.
        """
        return [_MESSAGES[role](mustache.render(text, values).strip()) for role, text in self.parts]


def load_prompt(name: str) -> Prompt:
    """The prompt in `prompts/NAME.md`.

    Raises:
        FileNotFoundError: there is no such file.
    """
    parts: list[tuple[str, str]] = []
    text = files(__package__).joinpath(f"{name}.md").read_text("utf-8")
    for line in text.splitlines(keepends=True):
        role = line.strip()
        if role in {f"[{known}]" for known in _MESSAGES}:
            parts.append((role.strip("[]"), ""))
        else:
            parts[-1] = (parts[-1][0], parts[-1][1] + line)
    return Prompt(name, tuple(parts))
