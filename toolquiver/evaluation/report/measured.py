"""The journals of a report, put together: shards joined, verdicts with the answers that they are about."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from typing import cast

from toolquiver.errors import InputError
from toolquiver.evaluation.heads import head_digest
from toolquiver.evaluation.journal import read_journal
from toolquiver.evaluation.judging import is_about
from toolquiver.evaluation.lines import Head, Line, Ruled
from toolquiver.evaluation.metrics import Price, cost, figures, load_prices
from toolquiver.evaluation.records import Metric
from toolquiver.models import Usage, add_usage

_PARTS = {"shard", "conditions", "texts"}
_TELLING = ("settings", "seed", "timeout", "code", "versions")
"""What tells two runs of one system and model apart, the likeliest first."""
_SHORT = 8  # characters of a digest in a title


@dataclass(frozen=True, kw_only=True)
class Verdicts:
    """What one model ruled about the answers of a system; `path` is the journal, of several the last.

    `spent` is what all rulings have cost, those about answers that have changed since too.
    """

    head: Head
    ruled: tuple[Ruled, ...]
    path: Path = Path()
    spent: Usage = field(default_factory=dict)

    @property
    def judge(self) -> str:
        """The model that judged, and those of further voters."""
        return ", ".join(dict.fromkeys([self.head.model, *role_models(self.head).values()]))

    @property
    def asked(self) -> str:
        """Which question it was asked."""
        return str(self.head.settings["asked"])


@dataclass(frozen=True, kw_only=True)
class Measured:
    """A system on a data set: its lines in the order of the journals, and the verdicts about them.

    `shards` says of each question of which shard it is. `prices` are what models cost, by name.
    """

    name: str
    head: Head
    lines: tuple[Line, ...]
    verdicts: tuple[Verdicts, ...] = ()
    shards: Mapping[str, str] = field(default_factory=dict)
    prices: Mapping[str, Price] = field(default_factory=load_prices)

    def scored(self, metric: str) -> dict[str, float]:
        """The values of a metric by question, without those questions that it says nothing about."""
        found = {line.key: line.scores.get(metric) for line in self.lines}
        return {key: value for key, value in found.items() if value is not None}

    def spent(self) -> Mapping[str, Metric]:
        """What each question cost, as figures by name."""
        return {line.key: figures(line.result) if line.figures is None else line.figures for line in self.lines}

    def dollars(self) -> list[float] | None:
        """What each question whose usage is known has cost; None where a model has no price, or no usage is known."""
        spent = self.spent()
        told = [line.result.usage for line in self.lines if spent[line.key]["tokens"] is not None]
        found = [cost(usage, self.head.model, role_models=role_models(self.head), prices=self.prices) for usage in told]
        known = [dollars for dollars in found if dollars is not None]
        return known if known and len(known) == len(told) else None

    @property
    def simulated(self) -> Usage:
        """What it cost to make up what calls returned, for all questions."""
        return reduce(add_usage, (line.result.simulated for line in self.lines), {})

    @property
    def estimates(self) -> bool:
        """Whether tokens of it were counted here, because the provider gave no figures."""
        return any(spent["estimated"] for line in self.lines for spent in line.result.usage.values())

    @property
    def metrics(self) -> list[str]:
        """The names of the metrics, in the order of the data set: the first is the one that counts."""
        return list(dict.fromkeys(name for line in self.lines for name in line.scores))


def gathered(paths: Sequence[str | Path], prices: Path | None = None) -> list[Measured]:
    """What the journals hold, a `Measured` for each system, model and settings on a data set.

    `prices` is a file of prices that go before those that come along.

    A journal that is given twice, in a copy too, counts once.

    Raises:
        InputError: a journal cannot be read, two have the same question, or verdicts are about answers not given here.
    """
    read = _read_once(paths)
    known = load_prices() if prices is None else {**load_prices(), **load_prices(prices)}
    runs: dict[str, list[tuple[Path, Head, list[Line]]]] = {}
    for path, head, lines in read:
        if head.kind == "results":
            runs.setdefault(_identity(head), []).append((path, head, cast("list[Line]", lines)))
    if not runs:
        raise InputError("There is no journal of results among these. Give one that `toolquiver eval run` has written.")
    names = _names([parts[0][1] for parts in runs.values()])
    by_journal: dict[str, list[Verdicts]] = {}
    for path, head, lines in read:
        if head.kind == "verdicts":
            by_journal.setdefault(head.judged, []).append(_verdicts(path, head, cast("list[Ruled]", lines)))
    _refuse_strangers(read, by_journal)
    return [
        _joined(name, parts, known, [ruled for _, head, _ in parts for ruled in by_journal.get(head_digest(head), ())])
        for name, parts in zip(names, runs.values(), strict=True)
    ]


def role_models(head: Head) -> dict[str, str]:
    """The models of single roles, by role."""
    roles = head.settings.get("role_models")
    return {str(role): str(name) for role, name in roles.items()} if isinstance(roles, Mapping) else {}


def _read_once(paths: Sequence[str | Path]) -> list[tuple[Path, Head, list[Line] | list[Ruled]]]:
    found: list[tuple[Path, Head, list[Line] | list[Ruled]]] = []
    for path in paths:
        head, lines = read_journal(path, every=True)
        if not any((head, lines) == (other, theirs) for _, other, theirs in found):
            found.append((Path(path), head, lines))
    return found


def _refuse_strangers(read: Sequence[tuple[Path, Head, object]], by_journal: Mapping[str, object]) -> None:
    given = {head_digest(head) for _, head, _ in read if head.kind == "results"}
    for path, head, _ in read:
        if head.judged in by_journal.keys() - given:
            raise InputError(
                f"{str(path)!r} judges answers of {head.system} that are not here. Give their journal too."
            )


def _joined(
    name: str,
    parts: Sequence[tuple[Path, Head, list[Line]]],
    prices: Mapping[str, Price],
    verdicts: Sequence[Verdicts],
) -> Measured:
    _refuse_twice((path, line.key) for path, _, lines in parts for line in lines)
    head = parts[0][1]
    every = tuple(line for _, _, part in parts for line in part)
    by_key = {line.key: line for line in every}
    together: dict[str, Verdicts] = {}
    for one in verdicts:
        same = together.get(key := f"{one.head.model} {json.dumps(dict(one.head.settings), sort_keys=True)}")
        fresh = tuple(ruled for ruled in one.ruled if ruled.key in by_key and is_about(ruled, by_key[ruled.key]))
        if same:
            _refuse_twice([(same.path, ruled.key) for ruled in same.ruled] + [(one.path, ruled.key) for ruled in fresh])
        ruled, spent = (same.ruled, same.spent) if same else ((), {})
        together[key] = replace(one, ruled=ruled + fresh, spent=add_usage(spent, one.spent))
    shards = {line.key: head.shard for _, head, part in parts for line in part}
    return Measured(name=name, head=head, lines=every, verdicts=tuple(together.values()), shards=shards, prices=prices)


def _verdicts(path: Path, head: Head, rulings: Sequence[Ruled]) -> Verdicts:
    """What a journal rules: of each question the last, at the cost of all."""
    last = {one.key: one for one in rulings}
    spent: Usage = reduce(add_usage, (cast("Usage", one.usage) for one in rulings), {})
    return Verdicts(head=head, ruled=tuple(last.values()), path=path, spent=spent)


def _refuse_twice(found: Iterable[tuple[Path, str]]) -> None:
    """Refuse a question that is there twice; a journal has each but once."""
    seen: dict[str, Path] = {}
    for path, key in found:
        if key in seen:
            raise InputError(f"The question {key!r} is in {str(seen[key])!r} and {str(path)!r}. Give one of the two.")
        seen[key] = path


def _identity(head: Head) -> str:
    return head.model_dump_json(exclude=_PARTS)


def _names(heads: Sequence[Head]) -> list[str]:
    """A name for each: system and model where that differs, and what else tells it from another of that name."""
    models = {head.model for head in heads}
    names = [head.system if len(models) == 1 else f"{head.system}, {head.model}" for head in heads]
    for part in _TELLING:
        values = [_short(head.model_dump(mode="json")[part]) for head in heads]
        names = [
            f"{name}, {value}" if _ambiguous(place, names, values, heads) else name
            for place, (name, value) in enumerate(zip(names, values, strict=True))
        ]
    return names


def _ambiguous(place: int, names: Sequence[str], values: Sequence[str], heads: Sequence[Head]) -> bool:
    """Whether another on the same data has this name, and this value tells the two apart."""
    return any(
        names[other] == names[place] and values[other] != values[place] and heads[other].data == heads[place].data
        for other in range(len(names))
    )


def _short(value: object) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{key}={part}" for key, part in value.items()) or "default"
    return str(value)


def by_dataset(measured: Iterable[Measured]) -> dict[str, list[Measured]]:
    """The systems by the data set that they were measured on, with what was chosen of it.

    Other questions under the same name are a data set of their own, told apart by their digest. A journal that has none
    belongs to the questions of its name where there are no others.
    """
    named: dict[str, dict[str, list[Measured]]] = {}
    for one in measured:
        chosen = " ".join(f"{name}={value}" for name, value in one.head.options.items())
        by_data = named.setdefault(f"{one.head.dataset} {chosen}".strip(), {})
        by_data.setdefault(one.head.data, []).append(one)
    found: dict[str, list[Measured]] = {}
    for name, by_data in named.items():
        several = len(by_data.keys() - {""}) > 1
        for data, systems in by_data.items():
            title = f"{name}, data {data[:_SHORT] or 'unknown'}" if several else name
            found.setdefault(title, []).extend(systems)
    return found
