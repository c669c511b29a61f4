"""DFSDT: what a turn's calls came to joins the tree, and a rule says where it goes on (anytool.txt, solver)."""

from __future__ import annotations

from typing import Literal

from langchain_core.messages import ToolMessage
from langgraph.types import Overwrite

from toolquiver.catalog import ApiId
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.dialogue import Back, first_request
from toolquiver.nodes.run import Run
from toolquiver.nodes.solver.act import NOT_YET
from toolquiver.nodes.solver.tree import DfsdtState, TreeNode, backed_up, path_to, said_on
from toolquiver.registration import Registered


async def plant(state: DfsdtState, _: Run) -> Update:
    """The root: the question with what was said before, and what is registered from the start."""
    root = TreeNode(
        id=0,
        parent=None,
        thought="",
        calls=[],
        observations=[],
        mark="open",
        messages=state["messages"],
        registered=state["registered"],
        calls_before=0,
    )
    return {"tree": Overwrite([root]), "at": 0, "given_up": None}


async def grow(state: DfsdtState, run: Run) -> Update:
    """Write what came of the turn into its node; after a failed call, or at full depth, it goes back."""
    tree, node = state["tree"], state["tree"][state["at"]]
    before = said_on(path_to(tree, state["at"])[:-1])
    messages = state["messages"][len(before) :]
    failed = not all(call["ok"] for call in state["calls"][node["calls_before"] :])
    grown: TreeNode = {
        **node,
        "observations": [one.text for one in messages if isinstance(one, ToolMessage) and one.text != NOT_YET],
        "mark": "failed" if failed else "open",
        "messages": messages,
        "registered": state["registered"],
    }
    update: Update = {"tree": [grown]}
    if len(state["calls"]) >= run.context.solver_calls:
        return update | everything([*tree[:-1], grown]) | {"decided": "calls are used up"}
    deep = len(path_to(tree, state["at"])) > run.context.max_turns
    return update | {"decided": "goes back" if failed or deep else "goes on"}


async def back_up(state: DfsdtState, run: Run) -> Update:
    """Go up by rule to where another way can be tried; the end where every way was."""
    tree = state["tree"]
    place = backed_up(tree, state["at"], run.context.branches)
    if place is None:
        return everything(tree) | {"decided": "all tried"}
    return {
        "at": place,
        "messages": Back(keep=len(said_on(path_to(tree, place)))),
        "registered": tree[place]["registered"],
        "decided": "tries again",
    }


def everything(tree: list[TreeNode]) -> Update:
    """The messages of all nodes, what was found out on any way, and what was registered on any.

    What was put away on a way is put away, unless a later node registered it again.
    """
    records: dict[tuple[ApiId, int], Registered] = {}
    for node in tree:
        before = [] if node["parent"] is None else tree[node["parent"]]["registered"]
        changed = [record for record in node["registered"] if record not in before]
        records |= {(record["api"], record["since"]): record for record in changed}
    return {"messages": Overwrite(list(said_on(tree))), "registered": list(records.values())}


def what_next(state: DfsdtState) -> Literal["registers", "calls", "turn done"]:
    """The calls of a turn one after the other, then the tree grows."""
    return first_request(state) if state["requests"] else "turn done"


def after_grow(state: DfsdtState) -> Literal["goes on", "goes back", "ends"]:
    """Depth first: on from the new node, unless it failed."""
    if state["decided"] == "goes on":
        return "goes on"
    return "goes back" if state["decided"] == "goes back" else "ends"


def after_back_up(state: DfsdtState) -> Literal["tries again", "ends"]:
    """From another node, unless all were tried."""
    return "tries again" if state["decided"] == "tries again" else "ends"
