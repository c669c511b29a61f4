"""Solvability check: do the tools that search has found suffice, or must agents search? (AnyTool, 3.2 and 4.1.)"""

from __future__ import annotations

from typing import Literal, cast

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.quivering import Quivering
from toolquiver.nodes.run import Run
from toolquiver.nodes.solvable import Equipped, solvable


async def suffices(state: Quivering, run: Run) -> Update:
    """Ask the judge of tools about the pool; only a plain no wakes the agents, who are told the reason."""
    asked = cast("Equipped", {**state, "candidates": state["pool"]})
    ruled = await solvable(asked, run)
    cost: Update = {key: value for key, value in ruled.items() if key in ("usage", "stopped")}
    if ruled["verdict"] != "unsolvable":
        return {"solvable": ruled["verdict"] == "solvable", **cost}
    return {"solvable": False, "failures": [ruled["verdict_reason"]], **cost}


def after_suffices(state: Quivering) -> Literal["they suffice", "they do not"]:
    """Without a reason against the pool it is worked with."""
    return "they do not" if state["failures"] else "they suffice"
