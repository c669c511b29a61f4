"""Which plots a report has: accuracy by steps, tokens against accuracy, registration, the calibration of a judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from toolquiver.curves import mean_shares, shares
from toolquiver.evaluation.metrics import Interval, bootstrap
from toolquiver.evaluation.records import Question
from toolquiver.evaluation.report.labels import Label, by_people, by_program
from toolquiver.evaluation.report.measured import Measured, Verdicts
from toolquiver.evaluation.report.plots import Plot, Point, Series
from toolquiver.evaluation.report.tables import all_steps, first_metric, interval_text, values_where

_ASIDE = 0.06  # of a step, between the points of two systems, so that none hides another


def plots_of(systems: Sequence[Measured], labels: Sequence[Label] = ()) -> list[Plot]:
    """The plots of one data set; those that would be empty are left out."""
    metric = first_metric(systems)
    share = metric and all(0 <= value <= 1 for one in systems for value in one.scored(metric).values())
    found = [by_steps(systems, metric), by_tokens(systems, metric)] if metric and share else []
    return [
        plot
        for plot in [*found, registration(systems), calibration(systems, labels)]
        if any(one.points for one in plot.series)
    ]


def by_steps(systems: Sequence[Measured], metric: str) -> Plot:
    """The metric against the number of calls that a right solution has."""
    steps = all_steps(systems)
    series = []
    for number, one in enumerate(systems):
        aside = (number - (len(systems) - 1) / 2) * _ASIDE
        values = {n: values_where(one, metric, partial(_takes, n)) for n in steps}
        means = [(n, bootstrap(found)) for n, found in values.items()]
        points = [_point(n + aside, mean, f"{n} steps") for n, mean in means if mean is not None]
        series.append(Series(one.name, points, joined=True))
    return Plot(title=f"{metric} by steps", x="calls of a right solution", y=metric, series=series, xs=steps)


def _takes(steps: int, question: Question) -> bool:
    return question.steps == steps


def by_tokens(systems: Sequence[Measured], metric: str) -> Plot:
    """The metric against the tokens that a question takes, a point for each system whose tokens are known."""
    series = []
    for one in systems:
        right = bootstrap(list(one.scored(metric).values()))
        tokens = bootstrap([known for spent in one.spent().values() if (known := spent["tokens"]) is not None])
        if right is None or tokens is None:
            continue
        label = f"{metric} {interval_text(right, -1)}, tokens {interval_text(tokens, -1)}"
        point = Point(
            x=tokens.mean, y=right.mean, low=right.low, high=right.high, left=tokens.low, right=tokens.high, label=label
        )
        series.append(Series(one.name, [point]))
    x = "tokens a question, on a logarithmic axis"
    return Plot(title=f"Tokens against {metric}", x=x, y=metric, series=series, log=True)


def registration(systems: Sequence[Measured]) -> Plot:
    """The share of the APIs that is registered turn by turn, of systems that register on demand (EcoAct, figure 4).

    A question that has ended keeps its last share. Journals of figures alone say nothing about it.
    """
    series = []
    for one in systems:
        runs = [run for line in one.lines if (run := shares(_growth(line.result.trace))) and min(run) < 1]
        points = [
            Point(x=turn, y=share, low=share, high=share, label=f"turn {turn}: {share:.0%} of {len(runs)} questions")
            for turn, share in enumerate(mean_shares(runs), 1)
        ]
        if points:
            series.append(Series(one.name, points, joined=True))
    return Plot(title="Registered APIs by turn", x="turn", y="share of the APIs", series=series)


def _growth(trace: Sequence[Any]) -> list[Mapping[str, Any]]:
    """What the turns of a run say of its registered APIs."""
    return [grown for _, update in trace if isinstance(update, Mapping) for grown in update.get("growth") or ()]


def calibration(systems: Sequence[Measured], labels: Sequence[Label]) -> Plot:
    """How many of the answers are right by their labels, against the share of a judge's votes that call them solved.

    Labels are those of people where there are any of that system's judged answers, else those by program.
    """
    found = [(one, verdicts) for one in systems for verdicts in one.verdicts if verdicts.asked == "solved"]
    series = [
        Series(f"{one.name}, by {verdicts.judge}", _calibrated(verdicts, _known(one, verdicts, labels)), joined=True)
        for one, verdicts in found
    ]
    shares = (0, 0.25, 0.5, 0.75, 1)
    x = "share of votes for solved"
    return Plot(title="Calibration of the judge", x=x, y="right by labels", series=series, xs=shares, diagonal=True)


def _known(one: Measured, verdicts: Verdicts, labels: Sequence[Label]) -> dict[str, bool]:
    people = by_people(labels, one)
    return people if any(ruled.question in people for ruled in verdicts.ruled) else by_program(one)


def _calibrated(verdicts: Verdicts, labels: Mapping[str, bool]) -> list[Point]:
    by_share: dict[float, list[float]] = {}
    for ruled in verdicts.ruled:
        if ruled.question in labels and ruled.votes:
            share = ruled.votes.count("solved") / len(ruled.votes)
            by_share.setdefault(share, []).append(float(labels[ruled.question]))
    means = [(share, bootstrap(found)) for share, found in sorted(by_share.items())]
    return [_point(share, mean, f"{share:.0%} of the votes") for share, mean in means if mean is not None]


def _point(x: float, mean: Interval, about: str) -> Point:
    return Point(x=x, y=mean.mean, low=mean.low, high=mean.high, label=f"{about}: {interval_text(mean, -1)}")
