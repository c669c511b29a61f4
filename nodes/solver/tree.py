"""The tree of a depth-first search for an answer, as it is kept in state (DFSDT: anytool.txt, smurfs.txt)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from langchain_core.messages import AnyMessage
from langgraph.channels import DeltaChannel
from typing_extensions import TypedDict

from toolquiver.nodes.dialogue import as_messages
from toolquiver.nodes.records import Call
from toolquiver.nodes.solver.giving_up import EmbeddedReactResult, GivingUp
from toolquiver.registration import Registered

Mark = Literal["open", "failed", "given up", "answered"]
"""What became of a node: it can be gone on from, a call of it failed, the model went back, it has the answer."""

LEVELS = 2  # that are gone up after a failure


class TreeNode(TypedDict):
    """A turn of the model: its thought, its calls as text, what each came to.

    `parent` is None at the root, which stands for the question. `messages` are those of this turn alone;
    `registered` is what was registered after it, `calls_before` how many calls had been made before it.
    """

    id: int
    parent: int | None
    thought: str
    calls: list[str]
    observations: list[str]
    mark: Mark
    messages: list[AnyMessage]
    registered: list[Registered]
    calls_before: int


def with_nodes(tree: Sequence[TreeNode], writes: Sequence[Sequence[TreeNode]]) -> list[TreeNode]:
    """The reducer: the tree with these nodes, each at the place that its id says; checkpoints hold only those."""
    nodes = {node["id"]: node for node in [*tree, *(node for write in writes for node in write)]}
    return [nodes[place] for place in sorted(nodes)]


class DfsdtState(GivingUp):
    """The slice of a depth-first search: the tree, the node it is at, and why it was given up, if it was."""

    tree: Annotated[list[TreeNode], DeltaChannel(with_nodes, list)]
    at: int


class DfsdtResult(EmbeddedReactResult):
    """What comes out, with the tree and the reason for giving up."""

    tree: list[TreeNode]


def path_to(tree: Sequence[TreeNode], at: int) -> list[TreeNode]:
    """The nodes from the root to this one."""
    node = tree[at]
    return [node] if node["parent"] is None else [*path_to(tree, node["parent"]), node]


def children_of(tree: Sequence[TreeNode], at: int) -> list[TreeNode]:
    """The nodes that were tried from this one, in order."""
    return [node for node in tree if node["parent"] == at]


def calls_on(way: Sequence[TreeNode], tree: Sequence[TreeNode], calls: Sequence[Call]) -> list[Call]:
    """The calls that the nodes of a way made, of all those made in the search so far."""
    ends = [*(node["calls_before"] for node in tree[1:]), len(calls)]
    return [call for node in way for call in calls[node["calls_before"] : ends[node["id"]]]]


def said_on(nodes: Sequence[TreeNode]) -> list[AnyMessage]:
    """The messages of these nodes, one after the other."""
    return as_messages([message for node in nodes for message in node["messages"]])


def backed_up(tree: Sequence[TreeNode], at: int, width: int) -> int | None:
    """Where to try again: some levels up, and on while a node has as many children as it may; None when all have."""
    ways = [node["id"] for node in path_to(tree, at)][:-1] or [at]
    start = max(0, len(ways) - LEVELS)
    return next((place for place in reversed(ways[: start + 1]) if len(children_of(tree, place)) < width), None)
