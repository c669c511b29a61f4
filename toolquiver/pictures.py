"""Graphs as pictures, drawn here by Graphviz: no service is asked."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pygraphviz

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_core.runnables.graph import Graph
    from langgraph.graph.state import CompiledStateGraph

_FONT = "Helvetica"
_NODE = {
    "shape": "box",
    "style": "rounded,filled",
    "fillcolor": "#eef2fb",
    "color": "#5470b8",
    "fontname": _FONT,
    "fontsize": "13",
}
_END = _NODE | {"shape": "oval", "fillcolor": "#ffffff", "color": "#888888", "fontcolor": "#555555"}
_EDGE = {"color": "#44506b", "fontname": _FONT, "fontsize": "11", "fontcolor": "#8a3b12", "arrowsize": "0.7"}
_FRAME = {"style": "rounded,filled", "color": "#c9cfdb", "fontname": _FONT, "fontsize": "15", "labeljust": "l"}
_TINTS = ("#f4f9f1", "#fdf7ec", "#f6f6fc", "#fbf1f1")


def graph_png(compiled: CompiledStateGraph[Any, Any, Any, Any]) -> bytes:
    """The graph as a PNG picture: nodes as boxes, decisions as dashed edges with their labels.

    Where nodes name their parts, each part has a frame, and a graph that is a node is one box.
    """
    picture = drawn(compiled)
    picture.graph_attr["dpi"] = "110"
    result: bytes = picture.draw(format="png", prog="dot")
    return result


def drawn(compiled: CompiledStateGraph[Any, Any, Any, Any], *, closed: bool = False) -> pygraphviz.AGraph:
    """The graph for Graphviz, not laid out yet; `closed` draws a graph that is a node as one box."""
    graph = compiled.get_graph()
    parts = _parts(graph)
    if not (parts or closed):
        graph = compiled.get_graph(xray=True)
    places = {name: place for place, names in enumerate(parts.values()) for name in names}
    picture = pygraphviz.AGraph(directed=True, nodesep="0.45", ranksep="0.4")
    for name in graph.nodes:
        ends = name in ("__start__", "__end__")
        picture.add_node(name, label=name.strip("_"), **(_END if ends else _NODE))
    for edge in graph.edges:
        label = f" {edge.data} " if edge.data and edge.conditional else ""
        style = "dashed" if edge.conditional else "solid"
        back = places.get(edge.target, 0) < places.get(edge.source, 0)  # it does not say what stands above what
        constraint = "false" if back and edge.target in places else "true"
        picture.add_edge(edge.source, edge.target, label=label, style=style, constraint=constraint, **_EDGE)
    for number, (part, names) in enumerate(parts.items()):
        picture.add_subgraph(names, f"cluster_{number}", label=part, fillcolor=_TINTS[number % len(_TINTS)], **_FRAME)
    return picture


def _parts(graph: Graph) -> dict[str, list[str]]:
    """The nodes of each part of the picture, for those whose metadata name their `part`."""
    parts: dict[str, list[str]] = {}
    for name, node in graph.nodes.items():
        if part := (node.metadata or {}).get("part"):
            parts.setdefault(part, []).append(name)
    return parts


def path_svg(compiled: CompiledStateGraph[Any, Any, Any, Any], path: Sequence[str]) -> str:
    """The graph as SVG with a path through it: the nodes and edges taken stand out, with how often they were.

    `path` are the graph's own nodes in the order in which they were at work.
    """
    picture = drawn(compiled, closed=True)
    nodes = Counter(path)
    edges = Counter(pairwise(["__start__", *path, "__end__"]))
    for node in picture.nodes():
        if node in nodes:
            node.attr.update(fillcolor="#5470b8", fontcolor="#ffffff", label=_times(node.attr["label"], nodes[node]))
        elif not node.startswith("__"):
            node.attr.update(fillcolor="#ffffff", color="#c9cfdb", fontcolor="#8b94a3")
    for edge in picture.edges():
        taken = edges.get((str(edge[0]), str(edge[1])), 0)
        if taken:
            edge.attr.update(color="#1f3f8f", penwidth="2.2", label=f" {_times(edge.attr['label'].strip(), taken)} ")
        else:
            edge.attr.update(color="#d5dae3", fontcolor="#b3bac6")
    picture.graph_attr["bgcolor"] = "transparent"
    written: str = picture.draw(format="svg", prog="dot").decode()
    return written[written.index("<svg") :]


def _times(label: str, times: int) -> str:
    return label if times == 1 else f"{label} \N{MULTIPLICATION SIGN}{times}".strip()
