"""What a picture of a graph shows: its nodes, its parts, and the decisions that lead from one to the next."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

    from langchain_core.runnables.graph import Edge, Graph
    from langgraph.graph.state import CompiledStateGraph


_MANY = 4  # other arrows to a node, from which on they are many


@dataclass(frozen=True)
class Arrow:
    """From a node to the next; the labels of the decisions that lead there, none where it is always gone."""

    source: str
    target: str
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """Nodes that have a frame around them, and its heading."""

    name: str
    nodes: tuple[str, ...]


@dataclass(frozen=True)
class Drawing:
    """What a picture shows: nodes, those of a graph inside with its name and a colon before theirs, parts, and arrows.

    Of the decisions of a node, those stand first that its graph's file names first.
    """

    nodes: tuple[str, ...]
    parts: tuple[Part, ...]
    arrows: tuple[Arrow, ...]

    @property
    def back(self) -> set[tuple[str, str]]:
        """The arrows that go back: to a part that is named earlier, or, within one, to what came before.

        The latter close a loop on a walk from the start that goes as deep as it can, the first ways first.
        """
        loops, part = self._loops(), self._part_of()
        ends = [(arrow.source, arrow.target) for arrow in self.arrows]
        between = {(one, other) for one, other in ends if one in part and other in part and part[one] != part[other]}
        return (loops - between) | {(one, other) for one, other in between if part[other] < part[one]}

    @property
    def main(self) -> list[tuple[str, str]]:
        """The way of a run that nothing stops: from each node the first arrow that does not go back.

        None where that does not lead to the end, nor in a graph without parts, which is small.
        """
        back, found = self.back, list[tuple[str, str]]()
        while not found or found[-1][1] != "__end__":
            here = found[-1][1] if found else "__start__"
            onward = ((arrow.source, arrow.target) for arrow in self.arrows if arrow.source == here)
            step = next((ends for ends in onward if ends not in back and ends not in found), None)
            if step is None or not self.parts:
                return []
            found.append(step)
        return found

    @property
    def asides(self) -> list[Arrow]:
        """The arrows that a reader need not follow with the eye.

        They lead, off the main way, to a node where many end, and come from another part or say what others say too.
        """
        into: dict[str, list[Arrow]] = {}
        for arrow in self.arrows:
            into.setdefault(arrow.target, []).append(arrow)
        part, main = self._part_of(), self.main

        def is_aside(arrow: Arrow) -> bool:
            others = [other for other in into[arrow.target] if other is not arrow]
            if arrow.target == "__end__" or len(others) < _MANY or (arrow.source, arrow.target) in main:
                return False
            from_afar = part.get(arrow.source) != part.get(arrow.target)
            return from_afar or any({*arrow.labels} & {*other.labels} for other in others)

        return [arrow for arrow in self.arrows if is_aside(arrow)]

    def _part_of(self) -> dict[str, int]:
        """The number of the part that a node is in, of those that are in one."""
        return {name: number for number, part in enumerate(self.parts) for name in part.nodes}

    def _loops(self) -> set[tuple[str, str]]:
        found, on_the_way, seen = set[tuple[str, str]](), list[str](), set[str]()

        def walk(name: str) -> None:
            seen.add(name)
            on_the_way.append(name)
            for arrow in self.arrows:
                if arrow.source == name and arrow.target in on_the_way:
                    found.add((name, arrow.target))
                elif arrow.source == name and arrow.target not in seen:
                    walk(arrow.target)
            on_the_way.pop()

        walk("__start__")
        return found

    @classmethod
    def of(cls, compiled: CompiledStateGraph[Any, Any, Any, Any], *, closed: bool = False) -> Drawing:
        """The drawing of a graph.

        Where nodes name their parts, those are its parts, and a graph that is a node is one box; so it is in a `closed`
        drawing. Else the graphs inside are drawn, each as a part.
        """
        shown = compiled.get_graph()
        parts = _named_parts(shown)
        opened = not (parts or closed)
        if opened:
            shown = compiled.get_graph(xray=True)
            parts = _graphs_inside(shown)
        said = _decisions(compiled, opened=opened)
        written = {ends: place for place, ends in enumerate(said)}
        arrows = (
            Arrow(*ends, labels=tuple(said.get(ends) or [str(edge.data)] if edge.conditional else ()))
            for edge in sorted(shown.edges, key=lambda edge: (_place(edge, written), edge))
            for ends in [(edge.source, edge.target)]
        )
        return cls(nodes=tuple(shown.nodes), parts=parts, arrows=tuple(arrows))

    def digest(self) -> str:
        """Tells one drawing from another, whatever made a picture of it."""
        return hashlib.sha256(json.dumps(asdict(self)).encode()).hexdigest()


def _place(edge: Edge, written: Mapping[tuple[str, str], int]) -> int:
    """Where a decision is written; one that leads into a graph inside, or out of it, is written as the node's own."""
    outer = (edge.source.partition(":")[0], edge.target.partition(":")[0])
    return written.get((edge.source, edge.target), written.get(outer, 0))


def _named_parts(shown: Graph) -> tuple[Part, ...]:
    parts: dict[str, list[str]] = {}
    for name, node in shown.nodes.items():
        if part := (node.metadata or {}).get("part"):
            parts.setdefault(part, []).append(name)
    return tuple(Part(name, tuple(nodes)) for name, nodes in parts.items())


def _graphs_inside(shown: Graph) -> tuple[Part, ...]:
    names = {name: name.rpartition(":")[0] for name in shown.nodes}
    inner = dict.fromkeys(graph for graph in names.values() if graph)
    return tuple(Part(graph, tuple(name for name in names if names[name] == graph)) for graph in inner)


def _decisions(
    compiled: CompiledStateGraph[Any, Any, Any, Any], inside: str = "", *, opened: bool
) -> dict[tuple[str, str], list[str]]:
    """All labels from a node to another; LangGraph's own drawing keeps one of several that lead to the same node."""
    said: dict[tuple[str, str], list[str]] = {}
    for source, branches in compiled.builder.branches.items():
        for branch in branches.values():
            for label, target in (branch.ends or {}).items():
                said.setdefault((f"{inside}{source}", f"{inside}{target}"), []).append(str(label))
    for name, inner in compiled.get_subgraphs() if opened else ():
        graph = cast("CompiledStateGraph[Any, Any, Any, Any]", inner)
        said |= _decisions(graph, f"{inside}{name}:", opened=True)
    return said
