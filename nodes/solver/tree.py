"""The tree of a depth-first search: paths, children, and where it goes on after a failure (DFSDT)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from langchain_core.messages import AnyMessage, HumanMessage

from toolquiver.catalog import ApiId
from toolquiver.nodes.dialogue import as_messages
from toolquiver.nodes.records import Call
from toolquiver.nodes.solver_io import TreeNode
from toolquiver.prompts import load_prompt
from toolquiver.registration import Registered

C = TypeVar("C", bound=Call)
LEVELS = 2
"""How many levels the search goes up after a failure."""
_AGAIN = load_prompt("solver/again")
_LONGEST_RESULT = 1_000  # characters of what a child came to, as a re-expanded node is told


def path_to(tree: Sequence[TreeNode], at: int) -> list[TreeNode]:
    """The nodes from the root to this one."""
    path: list[TreeNode] = []
    place: int | None = at
    while place is not None:
        path.append(tree[place])
        place = tree[place]["parent"]
    return path[::-1]


def children_of(tree: Sequence[TreeNode], at: int) -> list[TreeNode]:
    """The nodes that were tried from this one, in order."""
    return [node for node in tree if node["parent"] == at]


def calls_on(way: Sequence[TreeNode], calls: Sequence[C]) -> list[C]:
    """The calls that the nodes of a way made, of all those made in the search so far."""
    turns = {node["turn"] for node in way}
    return [call for call in calls if call.get("turn") in turns]


def said_on(nodes: Sequence[TreeNode]) -> list[AnyMessage]:
    """The messages of these nodes, one after the other."""
    return as_messages([message for node in nodes for message in node["messages"]])


def backed_up(tree: Sequence[TreeNode], at: int, width: int, root_width: int) -> int | None:
    """Where to try again: some levels up, and on while a node has as many children as it may; None when all have."""
    above = [node["id"] for node in path_to(tree, at)][:-1] or [at]
    start = max(0, len(above) - LEVELS)

    def has_room(place: int) -> bool:
        return len(children_of(tree, place)) < (width if place else root_width)

    return next((place for place in reversed(above[: start + 1]) if has_room(place)), None)


def told_again(tree: Sequence[TreeNode], at: int) -> list[AnyMessage]:
    """What a re-expanded node is told: its earlier children and all below them, so that something else is tried."""
    tried = [node for child in children_of(tree, at) for node in _below(tree, child)]
    if not tried:
        return []
    children = [{"call": _calls_in(node), "result": _result_in(node)} for node in tried]
    (told,) = _AGAIN.messages(children=children)
    return [HumanMessage(str(told.text))]


def _below(tree: Sequence[TreeNode], node: TreeNode) -> Iterator[TreeNode]:
    yield node
    for child in children_of(tree, node["id"]):
        yield from _below(tree, child)


def _calls_in(node: TreeNode) -> str:
    return "; ".join(node["calls"]) or "(no call)"


def _result_in(node: TreeNode) -> str:
    text = "; ".join(node["observations"])
    if len(text) <= _LONGEST_RESULT:
        return text or node["thought"]
    return f"{text[:_LONGEST_RESULT]} [cut: {len(text) - _LONGEST_RESULT} more characters]"


def registered_on_any(tree: Sequence[TreeNode]) -> list[Registered]:
    """What was registered on any way; what was put away on one is put away, unless a later node registered it again."""
    records: dict[tuple[ApiId, int], Registered] = {}
    for node in tree:
        before = [] if node["parent"] is None else tree[node["parent"]]["registered"]
        changed = [record for record in node["registered"] if record not in before]
        records |= {(record["api"], record["since"]): record for record in changed}
    return list(records.values())
