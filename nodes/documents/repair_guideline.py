"""Repair: the guideline written anew, by itself, with what is wrong with the last one."""

from __future__ import annotations

import json
from typing import Literal

from toolquiver.catalog.text import shortened
from toolquiver.marks import as_data
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.documents.ask import ask
from toolquiver.nodes.documents.documenting import EasyToolState
from toolquiver.nodes.documents.open_document import next_api
from toolquiver.nodes.documents.write_guideline import drafted, guideline_as, guideline_from, meanings_asked
from toolquiver.nodes.run import Run

_LONGEST = 400


async def repair_guideline(state: EasyToolState, run: Run) -> Update:
    """Draft it again; where no valid draft comes, the last one stays, and its faults with it.

    Where a call has failed, the same call is not made again: then it is settled.
    """
    api = await next_api(state, run)
    assert state["draft"] is not None
    before = {
        "before": [
            {
                "arguments": json.dumps(state["draft"]["arguments"], ensure_ascii=False),
                "wrong": as_data(shortened(state["said"], _LONGEST), "wrong"),
            }
        ]
    }
    messages = guideline_from([api], state["lines"], **before)
    decision, cost, _ = await ask("write_guideline", guideline_as(api), messages, state, run)
    draft = drafted(decision) if decision else state["draft"]
    further = {name for names in meanings_asked(api)[1:] for name in names}  # were asked for by themselves
    stays = {name: text for name, text in state["draft"]["meanings"].items() if name in further}
    draft = {**draft, "meanings": stays | draft["meanings"]}
    same = state["decided"] == "failed" and draft["arguments"] == state["draft"]["arguments"]
    return {"draft": draft, "repairs": state["repairs"] + 1, "decided": "the same" if same else "", **cost}


def after_repair(state: EasyToolState) -> Literal["written anew", "settled"]:
    """An example that is the one whose call failed needs no check."""
    return "settled" if state["decided"] == "the same" else "written anew"
