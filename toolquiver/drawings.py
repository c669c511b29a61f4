"""What a picture of a graph shows: its nodes, its parts, and the decisions that lead from one to the next."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from langchain_core.runnables.graph import Graph
    from langgraph.graph.state import CompiledStateGraph


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
        """The arrows that close a loop, on a walk from the start that goes as deep as it can, the first ways first."""
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
            for edge in sorted(shown.edges, key=lambda edge: (written.get(edge[:2], 0), edge))
            for ends in [(edge.source, edge.target)]
        )
        return cls(nodes=tuple(shown.nodes), parts=parts, arrows=tuple(arrows))

    def digest(self) -> str:
        """Tells one drawing from another, whatever made a picture of it."""
        return hashlib.sha256(json.dumps(asdict(self)).encode()).hexdigest()


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
