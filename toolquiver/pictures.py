"""Graphs as pictures, drawn here by Graphviz: no service is asked."""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, cast

import pygraphviz

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

_FONT = "Helvetica"
_PICTURE = {"dpi": "110", "nodesep": "0.35", "ranksep": "0.4", "fontname": _FONT}
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
_INNER = {
    "style": "rounded,filled",
    "color": "#c9ced9",
    "fillcolor": "#f8f8fa",
    "fontcolor": "#555555",
    "fontsize": "13",
}
_WORD = "Drawing"  # names the text in a PNG that says what is drawn there
_BEHIND_HEADER = 33  # bytes: a PNG's signature and first chunk


@dataclass(frozen=True)
class Arrow:
    """From a node to the next; the labels of the decisions that lead there, none where it is always gone."""

    source: str
    target: str
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Drawing:
    """What a picture shows: nodes, those of a graph inside with its name and a colon before theirs, and arrows.

    Of the decisions of a node, those stand first that its graph's file names first.
    """

    nodes: tuple[str, ...]
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
    def of(cls, compiled: CompiledStateGraph[Any, Any, Any, Any]) -> Drawing:
        """The drawing of a graph, with the graphs inside it."""
        drawn = compiled.get_graph(xray=True)
        said = _decisions(compiled)
        written = {ends: place for place, ends in enumerate(said)}
        arrows = (
            Arrow(*ends, labels=tuple(said.get(ends) or [str(edge.data)] if edge.conditional else ()))
            for edge in sorted(drawn.edges, key=lambda edge: (written.get(edge[:2], 0), edge))
            for ends in [(edge.source, edge.target)]
        )
        return cls(nodes=tuple(drawn.nodes), arrows=tuple(arrows))

    def digest(self) -> str:
        """Tells whether a picture shows this drawing, whichever version of Graphviz has made it."""
        style = [_PICTURE, _NODE, _END, _EDGE, _INNER]
        return hashlib.sha256(json.dumps([asdict(self), style]).encode()).hexdigest()


def graph_png(compiled: CompiledStateGraph[Any, Any, Any, Any]) -> bytes:
    """The graph as a PNG picture: nodes as boxes, decisions as dashed arrows with their labels.

    A graph inside is framed. The file says which drawing it shows: see `drawn_in`.
    """
    drawing = Drawing.of(compiled)
    picture = pygraphviz.AGraph(directed=True, strict=False, **_PICTURE)
    for name in drawing.nodes:
        look = _END if name in ("__start__", "__end__") else _NODE
        picture.add_node(name, label=name.rpartition(":")[2].strip("_"), **look)
    for inner in dict.fromkeys(name.rpartition(":")[0] for name in drawing.nodes if ":" in name):
        within = [name for name in drawing.nodes if name.rpartition(":")[0] == inner]
        picture.add_subgraph(within, name=f"cluster_{inner}", label=inner, **_INNER)
    back = drawing.back
    for arrow in drawing.arrows:
        look = _EDGE | {"label": "\n".join(f" {said} " for said in arrow.labels)}
        look["style"] = "dashed" if arrow.labels else "solid"
        ends = (arrow.source, arrow.target)
        if ends in back:  # said the other way round, so that what comes first stands above
            picture.add_edge(*reversed(ends), dir="back", **look)
        else:
            picture.add_edge(*ends, **look)
    return _with_text(picture.draw(format="png", prog="dot"), drawing.digest())


def _decisions(compiled: CompiledStateGraph[Any, Any, Any, Any], inside: str = "") -> dict[tuple[str, str], list[str]]:
    """All labels from a node to another; LangGraph's own drawing keeps one of several that lead to the same node."""
    said: dict[tuple[str, str], list[str]] = {}
    for source, branches in compiled.builder.branches.items():
        for branch in branches.values():
            for label, target in (branch.ends or {}).items():
                said.setdefault((f"{inside}{source}", f"{inside}{target}"), []).append(str(label))
    for name, inner in compiled.get_subgraphs():
        said |= _decisions(cast("CompiledStateGraph[Any, Any, Any, Any]", inner), f"{inside}{name}:")
    return said


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
