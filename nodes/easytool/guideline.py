"""Functionality guideline: a scenario with example arguments, checked by code and mended (EasyTool, 4.2).

Names, types and meanings of the parameters are the catalogue's. The model does not copy them, so it can lose none.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any, cast

from langchain_core.messages import BaseMessage
from pydantic import BaseModel, Field

from toolquiver.bounds import Examples
from toolquiver.calling import problems
from toolquiver.calling.approval import reads
from toolquiver.calling.arguments import closed
from toolquiver.catalog import API, JsonSchema
from toolquiver.catalog.instruction import LONGEST_EXAMPLE, LONGEST_SCENARIO
from toolquiver.catalog.text import shortened
from toolquiver.contexts import EasyToolContext
from toolquiver.marks import as_data
from toolquiver.models import shaped
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.easytool.describe import object_of, one_line
from toolquiver.nodes.easytool.documents import as_read, ask, function_document, next_api
from toolquiver.nodes.easytool.state import AfterCheck, AfterRepair, Draft, EasyToolState
from toolquiver.nodes.run import Run
from toolquiver.prompts import load_prompt

_NOTHING = "The model wrote no valid example."
_PROMPT = load_prompt("easytool/guideline")
_LONGEST_SCHEMA = 8_000  # characters; a longer one is left open, since the prompt has it
_LONGEST_WRONG = 1_000


class Example(BaseModel):
    """A scenario and the arguments of a call for it."""

    scenario: str
    arguments: dict[str, Any] = Field(default_factory=dict)


async def write_guideline(state: EasyToolState, run: Run[EasyToolContext]) -> Update:
    """Draft the example of the next function; None where no valid one comes.

    An example that is only to be tried is the stored one: no model is asked.
    """
    api = await next_api(state, run)
    begun: Update = {"repairs": 0, "proof": "none", "decided": ""}
    if api.id in state["tried_only"]:
        found = await asyncio.to_thread(run.catalog.shown("raw").instructions.guidelines, [api])
        stored = found.get(api.id)
        draft = Draft(scenario=stored.scenario, arguments=stored.arguments) if stored else None
        return {**begun, "draft": draft, "wrong": ""}
    said, cost, too_long = await ask("write_guideline", example_as(api), await _asked(state, run), state, run)
    return {**begun, "draft": said and drafted(said), "wrong": too_long, **cost}


async def check_guideline(state: EasyToolState, run: Run[EasyToolContext]) -> Update:
    """Say what is wrong with the draft, or why there is none; else whether its example can and may be called."""
    api = await next_api(state, run)
    draft = state["draft"]
    if draft is None:
        return {"wrong": state["wrong"] or state["stopped"] or _NOTHING, "decided": "settled"}
    if found := faults(api, draft):
        decided = "does not hold" if may_repair(state, run) else "settled"
        return {"wrong": " ".join(found), "proof": "none", "decided": decided}
    callable_now = may_try(api, run.context.try_examples) and await run.can_call(api)
    return {"wrong": "", "proof": "valid", "decided": "can be called" if callable_now else "settled"}


async def repair_guideline(state: EasyToolState, run: Run[EasyToolContext]) -> Update:
    """Write the example again, with what is wrong with the last one; where none comes, the last one stays.

    A call that has failed is not made again: the same arguments once more are settled.
    """
    api, before = await next_api(state, run), state["draft"]
    assert before is not None
    wrong = as_data(shortened(state["wrong"], _LONGEST_WRONG), "wrong")
    shown = {"example": json.dumps(before, ensure_ascii=False), "wrong": wrong}
    messages = await _asked(state, run, before=[shown])
    said, cost, _ = await ask("write_guideline", example_as(api), messages, state, run)
    draft = drafted(said) if said else before
    same = state["decided"] == "failed" and draft["arguments"] == before["arguments"]
    decided = "settled" if same else "written again"
    return {"draft": draft, "repairs": state["repairs"] + 1, "decided": decided, **cost}


async def _asked(state: EasyToolState, run: Run[EasyToolContext], **more: Any) -> list[BaseMessage]:
    (api,) = await as_read(state["todo"][:1], run)
    return guideline_from(api, state["purpose"], state["lines"][api.id], **more)


def guideline_from(api: API, purpose: str, line: str, **more: Any) -> list[BaseMessage]:
    """The question to the model, about a function of a tool that is for `purpose`."""
    about = f"{api.tool}: {purpose}" if purpose else api.tool
    return _PROMPT.messages(purpose=about, line=line or api.function, document=function_document(api), **more)


def example_as(api: API) -> type[Example]:
    """An `Example` whose arguments are the API's; what the code finds wrong with one is mended by another question."""
    arguments: JsonSchema = closed(api.parameters)
    text = json.dumps(arguments)
    if "$ref" in text or len(text) > _LONGEST_SCHEMA:  # a part of a schema cannot refer to its own definitions
        arguments = {"type": "object"}
    scenario = {"type": "string", "minLength": 1, "maxLength": LONGEST_SCENARIO}
    return shaped(Example, object_of({"scenario": scenario, "arguments": arguments}), lambda _: [])


def drafted(example: Example) -> Draft:
    """What the model wrote, as the state has it."""
    return Draft(scenario=one_line(example.scenario), arguments=example.arguments)


def faults(api: API, draft: Draft) -> list[str]:
    """What is wrong with a draft, a sentence each: names, types and lengths; empty where it holds."""
    found, arguments = list[str](), draft["arguments"] or {}
    if not draft["scenario"]:
        found.append("The scenario is empty.")
    if len(draft["scenario"]) > LONGEST_SCENARIO:
        found.append(f"The scenario is longer than {LONGEST_SCENARIO} characters.")
    if len(json.dumps(arguments, ensure_ascii=False)) > LONGEST_EXAMPLE:
        found.append(f"The arguments are longer than {LONGEST_EXAMPLE} characters.")
    return found + problems(api, arguments)


def may_try(api: API, setting: Examples) -> bool:
    """Whether an example of this API may be called to prove it."""
    return setting == "all" or (setting == "reading" and reads(api))


def may_repair(state: EasyToolState, run: Run[EasyToolContext]) -> bool:
    """Whether a draft that does not hold is written again."""
    return state["repairs"] < run.context.max_repairs and not state["stopped"]


def after_check(state: EasyToolState) -> AfterCheck:
    """Settled is a draft that holds and is not to be called, and one that no repair is left for."""
    return cast("AfterCheck", state["decided"])


def after_repair(state: EasyToolState) -> AfterRepair:
    """An example whose call has failed already needs no check."""
    return cast("AfterRepair", state["decided"])
