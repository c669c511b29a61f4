"""The tree of a depth-first search, or of a plan, as a picture, for a file or a notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

_WIDTH, _HEIGHT = 250, 62  # of a node, in pixels
_GAP_X, _GAP_Y = 18, 40
_LETTERS = 38  # that fit on a line of a node
_COLOURS = {"open": "#52616b", "planned": "#1f618d", "failed": "#c0392b", "given up": "#b9770e", "answered": "#1e8449"}

Nodes = Sequence[Mapping[str, Any]]


def tree_svg(tree: Nodes, question: str = "") -> str:
    """The `tree` of a result of `toolquiver.graphs.dfsdt` or `reverse_chain` as SVG: the root above, the rest in order.

    A way that failed, or that the model gave up, is drawn with broken lines, and says so. In a plan each call is below
    the one that takes its output, labelled with the argument that it gives. In a notebook:
    `IPython.display.SVG(tree_svg(result["tree"]))`.
    """
    places = _places(tree)
    width = max(x for x, _ in places.values()) + _WIDTH + _GAP_X
    height = max(y for _, y in places.values()) + _HEIGHT + _GAP_X
    lines = [_edge(places[node["parent"]], places[node["id"]], node) for node in tree if node["parent"] is not None]
    boxes = [_box(places[node["id"]], node, question) for node in tree]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        ' font-family="sans-serif" font-size="11">\n'
        f'<rect width="{width}" height="{height}" fill="white"/>\n' + "\n".join([*lines, *boxes]) + "\n</svg>\n"
    )


def _places(tree: Nodes) -> dict[int, tuple[int, int]]:
    """The upper left corner of each node: leaves side by side, parents above the middle of their children."""
    columns: dict[int, float] = {}
    depths = {node["id"]: 0 if node["parent"] is None else -1 for node in tree}
    for node in tree:  # a parent stands before its children
        if node["parent"] is not None:
            depths[node["id"]] = depths[node["parent"]] + 1
    _order(tree, 0, columns)
    return {
        place: (_GAP_X + int(column * (_WIDTH + _GAP_X)), _GAP_X + depths[place] * (_HEIGHT + _GAP_Y))
        for place, column in columns.items()
    }


def _order(tree: Nodes, place: int, columns: dict[int, float]) -> float:
    """Give this node and all below it a column, and return it."""
    below = [_order(tree, node["id"], columns) for node in tree if node["parent"] == place]
    leaves = sum(not any(node["parent"] == other for node in tree) for other in columns)
    columns[place] = (below[0] + below[-1]) / 2 if below else leaves
    return columns[place]


def _edge(above: tuple[int, int], below: tuple[int, int], node: Mapping[str, Any]) -> str:
    (x1, y1), (x2, y2) = above, below
    return (
        f'<line x1="{x1 + _WIDTH // 2}" y1="{y1 + _HEIGHT}" x2="{x2 + _WIDTH // 2}" y2="{y2}"'
        f' stroke="{_COLOURS[node["mark"]]}"{_broken(node)}/>'
    )


def _box(corner: tuple[int, int], node: Mapping[str, Any], question: str) -> str:
    x, y = corner
    colour = _COLOURS[node["mark"]]
    if node["parent"] is None:
        texts = [question or "the question", "", ""]
    else:
        label = " · ".join(filter(None, [node.get("label"), node["mark"]]))
        texts = [label, "; ".join(node["calls"]) or node["thought"], "; ".join(node["observations"])]
    written = "".join(
        f'<text x="{x + 8}" y="{y + 18 + 17 * line}" fill="{colour if line == 0 else "#222"}">{_cut(text)}</text>'
        for line, text in enumerate(texts)
    )
    frame = f'<rect x="{x}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="6" fill="#fbfbfb" stroke="{colour}"'
    return f"<g><title>{_said(node)}</title>{frame}{_broken(node)}/>{written}</g>"


def _broken(node: Mapping[str, Any]) -> str:
    return ' stroke-dasharray="5 4"' if node["mark"] in ("failed", "given up") else ""


def _said(node: Mapping[str, Any]) -> str:
    """All of a node, which a viewer shows when one points at it."""
    return _harmless("\n".join([node["thought"], *node["calls"], *node["observations"]]).strip())


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return _harmless(line if len(line) <= _LETTERS else line[: _LETTERS - 1] + "…")


def _harmless(text: str) -> str:
    """Text that XML takes: a tool's response may hold anything."""
    return escape(
        "".join(letter if letter.isprintable() or letter == "\n" else "\N{REPLACEMENT CHARACTER}" for letter in text)
    )
