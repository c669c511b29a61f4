"""DFSDT's rule after a turn: what its calls came to joins the tree, and the search goes deeper or two levels up."""

from __future__ import annotations

from typing import cast

from langgraph.types import Overwrite

from toolquiver.contexts import DfsdtContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run
from toolquiver.nodes.solver.offer import ANSWER, GIVE_UP, RESTART
from toolquiver.nodes.solver.register import registered_after
from toolquiver.nodes.solver.state import AfterBackUp, AfterGrow, DfsdtState
from toolquiver.nodes.solver.tree import backed_up, path_to, said_on
from toolquiver.nodes.solver.turn import answers_to
from toolquiver.nodes.solver_io import TreeNode

_ENDS = (ANSWER, RESTART, GIVE_UP)


async def grow(state: DfsdtState, run: Run[DfsdtContext]) -> Update:
    """Write what came of a turn into its node.

    A turn with a good result goes deeper, also where another call of it failed: the model sees both. The search goes
    back where no call of the turn was good, and at full depth.
    """
    node, after = state["tree"][state["at"]], registered_after(state)
    made = [call for call in state["calls"] if call["turn"] == state["turn"]]
    failed = bool(made) and not any(one["ok"] for one in state["outcomes"])
    answers = answers_to(state)
    grown: TreeNode = {
        **node,
        "observations": [
            str(answer.text)
            for request, answer in zip(state["requests"], answers, strict=True)
            if request["name"] not in _ENDS
        ],
        "mark": "failed" if failed else "open",
        "messages": [*node["messages"], *answers],
        "registered": after["registered"],
    }
    deep = len(path_to(state["tree"], state["at"])) > run.context.max_steps
    decided: AfterGrow = "goes back" if failed or deep else "goes deeper"
    return {
        **after,
        "tree": [grown],
        "messages": answers,
        "requests": [],
        "outcomes": Overwrite([]),
        "decided": decided,
    }


async def back_up(state: DfsdtState, run: Run[DfsdtContext]) -> Update:
    """Go up by rule to where another way can be tried; the end where every way was, or where no call is left.

    A node below the question has at most `branches` children. The question has as many as there may be calls, so that
    a search does not end with calls unused because its first ways were short.
    """
    width, most = run.context.branches, run.context.solver_calls
    place = backed_up(state["tree"], state["at"], width, max(width, most))
    if place is None or len(state["calls"]) >= most:
        return {"decided": "all tried"}
    return {
        "at": place,
        "registered": state["tree"][place]["registered"],
        "messages": Overwrite(said_on(path_to(state["tree"], place))),
        "decided": "tries again",
    }


def after_grow(state: DfsdtState) -> AfterGrow:
    """Depth first: on from the new node, unless it failed."""
    return cast("AfterGrow", state["decided"])


def after_back_up(state: DfsdtState) -> AfterBackUp:
    """From another node, unless all were tried."""
    return cast("AfterBackUp", state["decided"])
