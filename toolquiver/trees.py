"""Trees as pictures, for a file or a notebook: of a depth-first search, of a plan, of the agents of a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from toolquiver.escaping import text as escaped
from toolquiver.masking import masked

_WIDTH = 250  # of a node, in pixels
_LINE, _PADDING = 17, 11
_GAP_X, _GAP_Y = 18, 40
_LETTERS = 38  # that fit on a line of a node
_COLOURS = {
    "open": "#52616b",
    "planned": "#1f618d",
    "failed": "#c0392b",
    "given up": "#b9770e",
    "answered": "#1e8449",
    "active": "#52616b",
    "parked": "#b9770e",
    "finished": "#1e8449",
}
_BROKEN = ("failed", "given up", "parked")

Key = int | str


class _Box(NamedTuple):
    """A node of a tree: a few lines in a frame, and all that there is to say of it; parents stand before children."""

    key: Key
    parent: Key | None
    mark: str
    lines: tuple[str, ...]
    said: str


def tree_svg(tree: Sequence[Mapping[str, Any]], question: str = "") -> str:
    """The `tree` of a result of `toolquiver.graphs.dfsdt` or `reverse_chain` as SVG: the root above, the rest in order.

    A way that failed, or that the model gave up, is drawn with broken lines, and says so. In a plan each call is below
    the one that takes its output, labelled with the argument that it gives. In a notebook:
    `IPython.display.SVG(tree_svg(result["tree"]))`.
    """
    return _svg([_turn(node, question) for node in tree])


def agents_svg(
    agents: Mapping[str, Mapping[str, Any]], question: str = "", wakings: Sequence[Mapping[str, Any]] = ()
) -> str:
    """The `agents` of a result of `toolquiver.graphs.retriever`, `anytool` or `quiver` as SVG: who made and found what.

    The first agent is headed by the `question`, where it is given. An agent that was stopped from outside is drawn with
    broken lines, and says why. With the `wakings` of the result, an agent that a reflection woke says how often, and
    why the last time; its tooltip has all reasons.
    """
    return _svg([_agent(agent, question, wakings) for agent in agents.values()] or [_empty(question)])


def _turn(node: Mapping[str, Any], question: str) -> _Box:
    said = "\n".join([node["thought"], *node["calls"], *node["observations"]]).strip()
    label = " · ".join(filter(None, [node.get("label"), node["mark"]]))
    lines = (label, "; ".join(node["calls"]) or node["thought"], "; ".join(node["observations"]))
    if node["parent"] is None:
        lines = (question or "the question", "", "")
    return _Box(node["id"], node["parent"], node["mark"], lines, said)


def _agent(agent: Mapping[str, Any], question: str, wakings: Sequence[Mapping[str, Any]]) -> _Box:
    state = ": ".join(filter(None, [agent["status"], agent["why"]]))
    found = f"{len(agent['added'])} APIs found" if agent["added"] else ", ".join(agent["tools"])
    heading = question if agent["parent"] is None and question else agent["id"]
    woken = [waking for waking in wakings if agent["id"] in waking["agents"]]
    reasons = [f"woken by reflection {waking['reflection']}: {waking['why']}" for waking in woken]
    said = "\n".join([agent["id"], state, *reasons, *agent["tools"], *agent["added"]])
    lines = (heading, state, found, *_last_waking(woken))
    return _Box(agent["id"], agent["parent"], agent["status"], lines, said)


def _last_waking(woken: Sequence[Mapping[str, Any]]) -> list[str]:
    """How often an agent was woken, and why the last time; nothing where it never was."""
    often = "woken" if len(woken) == 1 else f"woken {len(woken)} times"
    return [f"{often}: {waking['why']}" for waking in woken[-1:]]


def _empty(question: str) -> _Box:
    return _Box(0, None, "open", (question or "the question", "no agents", ""), "")


def _svg(boxes: Sequence[_Box]) -> str:
    tall = _PADDING + _LINE * max(len(box.lines) for box in boxes)
    places = _places(boxes, tall)
    width = max(x for x, _ in places.values()) + _WIDTH + _GAP_X
    height = max(y for _, y in places.values()) + tall + _GAP_X
    lines = [_edge(places[box.parent], places[box.key], box, tall) for box in boxes if box.parent is not None]
    frames = [_frame(places[box.key], box, tall) for box in boxes]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        ' font-family="sans-serif" font-size="11">\n'
        f'<rect width="{width}" height="{height}" fill="white"/>\n' + "\n".join([*lines, *frames]) + "\n</svg>\n"
    )


def _places(boxes: Sequence[_Box], tall: int) -> dict[Key, tuple[int, int]]:
    """The upper left corner of each node: leaves side by side, parents above the middle of their children."""
    columns: dict[Key, float] = {}
    depths: dict[Key, int] = {}
    for box in boxes:
        depths[box.key] = 0 if box.parent is None else depths[box.parent] + 1
    _order(boxes, boxes[0].key, columns)
    return {
        key: (_GAP_X + int(column * (_WIDTH + _GAP_X)), _GAP_X + depths[key] * (tall + _GAP_Y))
        for key, column in columns.items()
    }


def _order(boxes: Sequence[_Box], key: Key, columns: dict[Key, float]) -> float:
    """Give this node and all below it a column, and return it."""
    below = [_order(boxes, box.key, columns) for box in boxes if box.parent == key]
    leaves = sum(not any(box.parent == other for box in boxes) for other in columns)
    columns[key] = (below[0] + below[-1]) / 2 if below else leaves
    return columns[key]


def _edge(above: tuple[int, int], below: tuple[int, int], box: _Box, tall: int) -> str:
    (x1, y1), (x2, y2) = above, below
    return (
        f'<line x1="{x1 + _WIDTH // 2}" y1="{y1 + tall}" x2="{x2 + _WIDTH // 2}" y2="{y2}"'
        f' stroke="{_COLOURS[box.mark]}"{_broken(box)}/>'
    )


def _frame(corner: tuple[int, int], box: _Box, tall: int) -> str:
    x, y = corner
    colour = _COLOURS[box.mark]
    written = "".join(
        f'<text x="{x + 8}" y="{y + 18 + _LINE * line}" fill="{colour if line == 0 else "#222"}">{_cut(text)}</text>'
        for line, text in enumerate(box.lines)
    )
    frame = f'<rect x="{x}" y="{y}" width="{_WIDTH}" height="{tall}" rx="6" fill="#fbfbfb" stroke="{colour}"'
    return f"<g><title>{escaped(masked(box.said))}</title>{frame}{_broken(box)}/>{written}</g>"


def _broken(box: _Box) -> str:
    return ' stroke-dasharray="5 4"' if box.mark in _BROKEN else ""


def _cut(text: str) -> str:
    line = masked(" ".join(text.split()))
    return escaped(line if len(line) <= _LETTERS else line[: _LETTERS - 1] + "…")
