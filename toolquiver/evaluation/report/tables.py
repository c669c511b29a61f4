"""What a program says of the results, in tables: how they ended, what is right, what it cost, who is better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, product
from typing import get_args

from toolquiver.evaluation.metrics import (
    Difference,
    Interval,
    bootstrap,
    cost,
    error_rates,
    has_tool_error,
    paired,
)
from toolquiver.evaluation.opened import SIMULATE
from toolquiver.evaluation.records import Outcome, Question
from toolquiver.evaluation.report.measured import Measured
from toolquiver.evaluation.scored import unscored_text

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
_WHOLE = 100  # figures from here on are shown without decimals
_NOTHING = "-"
_GLANCED = ("tokens", "model_calls", "calls", "seconds")
GLANCE = "At a glance"
"""The title of the table that comes first."""


@dataclass(frozen=True)
class Table:
    """Columns and rows of text; the first column says what a row is about. `note` says how it is to be read."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


def objective_tables(systems: Sequence[Measured], against: str = "") -> list[Table]:
    """The tables of one data set that no model has a say in; pairs only `against` one system, where it is named."""
    groups = sorted({line.question.group for one in systems for line in one.lines})
    tables = [glance(systems), _endings(systems), _metrics(systems)]
    if len(groups) > 1:
        tables.append(_split("group", groups, systems, lambda _, question: question.group))
    if steps := all_steps(systems):
        tables.append(_split("steps", [str(n) for n in steps], systems, lambda _, question: str(question.steps)))
    if len(shards := _shards(systems)) > 1:
        tables.append(_split("shard", shards, systems, lambda one, question: one.shards[question.id]))
    if len(systems) > 1:
        tables.append(_comparisons(systems, against))
    return [*tables, _errors(systems), _costs(systems)]


def _shards(systems: Sequence[Measured]) -> list[str]:
    """The names of the shards; none where systems were not given the same ones, so that a name says which questions."""
    found = {(shard, one.head.seed) for one in systems for shard in one.shards.values()}
    divisions = {(shard.partition("/")[2], seed) for shard, seed in found}
    return sorted(shard for shard, _ in found) if len(divisions) == 1 else []


def first_metric(systems: Sequence[Measured]) -> str | None:
    """The metric that counts: the first that the data set gives."""
    return next((name for one in systems for name in one.metrics), None)


def all_steps(systems: Sequence[Measured]) -> list[int]:
    """The numbers of steps that there are, in order."""
    return sorted({steps for one in systems for line in one.lines if (steps := line.question.steps) is not None})


def values_where(one: Measured, metric: str, holds: Callable[[Question], bool]) -> list[float]:
    """The values of a metric for the questions of which something holds."""
    found = (line.scores.get(metric) for line in one.lines if holds(line.question))
    return [value for value in found if value is not None]


def number(value: float) -> str:
    """A figure as it reads best."""
    decimals = 0 if abs(value) >= _WHOLE else 1 if abs(value) >= _WHOLE / 10 else 2
    return f"{value:,.{decimals}f}"


def interval_text(found: Interval | None, of: int, shown: Callable[[float], str] = number) -> str:
    """A mean with its interval, and with its number of questions where that is not the whole."""
    if found is None:
        return _NOTHING
    return f"{shown(found.mean)} [{shown(found.low)}, {shown(found.high)}]{_part(found.n, of)}"


def _part(n: int, of: int) -> str:
    return "" if n == of else f" (n = {n})"


def glance(systems: Sequence[Measured]) -> Table:
    """What counts, in a line a system."""
    metric = first_metric(systems)
    rows = []
    for one in systems:
        spent = list(one.spent().values())
        right = bootstrap(list(one.scored(metric).values())) if metric else None
        means = [bootstrap([value for figures in spent if (value := figures[name]) is not None]) for name in _GLANCED]
        shown = [_NOTHING if mean is None else number(mean.mean) for mean in means]
        shown[0] = _about(one, shown[0])
        rows.append([one.name, str(len(one.lines)), interval_text(right, len(one.lines)), *shown, _dollars(one)])
    columns = ["system", "n", metric or "metric", "tokens", "model calls", "tool calls", "seconds", "US dollars"]
    note = (
        "Means a question; of the metric with its 95% bootstrap interval. The dollars are for all questions together."
    ) + _about_note(systems)
    return Table(GLANCE, columns, rows, note)


def _endings(systems: Sequence[Measured]) -> Table:
    rows = []
    for one in systems:
        counted = Counter(line.result.outcome for line in one.lines)
        rows.append([one.name, one.head.model, str(len(one.lines)), *(str(counted[end]) for end in OUTCOMES)])
    note = "As the systems themselves say; an error and the end of the time are results too."
    return Table("How questions ended", ["system", "model", "n", *OUTCOMES], rows, note)


def _metrics(systems: Sequence[Measured]) -> Table:
    names = list(dict.fromkeys(name for one in systems for name in one.metrics))
    rows = [
        [name, *(interval_text(bootstrap(list(one.scored(name).values())), len(one.lines)) for one in systems)]
        for name in names
    ]
    note = "Means over questions, by program, with 95% bootstrap intervals. n stands where a metric leaves some out."
    note += "".join(f" {one.name}: {lost}." for one in systems if (lost := unscored_text(one.lines)))
    return Table("What is right", ["metric", *_headed(systems)], rows, note)


def _split(
    kind: str, parts: Sequence[str], systems: Sequence[Measured], part_of: Callable[[Measured, Question], str]
) -> Table:
    metric = first_metric(systems) or ""
    rows = [
        [part or _NOTHING]
        + [interval_text(bootstrap(values_where(one, metric, partial(_is, part_of, part, one))), -1) for one in systems]
        for part in parts
    ]
    return Table(f"{metric} by {kind}", [kind, *_headed(systems)], rows, "Means with 95% bootstrap intervals.")


def _is(part_of: Callable[[Measured, Question], str], part: str, one: Measured, question: Question) -> bool:
    return part_of(one, question) == part


def _comparisons(systems: Sequence[Measured], against: str) -> Table:
    metric = first_metric(systems) or ""
    rows = []
    for first, second in _pairs(systems, against):
        tokens = [{key: spent["tokens"] for key, spent in one.spent().items()} for one in (first, second)]
        for name, found in (
            (metric, paired(first.scored(metric), second.scored(metric))),
            ("tokens", paired(tokens[0], tokens[1])),
        ):
            rows.append([f"{first.name} - {second.name}", name, *_difference(found)])
    columns = ["systems", "figure", "difference", "n", "more", "less", "equal", "p"]
    note = "On the questions that both answered: the mean difference with its 95% bootstrap interval, and a sign test."
    return Table("Who is better", columns, rows, note)


def _pairs(systems: Sequence[Measured], against: str) -> Iterable[tuple[Measured, Measured]]:
    """All pairs; only those of one system with each other one, where it is named and there."""
    chosen = [one for one in systems if one.name == against]
    return product(chosen, [one for one in systems if one.name != against]) if chosen else combinations(systems, 2)


def _difference(found: Difference | None) -> list[str]:
    if found is None:
        return [_NOTHING] * 6
    counts = (str(found.better), str(found.worse), str(found.equal))
    mean = f"{number(found.mean)} [{number(found.low)}, {number(found.high)}]"
    return [mean, str(found.n), *counts, _p(found.p)]


def _p(value: float) -> str:
    return f"{value:.3f}" if value >= 0.001 else "< 0.001"  # noqa: PLR2004 - what three decimals can show


def _errors(systems: Sequence[Measured]) -> Table:
    rows = []
    for one in systems:
        rates = error_rates(line.result for line in one.lines)
        erring = bootstrap([float(has_tool_error(line.result)) for line in one.lines])
        shares = (rates.name, rates.parameter, rates.failed, erring)
        rows.append([one.name, str(rates.calls), *(interval_text(share, len(one.lines), _rare) for share in shares)])
    columns = ["system", "calls", "name errors", "parameter errors", "failed", "questions with a failed call"]
    note = (
        "Shares of all calls, the refused ones among them; the last is a share of the questions. "
        "95% bootstrap intervals, for which questions are drawn: the calls of one are not independent."
    )
    return Table("Errors in calls", columns, rows, note)


def _rare(share: float) -> str:
    return f"{share:.3f}"


def _costs(systems: Sequence[Measured]) -> Table:
    spent = [list(one.spent().values()) for one in systems]
    names = list(dict.fromkeys(name for figures in spent for one in figures for name in one))
    rows = []
    for name in names:
        values = [[value for one in figures if (value := one[name]) is not None] for figures in spent]
        if any(any(found) for found in values):
            sizes = [len(one.lines) for one in systems]
            told = [interval_text(bootstrap(part), n) for part, n in zip(values, sizes, strict=True)]
            guessed = "tokens" in name and not name.startswith("simulated")
            rows.append([name, *map(_about, systems, told)] if guessed else [name, *told])
    rows.append(["US dollars, all together", *(_dollars(one) for one in systems)])
    if any(one.simulated for one in systems):
        rows.append(["US dollars of the simulator", *(_simulated_dollars(one) for one in systems)])
    note = (
        "Means a question with 95% bootstrap intervals. What a cache answered counts as if it was asked. "
        "A system of one's own that does not tell its usage has no figure for it."
    ) + _about_note(systems)
    return Table("What it cost", ["figure", *_headed(systems)], rows, note)


def _dollars(one: Measured) -> str:
    """What all questions with known usage cost by the table of prices; nothing where a model has no price."""
    found = one.dollars()
    return _NOTHING if found is None else _about(one, f"{sum(found):.4f}{_part(len(found), len(one.lines))}")


def _simulated_dollars(one: Measured) -> str:
    found = cost(one.simulated, str(one.head.options.get(SIMULATE, "")), prices=one.prices)
    return _NOTHING if found is None else f"{found:.4f}"


def _about(one: Measured, text: str) -> str:
    """A figure of tokens, marked where some of them are estimated."""
    return f"~{text}" if one.estimates and text != _NOTHING else text


def _about_note(systems: Sequence[Measured]) -> str:
    guessed = any(one.estimates for one in systems)
    return " ~ marks figures with tokens that were estimated, because the provider told none." if guessed else ""


def _headed(systems: Sequence[Measured]) -> list[str]:
    return [f"{one.name} (n = {len(one.lines)})" for one in systems]
