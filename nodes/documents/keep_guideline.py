"""Keep: what of a function's guideline holds, in the catalogue at once, with a mark on what does not."""

from __future__ import annotations

import asyncio
from typing import Literal

from toolquiver.catalog import API, ApiId
from toolquiver.catalog.condense import cleaned
from toolquiver.catalog.instruction import LONGEST_WORDS, Guideline, differing, parameters_of
from toolquiver.catalog.text import shortened
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.documents.documenting import Draft, EasyToolState, Function
from toolquiver.nodes.documents.open_document import next_api
from toolquiver.nodes.documents.stored_examples import draft_of
from toolquiver.nodes.documents.write_guideline import keep
from toolquiver.nodes.run import Run

_LONGEST_PROBLEM = 300


async def keep_guideline(state: EasyToolState, run: Run) -> Update:
    """Store the function: without an example that does not hold, and not at all if it lost or changed a parameter.

    Where none holds, but a call has proven an earlier one, that one stays: to write a function anew loses nothing.
    """
    api_id, *todo = state["todo"]
    api = await next_api(state, run)
    draft = state["draft"] or Draft(scenario="", arguments=None, meanings={})
    names = {one.name for one in api.parameter_list()}
    said = {name: cleaned(text, LONGEST_WORDS, name) for name, text in draft["meanings"].items() if name in names}
    held, proof = state["proof"] != "none", state["proof"]
    kept = Draft(
        scenario=draft["scenario"] if held else "",
        arguments=(draft["arguments"] or {}) if held else None,
        meanings=said,
    )
    if not held and (before := await _stored(api, run)):
        kept, proof = draft_of(api, before), before.proof
    function = Function(
        api=api_id,
        description=state["lines"][api_id],
        draft=kept,
        proof=proof,
        problem=shortened(" ".join(_problems(state, api_id, held=held)), _LONGEST_PROBLEM),
    )
    if not differing(api, guideline := guideline_of(api, function)):
        await keep(api_id, state["documents"][api_id], guideline, run)
    return {"functions": [*state["functions"], function], "todo": todo, "draft": None, "said": "", "proof": "none"}


async def _stored(api: API, run: Run) -> Guideline | None:
    """The guideline in force, where a call has proven its example."""
    found = await asyncio.to_thread(run.catalog.shown("raw").instructions.guidelines, [api])
    return next((one for one in found.values() if one.proof == "called"), None)


def _problems(state: EasyToolState, api_id: ApiId, *, held: bool) -> list[str]:
    """Why its line is not the model's, and what is wrong with its example; one reason for both is said once."""
    said = (state["unwritten"].get(api_id, ""), state["said"] if held else state["stopped"] or state["said"])
    return list(dict.fromkeys(filter(None, said)))


def guideline_of(api: API, function: Function) -> Guideline:
    """A written function as the catalogue keeps it."""
    draft = function["draft"]
    return Guideline(
        description=function["description"],
        parameters=parameters_of(api, draft["meanings"]),
        scenario=draft["scenario"],
        arguments=draft["arguments"],
        proof=function["proof"],
        problem=function["problem"],
    )


def after_keep(state: EasyToolState) -> Literal["next function", "all written"]:
    """Whether a function is left."""
    return "next function" if state["todo"] else "all written"
