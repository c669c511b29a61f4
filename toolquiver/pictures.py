"""Graphs as pictures, drawn here by Graphviz: no service is asked."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pygraphviz

from toolquiver.drawings import Drawing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langgraph.graph.state import CompiledStateGraph

_FONT = "Helvetica"
_PICTURE = {"nodesep": "0.35", "ranksep": "0.4", "fontname": _FONT}
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
_PART = {"style": "rounded,filled", "color": "#c9cfdb", "fontname": _FONT, "fontsize": "14", "labeljust": "l"}
_TINTS = ("#f4f9f1", "#fdf7ec", "#f6f6fc", "#fbf1f1")
_TAKEN_NODE = {"fillcolor": "#5470b8", "fontcolor": "#ffffff"}
_OTHER_NODE = {"fillcolor": "#ffffff", "color": "#c9cfdb", "fontcolor": "#8b94a3"}
_TAKEN_EDGE = {"color": "#1f3f8f", "penwidth": "2.2"}
_OTHER_EDGE = {"color": "#d5dae3", "fontcolor": "#b3bac6"}
_ENDS = ("__start__", "__end__")
_WORD = "Drawing"  # names the text in a PNG that says what is drawn there
_BEHIND_HEADER = 33  # bytes: a PNG's signature and first chunk


def graph_png(compiled: CompiledStateGraph[Any, Any, Any, Any]) -> bytes:
    """The graph as a PNG picture: nodes as boxes, decisions as dashed arrows with their labels, parts in frames.

    The file says which drawing it shows: see `drawn_in`.
    """
    drawing = Drawing.of(compiled)
    picture = _plain(drawing)
    picture.graph_attr["dpi"] = "110"
    return _with_text(picture.draw(format="png", prog="dot"), drawing.digest())


def graph_svg(compiled: CompiledStateGraph[Any, Any, Any, Any]) -> str:
    """The same picture as SVG, which is small enough to stay in a notebook."""
    return _svg(_plain(Drawing.of(compiled)))


def path_svg(compiled: CompiledStateGraph[Any, Any, Any, Any], path: Sequence[str]) -> str:
    """The graph as SVG with a path through it: the nodes and arrows taken stand out, with how often they were.

    `path` are the graph's own nodes in the order in which they were at work.
    """
    drawing = Drawing.of(compiled, closed=True)
    nodes, arrows = Counter(path), Counter(pairwise([_ENDS[0], *path, _ENDS[1]]))
    shown = {name: _NODE | (_TAKEN_NODE if nodes[name] else _OTHER_NODE) for name in drawing.nodes}
    picture = _boxes(drawing, {name: (_times(_title(name), nodes[name]), look) for name, look in shown.items()})
    looks = {}
    for arrow in drawing.arrows:
        ends = (arrow.source, arrow.target)
        times = [_times("", arrows[ends])] if arrows[ends] > 1 else []
        looks[ends] = (_TAKEN_EDGE if arrows[ends] else _OTHER_EDGE, (*arrow.labels, *times))
    _connect(picture, drawing, looks)
    picture.graph_attr["bgcolor"] = "transparent"
    return _svg(picture)


def _plain(drawing: Drawing) -> pygraphviz.AGraph:
    """A picture in which no path stands out."""
    picture = _boxes(drawing, {name: (_title(name), _NODE) for name in drawing.nodes})
    _connect(picture, drawing, {(arrow.source, arrow.target): ({}, arrow.labels) for arrow in drawing.arrows})
    return picture


def _svg(picture: pygraphviz.AGraph) -> str:
    written: str = picture.draw(format="svg", prog="dot").decode()
    return written[written.index("<svg") :]


def _boxes(drawing: Drawing, looks: dict[str, tuple[str, dict[str, str]]]) -> pygraphviz.AGraph:
    """A picture of the nodes, each with its label and look, and of the frames around the parts."""
    picture = pygraphviz.AGraph(directed=True, strict=False, **_PICTURE)
    for name, (label, look) in looks.items():
        picture.add_node(name, label=label, **(_END if name in _ENDS else look))
    for number, part in enumerate(drawing.parts):
        tint = _TINTS[number % len(_TINTS)]
        picture.add_subgraph(part.nodes, name=f"cluster_{number}", label=part.name, fillcolor=tint, **_PART)
    return picture


def _connect(
    picture: pygraphviz.AGraph,
    drawing: Drawing,
    looks: Mapping[tuple[str, str], tuple[dict[str, str], Sequence[str]]],
) -> None:
    """Draw the arrows, each as `looks` says, with its labels.

    One that closes a loop is said the other way round, so that what comes first stands above.
    """
    back = drawing.back
    for arrow in drawing.arrows:
        ends = (arrow.source, arrow.target)
        look, labels = looks[ends]
        style = "dashed" if arrow.labels else "solid"
        text = "\n".join(f" {label} " for label in labels)
        turned = {"dir": "back"} if ends in back else {}
        picture.add_edge(*(reversed(ends) if turned else ends), label=text, style=style, **_EDGE | look, **turned)


def _title(name: str) -> str:
    return name.rpartition(":")[2].strip("_")


def _times(label: str, times: int) -> str:
    return label if times <= 1 else f"{label} \N{MULTIPLICATION SIGN}{times}".strip()


def drawn_in(png: bytes) -> str | None:
    """The digest of the drawing that a picture of ours shows; None for other files."""
    at = _BEHIND_HEADER
    while at + 8 <= len(png):
        size, kind = struct.unpack(">I4s", png[at : at + 8])
        keyword, _, text = png[at + 8 : at + 8 + size].partition(b"\0")
        if (kind, keyword) == (b"tEXt", _WORD.encode()):
            return text.decode("latin-1")
        at += size + 12
    return None


def _with_text(png: bytes, text: str) -> bytes:
    """The PNG with a chunk of text behind its header."""
    body = b"tEXt" + f"{_WORD}\0{text}".encode("latin-1")
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return png[:_BEHIND_HEADER] + chunk + png[_BEHIND_HEADER:]
