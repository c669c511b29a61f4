"""Graphs as pictures, drawn here by Graphviz: no service is asked."""

from __future__ import annotations

import re
import struct
import zlib
from collections import Counter
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pygraphviz

from toolquiver.drawings import Arrow, Drawing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langgraph.graph.state import CompiledStateGraph

_FONT = "DejaVu Sans Condensed,Arial,Helvetica"  # narrow, for a picture is as wide as its words
_PICTURE = {"nodesep": "0.14", "ranksep": "0.16", "newrank": "true", "outputorder": "edgesfirst"}
_NODE = {
    "shape": "box",
    "style": "rounded,filled",
    "fillcolor": "#eef2fb",
    "color": "#5470b8",
    "fontname": _FONT,
    "fontsize": "20",
    "margin": "0.12,0.06",
}
_END = _NODE | {"shape": "oval", "fillcolor": "#ffffff", "color": "#888888", "fontcolor": "#555555"}
_EDGE = {"color": "#44506b", "arrowsize": "0.9"}
_SAID = {"shape": "box", "style": "", "penwidth": "0", "margin": "0.03,0.01", "width": "0", "height": "0"}
_SAID |= {"fontname": _FONT, "fontsize": "18", "fontcolor": "#8a3b12"}
_PART = {"style": "rounded,filled", "color": "#c9cfdb", "fontname": _FONT, "fontsize": "22", "labeljust": "l"}
_TINTS = ("#f4f9f1", "#fdf7ec", "#f6f6fc", "#fbf1f1")
_MAIN_EDGE = {"color": "#1f3f8f", "penwidth": "2.6", "arrowsize": "0.6"}
_ASIDE, _ASIDE_SIZE = "#a0623e", 16
_TAKEN_NODE = {"fillcolor": "#5470b8", "fontcolor": "#ffffff"}
_OTHER_NODE = {"fillcolor": "#ffffff", "color": "#c9cfdb", "fontcolor": "#8b94a3"}
_OTHER_EDGE = {"color": "#d5dae3"}
_OTHER_SAID = "#b3bac6"
_FAMILY = f' font-family="{_FONT}"'
_NOISE = re.compile(r'<!--.*?-->\n|<title>.*?</title>\n| xml:space="preserve"', re.DOTALL)
_ENDS = ("__start__", "__end__")
_WORD = "Drawing"  # names the text in a PNG that says what is drawn there
_LINE = 13  # characters of a label on one line, if its words allow it
_BEHIND_HEADER = 33  # bytes: a PNG's signature and first chunk


@dataclass
class _Way:
    """How an arrow is drawn: its words, its look, and that of the words."""

    words: Sequence[str]
    look: Mapping[str, str]
    said: dict[str, str] = field(default_factory=_SAID.copy)


def graph_png(compiled: CompiledStateGraph[Any, Any, Any, Any]) -> bytes:
    """The graph, as `build` of any graph gives it, as the bytes of a PNG picture.

    Nodes are boxes, decisions dashed arrows with their labels, parts frames.

    The way of a run that nothing stops is thick. Where many decisions lead to one node, those from afar and those that
    several nodes share are written into the box that they start from.

    The file says which drawing it shows: see `drawn_in`.
    """
    drawing = Drawing.of(compiled)
    picture = _plain(drawing)
    picture.graph_attr["dpi"] = "96"
    return _with_text(picture.draw(format="png", prog="dot"), drawing.digest())


def graph_svg(compiled: CompiledStateGraph[Any, Any, Any, Any]) -> str:
    """The picture that `graph_png` draws, as the text of an SVG, which is small enough to stay in a notebook."""
    return _svg(_plain(Drawing.of(compiled)))


def path_svg(
    compiled: CompiledStateGraph[Any, Any, Any, Any], path: Sequence[str | Sequence[str]], *, ended: bool = True
) -> str:
    """The graph as SVG with a path through it: the nodes and arrows taken stand out, with how often they were.

    `path` are the graph's own nodes in the order in which they were at work; those that were side by side stand
    together. `ended` says whether the last of them led to the end.
    """
    drawing = Drawing.of(compiled, closed=True)
    steps = [[step] if isinstance(step, str) else [*step] for step in path]
    nodes = Counter(name for step in steps for name in step)
    arrows = _arrows_between([[_ENDS[0]], *steps, *([[_ENDS[1]]] if ended else [])])
    written = [aside for aside in drawing.asides if not arrows[aside.source, aside.target]]
    shown = {name: _NODE | (_TAKEN_NODE if nodes[name] else _OTHER_NODE) for name in drawing.nodes}
    titles = {name: _times(_title(name), nodes[name]) for name in drawing.nodes}
    picture = _boxes(titles, shown, written, aside_colour=_OTHER_SAID)
    _connect(picture, drawing, written, _taken(drawing, arrows))
    picture.graph_attr["bgcolor"] = "transparent"
    return _svg(picture)


def _arrows_between(steps: Sequence[Sequence[str]]) -> Counter[tuple[str, str]]:
    """How often each pair of nodes may have followed: once for each that began there, or that ended here if more did.

    Of nodes side by side each may have led to all of the next; which do, the graph's arrows say.
    """
    times = Counter[tuple[str, str]]()
    for before, after in pairwise(map(Counter, steps)):
        times.update({(one, other): max(before[one], after[other]) for one in before for other in after})
    return times


def _taken(drawing: Drawing, times: Mapping[tuple[str, str], int]) -> dict[tuple[str, str], _Way]:
    """How arrows look: those taken stand out and say how often, if more than once."""
    ways = {}
    for arrow in drawing.arrows:
        ends = (arrow.source, arrow.target)
        often = [_times("", times[ends])] if times[ends] > 1 else []
        ways[ends] = _Way([*arrow.labels, *often], _MAIN_EDGE if times[ends] else _OTHER_EDGE)
        if not times[ends]:
            ways[ends].said["fontcolor"] = _OTHER_SAID
    return ways


def _plain(drawing: Drawing) -> pygraphviz.AGraph:
    """A picture in which the main way stands out, and asides are written into the box that they start from."""
    main, written = drawing.main, drawing.asides
    picture = _boxes({name: _title(name) for name in drawing.nodes}, dict.fromkeys(drawing.nodes, _NODE), written)
    ways = {
        ends: _Way(arrow.labels, _MAIN_EDGE if ends in main else {})
        for arrow in drawing.arrows
        for ends in [(arrow.source, arrow.target)]
    }
    _connect(picture, drawing, written, ways)
    return picture


def _svg(picture: pygraphviz.AGraph) -> str:
    """The picture as SVG without what only makes it longer: comments, titles, and the font of each text."""
    written: str = picture.draw(format="svg", prog="dot").decode()
    short = _NOISE.sub("", written[written.index("<svg") :]).replace(_FAMILY, "")
    return short.replace("<svg", f"<svg{_FAMILY}", 1)


def _boxes(
    titles: Mapping[str, str],
    looks: Mapping[str, Mapping[str, str]],
    written: Sequence[Arrow],
    aside_colour: str = _ASIDE,
) -> pygraphviz.AGraph:
    """A picture of the nodes, each with its title and look, and the arrows from there that are only written."""
    picture = pygraphviz.AGraph(directed=True, strict=False, **_PICTURE)
    for name, title in titles.items():
        lines = [
            f'<font point-size="{_ASIDE_SIZE}" color="{aside_colour}">{escape(_aside(arrow))}</font>'
            for arrow in written
            if arrow.source == name
        ]
        label = f"<{'<br/>'.join([*_folded(title), *lines])}>"
        picture.add_node(name, label=label, **(_END if name in _ENDS else looks[name]))
    return picture


def _aside(arrow: Arrow) -> str:
    return f"{', '.join(arrow.labels)} \N{RIGHTWARDS ARROW} {_title(arrow.target)}".strip()


def _connect(
    picture: pygraphviz.AGraph,
    drawing: Drawing,
    written: Sequence[Arrow],
    ways: Mapping[tuple[str, str], _Way],
) -> None:
    """Draw the arrows that are not written, each as `ways` says, and the frames around the parts.

    One that goes back is said the other way round, so that what comes first stands above. What an arrow says is a node
    on its way: so no other arrow crosses the words.
    """
    back, frames = drawing.back, [[*part.nodes] for part in drawing.parts]
    for number, arrow in enumerate(arrow for arrow in drawing.arrows if arrow not in written):
        ends = (arrow.source, arrow.target)
        way = ways[ends]
        look = {**_EDGE, "style": "dashed" if arrow.labels else "solid", **way.look}
        turned = ends in back
        above, below = reversed(ends) if turned else ends
        if not way.words:
            picture.add_edge(above, below, dir="back" if turned else "forward", **look)
            continue
        middle = f"words {number}"
        picture.add_node(
            middle, label=f"<{'<br/>'.join(line for text in way.words for line in _folded(text))}>", **way.said
        )
        picture.add_edge(above, middle, dir="back" if turned else "none", **look)
        picture.add_edge(middle, below, dir="none" if turned else "forward", **look)
        for frame in frames:
            if {*ends} <= {*frame}:
                frame.append(middle)
    for number, (part, frame) in enumerate(zip(drawing.parts, frames, strict=True)):
        tint = _TINTS[number % len(_TINTS)]
        picture.add_subgraph(frame, name=f"cluster_{number}", label=part.name, fillcolor=tint, **_PART)


def _title(name: str) -> str:
    return name.rpartition(":")[2].strip("_")


def _times(label: str, times: int) -> str:
    return label if times <= 1 else f"{label} \N{MULTIPLICATION SIGN}{times}".strip()


def _folded(text: str) -> list[str]:
    """The lines that a text is written in, as Graphviz's HTML: broken between words."""
    words = re.split(r"(?<=[_ ])", text)
    lines = [""]
    for word in words:
        if lines[-1] and len((lines[-1] + word).strip()) > _LINE:
            lines.append("")
        lines[-1] += word
    return [escape(line.strip()) for line in lines]


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
    """The PNG with a chunk of text after its header."""
    body = b"tEXt" + f"{_WORD}\0{text}".encode("latin-1")
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return png[:_BEHIND_HEADER] + chunk + png[_BEHIND_HEADER:]
