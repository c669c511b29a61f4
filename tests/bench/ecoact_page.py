"""The page of results of `make bench-ecoact`: costs by size of the list, the paper's ablations, and when tools come."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import NamedTuple

from toolquiver.contexts import ReactContext
from toolquiver.evaluation.metrics.prices import load_prices
from toolquiver.models import RoleUsage

SIZES = ("1 to 10", "11 to 20", "more than 20")
"""The paper's three sizes of a list of candidates."""
_TEN, _TWENTY = 10, 20
_PRICED = "openai:gpt-4o"  # the model of the paper's Tables 2 to 4
_TURNS = 8  # of the table that shows when tools are registered
_HEAD = """# What registration on demand saves

Written by `make bench-ecoact`: the graphs `react` and `dfsdt` on {n} of ToolBench's queries, their candidates from the
data (`given`), or the best of search with the needed ones among them (`search`). **The policy is scripted**: it
registers and calls exactly the APIs that the query is said to need, over recorded responses where there are any. So it
never errs, never goes back, and registers nothing that it does not call; a model's runs are longer. `auto` registers on
demand where the list is long.
Prompt tokens of a query, all turns together, are counted {counted}.

## By the size of the list

`of all` compares with the same solver that has all tools from the start. `same beginning` is the part of the prompt
tokens that stood at the beginning of the turn before already, functions first, which a provider can have cached.
`registered` is the share of the candidates at the end. `cost` is in US cents a query by the prices of
{model}, completion tokens included, in brackets where the same beginnings were cached.

| candidates | n | system | turns | prompt tokens | of all | same beginning | new tokens | cost | registered |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""
_GROUPS = ("G2_instruction", "G3_instruction")
_ABLATIONS = """
## One at a time or several, names or descriptions

The settings of the paper's Tables 3 and 4 in their form: prompt tokens and cost in US cents a query, in brackets the
share of ReAct with all tools. There is no pass rate: the policy passes always.
"""
_ABLATION = """
| {row} | G2-instruction (n = {n[0]}) | cost | G3-instruction (n = {n[1]}) | cost | average | cost |
| --- | --- | --- | --- | --- | --- | --- |
"""
_LENGTHS = (0, 500, 900, 1_200, 1_600, 3_000)
_LENGTH = """
## From which length it saves

Prompt tokens by how many tokens the schemas of all candidates have together: on demand, as a share of the same solver
that has all from the start. `auto` takes the one or the other at {above} tokens; that limit was chosen on these lists.

| tokens of all | n | ReAct, on demand | DFSDT, on demand |
| --- | --- | --- | --- |
"""
_CURVE = """
## When tools are registered

The share of the candidates that is registered at the beginning of a turn, ReAct on demand, one at a time; a query that
has ended keeps its share.

| candidates | n | {turns} |
| --- | --- | {rule} |
"""
_METHODS = {
    "ReAct, all": "ReAct",
    "ReAct, on demand": "one at a time, names (EcoAct)",
    "ReAct, on demand, several at once": "several at once, names",
    "ReAct, on demand, descriptions listed": "one at a time, names and descriptions",
}


class Cost(NamedTuple):
    """What one query took: turns, tokens, and the share of the candidates registered at the beginning of each turn."""

    turns: int
    prompt: int
    same: int
    completion: int
    registered: list[float]


class Measured(NamedTuple):
    """One query of a group, with a list of so many candidates, of so many tokens in full, run by one system."""

    group: str
    kind: str
    candidates: int
    length: int
    system: str
    cost: Cost

    @property
    def size(self) -> str:
        """Which of the three sizes its list has."""
        return SIZES[0] if self.candidates <= _TEN else SIZES[1] if self.candidates <= _TWENTY else SIZES[2]

    @property
    def row(self) -> str:
        """Which lists it is put together with."""
        return f"{self.kind}, {self.size}"


def page(measured: Sequence[Measured], *, counted_exactly: bool) -> str:
    """The results in three tables, as Markdown."""
    counted = "with tiktoken's table o200k" if counted_exactly else "by an estimate, for tiktoken's table is not here"
    queries = sum(one.kind == "given" and one.system == "ReAct, all" for one in measured)
    return (
        _HEAD.format(n=queries, counted=counted, model=_PRICED)
        + _by_size(measured)
        + _by_length(measured)
        + _ablations(measured)
        + _curve(measured)
    )


def _rows(measured: Sequence[Measured]) -> list[str]:
    """The kinds and sizes of lists that there are, smallest first."""
    names = {one.row: (one.kind, SIZES.index(one.size)) for one in measured}
    return sorted(names, key=lambda name: names[name])


def _by_size(measured: Sequence[Measured]) -> str:
    lines = []
    for row in _rows(measured):
        here = [one for one in measured if one.row == row]
        for system in dict.fromkeys(one.system for one in here):
            costs = _costs(here, system)
            whole = _mean(_costs(here, f"{system.split(',')[0]}, all"), _prompt)
            prompt, same = _mean(costs, _prompt), _mean(costs, lambda cost: cost.same)
            turns, share = _mean(costs, lambda cost: cost.turns), _mean(costs, lambda cost: cost.registered[-1])
            tokens = (f"{prompt:,.0f}", f"{prompt / whole:.0%}", f"{same:,.0f}", f"{prompt - same:,.0f}")
            cells = (*tokens, f"{_mean(costs, _cents):.2f} ({_mean(costs, _cents_cached):.2f})", f"{share:.0%}")
            lines.append(f"| {row} | {len(costs)} | {system} | {turns:.1f} | {' | '.join(cells)} |\n")
    return "".join(lines)


def _by_length(measured: Sequence[Measured]) -> str:
    lines = [_LENGTH.format(above=f"{ReactContext().register_above:,}")]
    for least, most in itertools.pairwise((*_LENGTHS, None)):
        here = [one for one in measured if least <= one.length and (most is None or one.length < most)]
        if not here:
            continue
        shares = [
            _mean(_costs(here, f"{solver}, on demand"), _prompt) / _mean(_costs(here, f"{solver}, all"), _prompt)
            for solver in ("ReAct", "DFSDT")
        ]
        place = f"{least:,} and more" if most is None else f"{least:,} to {most - 1:,}"
        lines.append(f"| {place} | {len(_costs(here, 'ReAct, all'))} | {shares[0]:.0%} | {shares[1]:.0%} |\n")
    return "".join(lines)


def _ablations(measured: Sequence[Measured]) -> str:
    lines = [_ABLATIONS]
    for row in _rows([one for one in measured if one.size != SIZES[1]]):
        parts = [[one for one in measured if (one.group, one.row) == (group, row)] for group in _GROUPS]
        if not all(parts):
            continue
        lines.append(_ABLATION.format(row=row, n=[len(_costs(part, "ReAct, all")) for part in parts]))
        whole = _both_groups(parts, "ReAct, all")
        for system, method in _METHODS.items():
            pairs = zip(_both_groups(parts, system), whole, strict=True)
            cells = (
                f"{tokens:,.0f} ({tokens / all_tokens:.0%}) | {cents:.2f} ({cents / all_cents:.0%})"
                for (tokens, cents), (all_tokens, all_cents) in pairs
            )
            lines.append(f"| {method} | {' | '.join(cells)} |\n")
    return "".join(lines)


def _both_groups(parts: Sequence[Sequence[Measured]], system: str) -> list[tuple[float, float]]:
    """Prompt tokens and cents a query in each group, and the average of the groups."""
    found = [(_mean(costs, _prompt), _mean(costs, _cents)) for part in parts if (costs := _costs(part, system))]
    tokens, cents = zip(*found, strict=True)
    return [*found, (sum(tokens) / len(tokens), sum(cents) / len(cents))]


def _curve(measured: Sequence[Measured]) -> str:
    turns = range(1, _TURNS + 1)
    lines = [_CURVE.format(turns=" | ".join(f"turn {turn}" for turn in turns), rule=" | ".join("---" for _ in turns))]
    for row in _rows(measured):
        shares = [cost.registered for cost in _costs([one for one in measured if one.row == row], "ReAct, on demand")]
        means = [sum(share[min(turn, len(share)) - 1] for share in shares) / len(shares) for turn in turns]
        lines.append(f"| {row} | {len(shares)} | {' | '.join(f'{mean:.0%}' for mean in means)} |\n")
    return "".join(lines)


def _costs(measured: Sequence[Measured], system: str) -> list[Cost]:
    return [one.cost for one in measured if one.system == system]


def _prompt(cost: Cost) -> float:
    return cost.prompt


def _cents(cost: Cost, cached: int = 0) -> float:
    spent = RoleUsage(calls=cost.turns, prompt=cost.prompt, completion=cost.completion, cached=cached, estimated=0)
    return 100 * load_prices()[_PRICED].of(spent)


def _cents_cached(cost: Cost) -> float:
    return _cents(cost, cost.same)


def _mean(costs: Sequence[Cost], value: Callable[[Cost], float]) -> float:
    return sum(map(value, costs)) / len(costs)
