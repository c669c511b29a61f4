"""Write guideline: when one would call a function, with example arguments (EasyTool, 4.2).

Names and types of parameters are the catalogue's, so the model does not copy them. It says what a parameter means only
where the documentation does not. Several functions are asked about at a time, and none that has no inputs.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from langchain_core.messages import BaseMessage
from pydantic import BaseModel

from toolquiver.catalog import API, ApiId, JsonSchema
from toolquiver.catalog.instruction import (
    LONGEST_SCENARIO,
    LONGEST_WORDS,
    Guideline,
    Purpose,
    Stored,
    parameters_of,
)
from toolquiver.context import Context
from toolquiver.models import shaped
from toolquiver.models.tokens import count_tokens
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.costs import after, both
from toolquiver.nodes.documents.ask import ask
from toolquiver.nodes.documents.documenting import Draft, EasyToolState, documented
from toolquiver.nodes.documents.example_schema import arguments_schema
from toolquiver.nodes.documents.open_document import next_api, split, tool_apis
from toolquiver.nodes.run import Run
from toolquiver.nodes.texts.broken_off import ended
from toolquiver.nodes.texts.parts import sentences
from toolquiver.prompts import load_prompt

_MEANINGS = 12  # missing ones that one answer says
_MOST_MEANINGS = 60  # that are asked for: a document shows no more inputs with their types
_NO_INPUT = "no input is needed"
_OF_EXAMPLE = re.compile(r",? in this case\b.*| \([^()]*\bin this case\)")
_PROMPT = load_prompt("write_guideline")
_OTHERS = (load_prompt("describe_tool"), load_prompt("join_parts"))


class Example(BaseModel):
    """A scenario and the arguments of a call for it; what parameters mean that nobody has described."""

    scenario: str
    arguments: dict[str, Any] = {}
    meanings: dict[str, str] = {}


class Meanings(BaseModel):
    """What parameters mean that nobody has described."""

    meanings: dict[str, str]


class Examples(BaseModel):
    """An example for each function, by its name."""

    examples: dict[str, Example]


async def write_guideline(state: EasyToolState, run: Run) -> Update:
    """Draft the guideline of the next function; None where no valid one comes."""
    api = await next_api(state, run)
    drafts, cost, too_long = state["drafts"], dict[str, Any](), ""
    if not api.parameter_list():
        drafts = drafts | {api.id: Draft(scenario=_NO_INPUT, arguments={}, meanings={})}
    elif api.id not in drafts:
        written, cost, too_long = await _written(api, state, run)
        drafts = drafts | written  # those that are only to be tried stay
    rest = {id_: draft for id_, draft in drafts.items() if id_ != api.id}
    return {"draft": drafts.get(api.id), "drafts": rest, "said": too_long, "repairs": 0, "proof": "none", **cost}


async def _written(api: API, state: EasyToolState, run: Run) -> tuple[dict[ApiId, Draft], dict[str, Any], str]:
    """Drafts of the next function and of those asked about with it, of it alone where that brings none.

    With what that costs, and what the model says where not even the next one fits its context.
    """
    asked, drafts, cost, too_long = await _next_apis(state, run), dict[ApiId, Draft](), dict[str, Any](), ""
    if len(asked) > 1:
        messages = guideline_from(asked, state["lines"])
        decision, cost, too_long = await ask("write_guideline", guidelines_as(asked), messages, state, run)
        said = decision.examples if decision else {}
        drafts = {one.id: drafted(said[one.function]) for one in asked if one.function in said}
    if api.id not in drafts and "stopped" not in cost:
        messages = guideline_from([api], state["lines"])
        alone, more, too_long = await ask("write_guideline", guideline_as(api), messages, after(state, cost), run)
        drafts, cost = drafts | ({api.id: drafted(alone)} if alone else {}), both(cost, more)
    for one in asked:
        if one.id in drafts:
            drafts[one.id], more = await _with_all_meanings(one, drafts[one.id], after(state, cost), run)
            cost = both(cost, more)
    return drafts, cost, too_long


async def _with_all_meanings(api: API, draft: Draft, state: EasyToolState, run: Run) -> tuple[Draft, dict[str, Any]]:
    """The draft with what the inputs mean that one answer has no room for, and what that changes in the state.

    Those that no answer came for, and those too many to ask for, are counted in its mark.
    """
    (_, *parts), meanings, cost = meanings_asked(api), dict(draft["meanings"]), dict[str, Any]()
    if not parts:
        return draft, {}
    messages = guideline_from([api], state["lines"])
    for names in parts:
        said, more, _ = await ask("write_guideline", meanings_as(names), messages, after(state, cost), run)
        found = {name: _meaning(text) for name, text in (said.meanings if said else {}).items() if name in names}
        meanings, cost = meanings | found, both(cost, more)
    if lacking := len(set(undescribed(api)) - meanings.keys()):
        mark = f"{state['unwritten'].get(api.id, '')} Inputs without a meaning: {lacking}.".strip()
        cost["unwritten"] = state["unwritten"] | {api.id: mark}
    return {**draft, "meanings": meanings}, cost


async def _next_apis(state: EasyToolState, run: Run) -> list[API]:
    """The functions that one answer writes examples for: the next ones that have inputs."""
    most = run.context.examples_at_once
    having = {api.id: api for api in await tool_apis(state, run) if api.parameter_list()}
    following = [having[id_] for id_ in state["todo"] if id_ in having and id_ not in state["drafts"]][:most]
    return [having[id_] for id_ in together(following, run.context)[0]]


def together(apis: Sequence[API], context: Context) -> list[list[ApiId]]:
    """The functions in parts that one answer writes examples for, by what is sent of each: document and schema."""
    return split(apis, context.document_tokens, context.examples_at_once, _sent)


def _sent(api: API) -> int:
    return count_tokens(documented(api)) + count_tokens(json.dumps(_example(api)))


def prompt_version() -> str:
    """A digest of the prompts that instructions are written with: with other words others come out."""
    texts = [part for prompt in (*_OTHERS, _PROMPT) for part in (prompt.system, prompt.user)]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:12]


async def keep(subject: str, document: str, content: Guideline | Purpose, run: Run) -> None:
    """Store what was written, unless the last version says just that."""
    instructions = run.catalog.shown("raw").instructions
    new = stored_as(subject, document, content, run)
    same = {"version", "made"}
    last = (await asyncio.to_thread(instructions.versions, subject))[-1:]
    if not last or last[0].model_dump(exclude=same) != new.model_dump(exclude=same):
        await asyncio.to_thread(instructions.put, [new])


def stored_as(subject: str, document: str, content: Guideline | Purpose, run: Run) -> Stored:
    """What was written as the catalogue keeps it: by whom, with which prompts, from which document, and when."""
    return Stored(
        subject=subject,
        document=document,
        prompt=prompt_version(),
        model=run.model_name("write_guideline"),
        made=datetime.now(UTC),
        content=content,
    )


def guideline_from(apis: Sequence[API], lines: Mapping[ApiId, str], **more: Any) -> list[BaseMessage]:
    """The question to the model, about functions of one tool; `lines` say what each is for."""
    return _PROMPT.messages(
        tool=apis[0].tool,
        functions=[_told(documented(api), lines[api.id]) for api in apis],
        asks_meanings=any(undescribed(api) for api in apis),
        several=len(apis) > 1,
        **more,
    )


def _told(document: str, line: str) -> dict[str, str]:
    """A function as it is shown; a line that stands in its documentation is not said twice."""
    return {"description": "" if line in document else line, "document": document}


def guidelines_as(apis: Sequence[API]) -> type[Examples]:
    """`Examples` of exactly these functions."""
    examples = _object({api.function: _example(api) for api in apis})
    return shaped(Examples, _object({"examples": examples}), lambda _: [])


def guideline_as(api: API) -> type[Example]:
    """An `Example` whose arguments are the API's, with a few of the optional ones."""
    return shaped(Example, _example(api), lambda _: [])


def _example(api: API) -> JsonSchema:
    scenario = {"type": "string", "minLength": 1, "maxLength": LONGEST_SCENARIO}
    properties: JsonSchema = {"scenario": scenario, "arguments": arguments_schema(api)}
    if names := meanings_asked(api)[0]:
        properties |= _said_of(names)
    return _object(properties)


def meanings_as(names: Sequence[str]) -> type[Meanings]:
    """`Meanings` of exactly these parameters."""
    return shaped(Meanings, _object(_said_of(names)), lambda _: [])


def _said_of(names: Sequence[str]) -> JsonSchema:
    meaning = {"type": "string", "minLength": 1, "maxLength": LONGEST_WORDS}
    return {"meanings": _object(dict.fromkeys(names, meaning))}


def _object(properties: JsonSchema) -> JsonSchema:
    """The schema of an object that has all of these properties and no others."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def undescribed(api: API) -> list[str]:
    """The parameters that the documentation says nothing about."""
    return [one.name for one in parameters_of(api) if not one.meaning]


def meanings_asked(api: API) -> list[list[str]]:
    """Of those that the documentation says nothing about what one answer says: the example's, and further ones."""
    names = undescribed(api)[:_MOST_MEANINGS]
    return [names[begin : begin + _MEANINGS] for begin in range(0, len(names) or 1, _MEANINGS)]


def drafted(example: Example) -> Draft:
    """What the model wrote, as the state has it."""
    meanings = {name: _meaning(meaning) for name, meaning in example.meanings.items()}
    return Draft(scenario=_first(example.scenario), arguments=example.arguments, meanings=meanings)


def _meaning(text: str) -> str:
    """What a parameter means, without what the model says of its example's value."""
    return _OF_EXAMPLE.sub("", ended(_first(text), LONGEST_WORDS))


def _first(text: str) -> str:
    """The first sentence, or what stands before its semicolon, without its end."""
    return next(iter(sentences(" ".join(text.split()))), "").split("; ")[0].rstrip(".; ")
