"""DFSDT's turn: a new node of the tree, told what was tried from here before (ToolLLM's search; AnyTool, 4.2)."""

from __future__ import annotations

import json
from typing import cast

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.types import Send

from toolquiver.contexts import SolverContext
from toolquiver.models.turn import never_empty
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.dialogue import CallRequest
from toolquiver.nodes.run import Run
from toolquiver.nodes.solver.offer import ANSWER, GIVE_ANSWER, GIVE_UP, GIVING_UP, GO_BACK, RESTART
from toolquiver.nodes.solver.state import AfterExplore, DfsdtState, requested
from toolquiver.nodes.solver.tree import path_to, told_again
from toolquiver.nodes.solver.turn import EMPTY, read, take
from toolquiver.nodes.solver_io import Mark, TreeNode

_ENDS = (ANSWER, RESTART, GIVE_UP)
_MARKS: dict[str, Mark] = {"answers": "answered", "answers in part": "answered", "acts": "open"}


async def explore(state: DfsdtState, run: Run[SolverContext]) -> Update:
    """Grow the tree by a turn of the model. At full depth it can only end this way.

    An empty reply is told once; a second one leads nowhere, so that the search goes back.
    """
    tree, at = state["tree"], state["at"]
    way = path_to(tree, at)
    before, last = state["messages"], len(way) >= run.context.max_steps
    ends = [GIVE_ANSWER, GO_BACK, GIVING_UP]
    message, update = await take("explore", before, state, run, ends=ends, last=last, told=told_again(tree, at))
    if message is None:
        return update
    said = read(message, await run.apis(state["pool"]), _ENDS, before)
    if said["decided"] == "says nothing" and not (last or (before and before[-1].text == EMPTY)):
        told: list[AnyMessage] = [never_empty(message), HumanMessage(EMPTY)]
        here = TreeNode(**{**tree[at], "messages": [*tree[at]["messages"], *told]})
        return {**update, **said, "messages": told, "tree": [here]}
    if said["decided"] == "says nothing":
        said = {"reason": "The reply was empty.", "decided": "goes back"}
    return {**update, **said, **_grown(state, message, said, update["turn"])}


def _grown(state: DfsdtState, message: AIMessage, said: Update, turn: int) -> Update:
    """One node more, below the one that the search is at, and that as its place."""
    decided = said["decided"]
    calls = [written(request) for request in said.get("requests", ()) if request["name"] not in _ENDS]
    if decided in ("goes back", "gives up"):
        calls = [RESTART if decided == "goes back" else GIVE_UP]
    reason = said.get("reason") or (said["given_up"]["reason"] if decided == "gives up" else "")
    kept: list[AnyMessage] = [message] if decided == "acts" else []
    node = TreeNode(
        id=len(state["tree"]),
        parent=state["at"],
        turn=turn,
        thought="\n".join(filter(None, [str(message.text).strip(), reason])),
        calls=calls,
        observations=[],
        mark=_MARKS.get(decided, "given up"),
        messages=kept,
        registered=state["registered"],
    )
    return {"tree": [node], "at": node["id"], "messages": kept}


def written(request: CallRequest) -> str:
    """A call as a line of the tree."""
    return f"{request['name']}({json.dumps(request['arguments'], ensure_ascii=False, sort_keys=True)})"


def after_explore(state: DfsdtState) -> list[Send] | AfterExplore:
    """A node visit for each request, side by side; a way that leads nowhere is gone back; all else is the end."""
    if state["decided"] == "acts":
        return cast("list[Send] | AfterExplore", requested(state))
    if state["decided"] in ("says nothing", "goes back"):
        return cast("AfterExplore", state["decided"])
    return "ends"
