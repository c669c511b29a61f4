"""Plots as SVG: points with intervals, for a page that needs nothing from elsewhere."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from toolquiver.escaping import text

_WIDTH, _HEIGHT = 640, 360  # pixels
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 36, 40, 52
_LINE = 18  # of the legend
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#444444")
"""Colours that can be told apart by the colour-blind too (Okabe and Ito)."""
_SHAPES = ("circle", "square", "diamond", "triangle")
_TICKS = 5
_WHOLE = 10  # from here on ticks have no fractions
_MOST_TICKS = 9
Place = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Point:
    """A place with the interval of its height, perhaps of its width, and what is said of it."""

    x: float
    y: float
    low: float
    high: float
    left: float | None = None
    right: float | None = None
    label: str = ""


@dataclass(frozen=True)
class Series:
    """Points of one kind; joined by a line where that means something."""

    name: str
    points: Sequence[Point]
    joined: bool = False


@dataclass(frozen=True, kw_only=True)
class Plot:
    """A plot with its axes' names; heights run from 0 to 1. `xs` are the ticks, else round numbers from 0 on.

    With `log` each factor has the same width; what is not above 0 stands at the left end.
    """

    title: str
    x: str
    y: str
    series: Sequence[Series]
    xs: Sequence[float] = ()
    diagonal: bool = False
    log: bool = False


def svg(plot: Plot) -> str:
    """The plot as SVG; what is written on it is escaped."""
    axis = _Axis(plot)
    height = _HEIGHT + _LINE * len(plot.series)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}"',
        f' role="img" aria-label="{text(plot.title)}" font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>',
        _text(_LEFT, 22, plot.title, 'font-size="14" font-weight="bold"'),
        *_frame(plot, axis),
    ]
    for number, series in enumerate(plot.series):
        parts += _drawn(series, number, axis)
    return "\n".join([*parts, "</svg>"])


class _Axis:
    """From values to pixels."""

    def __init__(self, plot: Plot) -> None:
        points = [point for series in plot.series for point in series.points]
        ends = [*plot.xs, *(end for point in points for end in (point.x, point.left, point.right) if end is not None)]
        self._log = plot.log
        if plot.log:
            self.ticks = _factors([end for end in ends if end > 0] or [1])
            self.low, self.high = math.log10(self.ticks[0]), math.log10(self.ticks[-1])
        elif plot.xs:
            gap = (max(ends) - min(ends)) * 0.06 or 0.5
            self.low, self.high = min(ends) - gap, max(ends) + gap
            self.ticks = list(plot.xs)
        else:
            step = _round_step(max(ends, default=1))
            count = int(max(ends, default=1) / step) + 1
            self.low, self.high = 0.0, step * count
            self.ticks = [step * number for number in range(count + 1)]

    def x(self, value: float) -> float:
        if self._log:
            value = math.log10(max(value, self.ticks[0]))
        share = (value - self.low) / (self.high - self.low)
        return round(_LEFT + share * (_WIDTH - _LEFT - _RIGHT), 1)

    def y(self, value: float) -> float:
        return round(_HEIGHT - _BOTTOM - value * (_HEIGHT - _TOP - _BOTTOM), 1)


def _factors(values: Sequence[float]) -> list[float]:
    """1, 2 and 5 times powers of ten from below the least to above the most of these, or the powers alone."""
    first, last = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    every = [10.0**power * factor for power in range(first, last + 1) for factor in (1, 2, 5)]
    low = max(tick for tick in every if tick <= min(values))
    high = min(tick for tick in [*every, 10.0 ** (last + 1)] if tick >= max(values) and tick > low)
    ticks = [tick for tick in [*every, 10.0 ** (last + 1)] if low <= tick <= high]
    if len(ticks) <= _MOST_TICKS:
        return ticks
    step = math.ceil((last - first) / _MOST_TICKS)
    return [10.0**power for power in range(first, last + step, step)]


def _round_step(most: float) -> float:
    """A step of 1, 2 or 5 times a power of ten, so that about five lead to the most."""
    step = 10.0 ** (len(str(int(max(most, 1)))) - 2)
    while most / step > _TICKS:
        for factor in (2.0, 5.0, 10.0):
            if most / (step * factor) <= _TICKS:
                return step * factor
        step *= 10
    return step


def _frame(plot: Plot, axis: _Axis) -> list[str]:
    left, right, bottom = _LEFT, _WIDTH - _RIGHT, axis.y(0)
    parts = []
    for tick in (0, 0.2, 0.4, 0.6, 0.8, 1):
        parts.append(_line((left, axis.y(tick)), (right, axis.y(tick)), "#ddd"))
        parts.append(_text(left - 8, axis.y(tick) + 4, f"{tick:g}", 'text-anchor="end" fill="#555"'))
    for tick in axis.ticks:
        parts.append(_line((axis.x(tick), bottom), (axis.x(tick), bottom + 5), "#555"))
        parts.append(_text(axis.x(tick), bottom + 18, _number(tick), 'text-anchor="middle" fill="#555"'))
    if plot.diagonal:
        parts.append(_line((axis.x(0), axis.y(0)), (axis.x(1), axis.y(1)), "#999", ' stroke-dasharray="4 4"'))
    middle = (left + right) / 2
    parts.append(_text(middle, bottom + 38, plot.x, 'text-anchor="middle"'))
    upright = (axis.y(0) + axis.y(1)) / 2
    parts.append(_text(18, upright, plot.y, f'text-anchor="middle" transform="rotate(-90 18 {upright})"'))
    return parts


def _drawn(series: Series, number: int, axis: _Axis) -> list[str]:
    colour = _COLOURS[number % len(_COLOURS)]
    points = sorted(series.points, key=lambda point: point.x)
    parts = []
    if series.joined and len(points) > 1:
        places = " ".join(f"{axis.x(point.x)},{axis.y(point.y)}" for point in points)
        parts.append(f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
    for point in points:
        x, y = axis.x(point.x), axis.y(point.y)
        whiskers = [_line((x, axis.y(point.low)), (x, axis.y(point.high)), colour)]
        if point.left is not None and point.right is not None:
            whiskers.append(_line((axis.x(point.left), y), (axis.x(point.right), y), colour))
        mark = _mark(x, y, number, colour)
        parts.append(f"<g><title>{text(f'{series.name}: {point.label}')}</title>{''.join(whiskers)}{mark}</g>")
    below = _HEIGHT + _LINE * number
    return [*parts, _mark(_LEFT + 6, below, number, colour), _text(_LEFT + 18, below + 4, series.name)]


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= _WHOLE else f"{value:,g}"


def _mark(x: float, y: float, number: int, colour: str) -> str:
    shape = _SHAPES[number % len(_SHAPES)]
    if shape == "circle":
        return f'<circle cx="{x}" cy="{y}" r="4.5" fill="{colour}"/>'
    corners = {
        "square": ((-4, -4), (4, -4), (4, 4), (-4, 4)),
        "diamond": ((0, -5.5), (5.5, 0), (0, 5.5), (-5.5, 0)),
        "triangle": ((0, -5.5), (5, 4), (-5, 4)),
    }[shape]
    places = " ".join(f"{x + dx:g},{y + dy:g}" for dx, dy in corners)
    return f'<polygon points="{places}" fill="{colour}"/>'


def _line(start: Place, end: Place, colour: str, more: str = "") -> str:
    return f'<line x1="{start[0]}" y1="{start[1]}" x2="{end[0]}" y2="{end[1]}" stroke="{colour}"{more}/>'


def _text(x: float, y: float, said: str, more: str = "") -> str:
    return f'<text x="{x}" y="{y}" {more}>{text(said)}</text>'
