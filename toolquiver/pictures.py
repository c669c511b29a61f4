"""Graphs as pictures, drawn here by Graphviz: no service is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pygraphviz

if TYPE_CHECKING:
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


def graph_png(compiled: CompiledStateGraph[Any, Any, Any, Any]) -> bytes:
    """The graph as a PNG picture: nodes as boxes, decisions as dashed edges with their labels."""
    drawn = compiled.get_graph(xray=True)
    picture = pygraphviz.AGraph(directed=True, dpi="110", nodesep="0.45", ranksep="0.4")
    for name in drawn.nodes:
        ends = name in ("__start__", "__end__")
        picture.add_node(name, label=name.strip("_"), **(_END if ends else _NODE))
    for edge in drawn.edges:
        label = f" {edge.data} " if edge.data and edge.conditional else ""
        style = "dashed" if edge.conditional else "solid"
        picture.add_edge(edge.source, edge.target, label=label, style=style, **_EDGE)
    result: bytes = picture.draw(format="png", prog="dot")
    return result
