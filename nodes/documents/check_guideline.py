"""Check: what a model wrote of a function against the function itself, by code (EasyTool, 4.2)."""

from __future__ import annotations

import json
from typing import Literal

from toolquiver.bounds import Examples
from toolquiver.calling import problems
from toolquiver.calling.approval import reads
from toolquiver.catalog import API
from toolquiver.catalog.instruction import LONGEST_EXAMPLE, LONGEST_SCENARIO, LONGEST_WORDS
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.documents.documenting import Draft, EasyToolState
from toolquiver.nodes.documents.open_document import next_api
from toolquiver.nodes.run import Run

_NOTHING = "The model wrote no valid guideline."


async def check_guideline(state: EasyToolState, run: Run) -> Update:
    """Say what is wrong with the draft, or why there is none; else whether its example can and may be run."""
    api = await next_api(state, run)
    if state["draft"] is None:
        return {"said": state["said"] or _NOTHING, "decided": "settled"}
    if wrong := faults(api, state["draft"]):
        may_repair = state["repairs"] < run.context.max_repairs and not state["stopped"]
        return {"said": " ".join(wrong), "proof": "none", "decided": "does not hold" if may_repair else "settled"}
    tried = may_try(api, run.context.try_examples) and await run.can_call(api)
    return {"said": "", "proof": "valid", "decided": "can be run" if tried else "settled"}


def may_try(api: API, setting: Examples) -> bool:
    """Whether an example of this API may be called to prove it."""
    return setting == "all" or (setting == "reading" and reads(api))


def faults(api: API, draft: Draft) -> list[str]:
    """What is wrong with a draft, a sentence each; empty when it holds."""
    names = {one.name for one in api.parameter_list()}
    found = [f"There is no parameter {name!r}." for name in draft["meanings"].keys() - names]
    found += [
        f"What {name} means is longer than {LONGEST_WORDS} characters."
        for name, meaning in draft["meanings"].items()
        if len(meaning) > LONGEST_WORDS
    ]
    if not draft["scenario"]:
        found.append("The scenario is empty.")
    if len(draft["scenario"]) > LONGEST_SCENARIO:
        found.append(f"The scenario is longer than {LONGEST_SCENARIO} characters.")
    arguments = draft["arguments"] or {}
    if len(json.dumps(arguments, ensure_ascii=False)) > LONGEST_EXAMPLE:
        found.append(f"The arguments are longer than {LONGEST_EXAMPLE} characters.")
    return sorted(found) + problems(api, arguments)


def after_check(state: EasyToolState) -> Literal["can be run", "does not hold", "settled"]:
    """Settled is a draft that holds and is not to be run, and one that no repair is left for."""
    if state["decided"] == "can be run":
        return "can be run"
    return "does not hold" if state["decided"] == "does not hold" else "settled"
