"""The page of results of `make bench-anytool-local`: what agents find beside search alone, and the whole loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from toolquiver.evaluation.metrics import Interval, bootstrap, paired

Row = dict[str, Any]

_SIZES = (16, 32, 64)
_HEAD = """# AnyTool with a real model

Written by `make bench-anytool-local`: ToolBench's 16,463 APIs, the model `{model}` at temperature 0, queries of
ToolBench's six groups and AnyToolBench in turn, all of the half that nothing of search was chosen on. Revision
{revisions}. Brackets hold 95% bootstrap intervals over queries. A run that broke has found and solved nothing.
"""
_RETRIEVAL = """
## Recall of the needed APIs in the pool

`search` is the catalogue's search alone, in as many places as the pool of the same query has; `more` is how much more
the agents have, in points, query by query. The pool is in order, so the next columns are what a smaller one would have
had, beside as many places of search. `added` is how many APIs agents put into it.

| system | n | pool | recall | search | more | {sizes} | added |
| --- | --- | --- | --- | --- | --- | {rule} | --- |
"""
_GROUPS = """
| system | queries | n | recall | search |
| --- | --- | --- | --- | --- |
"""
_COST = """
What a query took, means, and in brackets the most; `seconds` are those of runs that were the only one at a time, and
`broken` counts runs that ended with an error.

| system | n | tokens | completion | model calls | agents | seconds | broken |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""
_LOOP = """
## The loop over recorded responses

`by path`: every API that the query needs was called with success. `by judge`: the run's own judge, the same small
model, said solved. Calls that nobody recorded the model made up, outside the budget. Only queries for each of whose
APIs some call is recorded. `recall` is that of the pool. `at its first verdict` is what the whole run had come to by
then; it kept tokens back for another try, which `without reflection`, a run of its own, may spend at once. `whole more`
is how much more the whole has by path, in points, over the queries that both have. `asked` counts model calls;
`seconds` are as above.

| system | n | by path | by judge | whole more | recall | reflections | calls | tokens | asked | seconds | broken |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""


def page(model: str, retrieval: list[Row], loop: list[Row]) -> str:
    """The whole page; what nothing was measured of is left out."""
    rows = retrieval + loop
    revisions = ", ".join(sorted({row["revision"] for row in rows}))
    parts = [_HEAD.format(model=model, revisions=revisions)]
    if retrieval:
        parts += [_found(retrieval), _by_group(retrieval), _costs(retrieval)]
    if loop:
        parts += [_LOOP, *(_looped(name, part, loop) for name, part in _systems(loop))]
    return "".join(parts)


def _systems(rows: Sequence[Row], key: str = "system") -> list[tuple[str, list[Row]]]:
    names = dict.fromkeys(row[key] for row in rows)
    return [(name, [row for row in rows if row[key] == name]) for name in names]


def _found(rows: list[Row]) -> str:
    sizes = " | ".join(f"at {size} | search" for size in _SIZES)
    lines = [_RETRIEVAL.format(sizes=sizes, rule=" | ".join(["---"] * 2 * len(_SIZES)))]
    for name, part in _systems(rows):
        ours = {row["query"]: at(row, "pool") for row in part}
        theirs = {row["query"]: at(row, "search") for row in part}
        more = paired(ours, theirs)
        assert more is not None
        cells = [_mean(part, _figure("pool")), _sure(list(ours.values()))]
        cells += [f"{sum(theirs.values()) / len(part):.3f}", _points(more)]
        for size in _SIZES:
            whole = [row for row in part if row.get("pool", 0) >= size]
            cells += [_share(whole, lambda row, k=size: at(row, "pool", k))]
            cells += [_share(whole, lambda row, k=size: at(row, "search", k))]
        lines.append(f"| {name} | {len(part)} | {' | '.join(cells)} | {_mean(part, _figure('added'))} |\n")
    return "".join(lines)


def at(row: Row, ranking: str, size: int | None = None) -> float:
    """Recall of the pool, or of search in as many places, or of the first `size` of either.

    Where a run broke search has the places that the pool was to have at least.
    """
    places = size or row.get("pool", 0) or row["settings"]["least_pool"]
    return sum(place < places for place in row.get(f"{ranking}_at", ())) / row["needed"]


def _by_group(rows: list[Row]) -> str:
    lines = [_GROUPS]
    for name, part in _systems(rows):
        for group, some in _systems(part, "group"):
            cells = f"{_share(some, lambda row: at(row, 'pool'))} | {_share(some, lambda row: at(row, 'search'))}"
            lines.append(f"| {name} | {group} | {len(some)} | {cells} |\n")
    return "".join(lines)


def _costs(rows: list[Row]) -> str:
    lines = [_COST]
    for name, part in _systems(rows):
        most = max(row.get("tokens", 0) for row in part)
        cells = [f"{_mean(part, _figure('tokens'))} [{most:,}]", _mean(part, _figure("completion"))]
        cells += [_mean(part, _figure("model_calls")), _mean(part, _figure("agents"))]
        cells += [_seconds(part), str(_broken(part))]
        lines.append(f"| {name} | {len(part)} | {' | '.join(cells)} |\n")
    return "".join(lines)


def _looped(name: str, part: list[Row], rows: list[Row]) -> str:
    cells = [_sure(list(_by_path(part).values()))]
    cells += [_sure([float(row.get("status") == "solved") for row in part])]
    whole = {} if name == "whole" else _by_path([row for row in rows if row["system"] == "whole"])
    more = paired(whole, _by_path(part))
    cells += [_points(more) if more else "-"]
    cells += [_share(part, lambda row: at(row, "pool"))]
    cells += [_mean(part, _figure(key)) for key in ("reflections", "calls", "tokens", "model_calls")]
    return f"| {name} | {len(part)} | {' | '.join(cells)} | {_seconds(part)} | {_broken(part)} |\n"


def _by_path(rows: Sequence[Row]) -> dict[str, float]:
    return {row["query"]: float(row.get("by_path", False)) for row in rows}


def _points(gained: Interval) -> str:
    return f"{100 * gained.mean:+.1f} [{100 * gained.low:+.1f}, {100 * gained.high:+.1f}]"


def _sure(values: Sequence[float]) -> str:
    found = bootstrap(values)
    assert isinstance(found, Interval)
    return f"{found.mean:.3f} [{found.low:.3f}, {found.high:.3f}]"


def _share(rows: Sequence[Row], value: Callable[[Row], float]) -> str:
    return f"{sum(map(value, rows)) / len(rows):.3f}" if rows else "-"


def _mean(rows: Sequence[Row], value: Callable[[Row], float]) -> str:
    return f"{sum(map(value, rows)) / len(rows):,.1f}"


def _seconds(rows: Sequence[Row]) -> str:
    """Of the runs beside which no other one waited for the same model."""
    alone = [row for row in rows if row.get("at_once", 1) == 1]
    return _mean(alone, _figure("seconds")) if alone else "-"


def _figure(key: str) -> Callable[[Row], float]:
    return lambda row: float(row.get(key, 0))


def _broken(rows: Sequence[Row]) -> int:
    return sum("error" in row for row in rows)
