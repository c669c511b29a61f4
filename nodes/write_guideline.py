"""Write guideline: when one would call a function, with example arguments (EasyTool, 4.2).

Names and types of parameters are the catalogue's, so the model does not copy them. It says what a parameter means only
where the documentation does not.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

from langchain_core.messages import BaseMessage
from pydantic import BaseModel

from toolquiver.calling.arguments import closed
from toolquiver.catalog import API, JsonSchema
from toolquiver.catalog.instruction import LONGEST_SCENARIO, LONGEST_WORDS, parameters_of
from toolquiver.models import shaped
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.documenting import Documenting, Draft, documented
from toolquiver.nodes.open_document import next_api
from toolquiver.nodes.run import Run
from toolquiver.prompts import load_prompt

_OPTIONAL_SHOWN = 2  # optional parameters that an example may have: a guideline is short
_MEANINGS = 12  # missing ones that are asked for
_SENTENCES = re.compile(r"(?<=[.!?;])\s")
_PROMPT = load_prompt("write_guideline")
_OTHERS = (load_prompt("describe_tool"), load_prompt("join_parts"))


class Example(BaseModel):
    """A scenario and the arguments of a call for it; what parameters mean that nobody has described."""

    scenario: str
    arguments: dict[str, Any] = {}
    meanings: dict[str, str] = {}


async def write_guideline(state: Documenting, run: Run) -> Update:
    """Draft the guideline of the next function; None where no valid one comes."""
    api = await next_api(state, run)
    messages = guideline_from(api, state["tool"], state["lines"][api.id])
    decision, cost = await run.decide("write_guideline", guideline_as(api), messages, state)
    return {"draft": drafted(decision), "said": "", "repairs": 0, "proof": "none", **cost}


def prompt_version() -> str:
    """A digest of the prompts that instructions are written with: with other words others come out."""
    texts = [part for prompt in (*_OTHERS, _PROMPT) for part in (prompt.system, prompt.user)]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:12]


def guideline_from(api: API, tool: str, line: str, **more: Any) -> list[BaseMessage]:
    """The question to the model, about one function."""
    asked = bool(undescribed(api))
    return _PROMPT.messages(tool=tool, description=line, document=documented(api), asks_meanings=asked, **more)


def guideline_as(api: API) -> type[Example]:
    """An `Example` whose arguments are the API's, with a few of the optional ones."""
    text = {"type": "string", "minLength": 1}
    properties: JsonSchema = {"scenario": text | {"maxLength": LONGEST_SCENARIO}, "arguments": _arguments(api)}
    if names := undescribed(api):
        meaning = text | {"maxLength": LONGEST_WORDS}
        properties["meanings"] = {
            "type": "object",
            "properties": dict.fromkeys(names, meaning),
            "required": names,
            "additionalProperties": False,
        }
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return shaped(Example, schema, lambda _: [])


def undescribed(api: API) -> list[str]:
    """The parameters that the documentation says nothing about."""
    return [one.name for one in parameters_of(api) if not one.meaning][:_MEANINGS]


def drafted(decision: Example | None) -> Draft | None:
    """What the model wrote, as the state has it."""
    if decision is None:
        return None
    meanings = {name: _first(meaning) for name, meaning in decision.meanings.items()}
    return Draft(scenario=_first(decision.scenario), arguments=decision.arguments, meanings=meanings)


def _first(text: str) -> str:
    """The first sentence, without its end."""
    return _SENTENCES.split(" ".join(text.split()), maxsplit=1)[0].rstrip(". ")


def _arguments(api: API) -> JsonSchema:
    whole = closed(api.parameters)
    if "$ref" in str(whole):  # a part of a schema cannot refer to its own definitions
        return {"type": "object"}
    required = set(api.parameters.get("required", ()))
    optional = [one.name for one in api.parameter_list() if not one.required][:_OPTIONAL_SHOWN]
    shown = {name: one for name, one in whole.get("properties", {}).items() if name in required or name in optional}
    return whole | {"properties": shown}
