"""How many APIs a run had registered from turn to turn, as a picture (EcoAct, figure 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from toolquiver.escaping import text as escaped
from toolquiver.masking import masked

_WIDTH, _HEIGHT = 640, 340  # pixels
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 24, 44, 48
_MOST_TICKS = 12
_LONGEST_TITLE = 80


def shares(growth: Sequence[Mapping[str, Any]]) -> list[float]:
    """The share of the APIs at hand that was registered at the beginning of each turn."""
    return [grown["registered"] / grown["available"] if grown["available"] else 0.0 for grown in growth]


def mean_shares(runs: Sequence[Sequence[float]]) -> list[float]:
    """The mean of several runs at each turn; a run that has ended keeps its last share."""
    ended = [run[-1] for run in runs if run]
    columns = zip_longest(*[run for run in runs if run], fillvalue=-1.0)
    return [
        sum(last if share < 0 else share for share, last in zip(column, ended, strict=True)) / len(ended)
        for column in columns
    ]


def growth_svg(growth: Sequence[Mapping[str, Any]], question: str = "") -> str:
    """The `growth` of a result of `toolquiver.graphs.react` or `dfsdt` as SVG: the share registered at each turn.

    With all APIs in sight from the start it is a line at 1. In a notebook:
    `IPython.display.SVG(growth_svg(result["growth"]))`.
    """
    points = shares(growth)
    title = masked(" ".join(question.split())) or "Registered APIs"
    title = title if len(title) <= _LONGEST_TITLE else f"{title[: _LONGEST_TITLE - 1]}…"
    size = f'width="{_WIDTH}" height="{_HEIGHT}"'
    look = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" font-size="12"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {look}>',
        f'<rect {size} fill="white"/>',
        _text(_LEFT, 24, title, 'font-size="14" font-weight="bold"'),
        *_axes(len(points)),
    ]
    places = [(_x(turn, len(points)), _y(share)) for turn, share in enumerate(points, 1)]
    if len(places) > 1:
        line = " ".join(f"{x},{y}" for x, y in places)
        parts.append(f'<polyline points="{line}" fill="none" stroke="#1f618d" stroke-width="2"/>')
    for (x, y), grown, share in zip(places, growth, points, strict=True):
        said = f"turn {grown['turn']}: {grown['registered']} of {grown['available']} APIs, {share:.0%}"
        parts.append(f'<g><title>{said}</title><circle cx="{x}" cy="{y}" r="4" fill="#1f618d"/></g>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _axes(turns: int) -> list[str]:
    right, bottom = _WIDTH - _RIGHT, _y(0)
    parts = []
    for tick in (0, 0.2, 0.4, 0.6, 0.8, 1):
        parts.append(f'<line x1="{_LEFT}" y1="{_y(tick)}" x2="{right}" y2="{_y(tick)}" stroke="#ddd"/>')
        parts.append(_text(_LEFT - 8, _y(tick) + 4, f"{tick:.0%}", 'text-anchor="end" fill="#555"'))
    step = max(1, -(-turns // _MOST_TICKS))
    parts += [
        _text(_x(turn, turns), bottom + 18, str(turn), 'text-anchor="middle" fill="#555"')
        for turn in range(1, turns + 1, step)
    ]
    middle = (_LEFT + right) / 2
    parts.append(
        _text(middle, bottom + 38, "turn (share of the APIs registered at its beginning)", 'text-anchor="middle"')
    )
    return parts


def _x(turn: int, turns: int) -> float:
    share = (turn - 1) / (turns - 1) if turns > 1 else 0.5
    return round(_LEFT + 12 + share * (_WIDTH - _LEFT - _RIGHT - 24), 1)


def _y(share: float) -> float:
    return round(_HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM), 1)


def _text(x: float, y: float, said: str, more: str) -> str:
    return f'<text x="{x}" y="{y}" {more}>{escaped(said)}</text>'
