"""The journals of a report, put together: shards joined, verdicts with the answers that they are about."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from toolquiver.errors import InputError
from toolquiver.evaluation.heads import head_digest
from toolquiver.evaluation.journal import Head, Line, Ruled, read_journal
from toolquiver.evaluation.judging import is_about
from toolquiver.evaluation.metrics import figures
from toolquiver.evaluation.records import Metric

_PARTS = {"shard", "conditions"}
_TELLING = ("settings", "seed", "timeout", "code", "versions")
"""What tells two runs of one system and model apart, the likeliest first."""


@dataclass(frozen=True, kw_only=True)
class Verdicts:
    """What one model ruled about the answers of a system."""

    head: Head
    ruled: tuple[Ruled, ...]

    @property
    def judge(self) -> str:
        """The model that judged, and those of further voters."""
        roles = self.head.settings.get("role_models")
        others = [str(model) for model in roles.values()] if isinstance(roles, Mapping) else []
        return ", ".join(dict.fromkeys([self.head.model, *others]))

    @property
    def asked(self) -> str:
        """Which question it was asked."""
        return str(self.head.settings["asked"])


@dataclass(frozen=True, kw_only=True)
class Measured:
    """A system on a data set: its lines in the order of the journals, and the verdicts about them.

    `shards` says of each question of which shard it is.
    """

    name: str
    head: Head
    lines: tuple[Line, ...]
    verdicts: tuple[Verdicts, ...] = ()
    shards: Mapping[str, str] = field(default_factory=dict)

    def scored(self, metric: str) -> dict[str, float]:
        """The values of a metric by question, without those questions that it says nothing about."""
        found = {line.key: line.scores.get(metric) for line in self.lines}
        return {key: value for key, value in found.items() if value is not None}

    def spent(self) -> Mapping[str, Metric]:
        """What each question cost, as figures by name."""
        return {line.key: figures(line.result) for line in self.lines}

    @property
    def metrics(self) -> list[str]:
        """The names of the metrics, in the order of the data set: the first is the one that counts."""
        return list(dict.fromkeys(name for line in self.lines for name in line.scores))


def gathered(paths: Sequence[str | Path]) -> list[Measured]:
    """What the journals hold, a `Measured` for each system, model and settings on a data set.

    Raises:
        InputError: a journal cannot be read, two have the same question, or verdicts are about answers not given here.
    """
    read = [(Path(path), *read_journal(path)) for path in paths]
    runs: dict[str, list[tuple[Path, Head, list[Line]]]] = {}
    for path, head, lines in read:
        if head.kind == "results":
            runs.setdefault(_identity(head), []).append((path, head, cast("list[Line]", lines)))
    if not runs:
        raise InputError("There is no journal of results among these. Give one that `toolquiver eval run` has written.")
    names = _names([parts[0][1] for parts in runs.values()])
    by_journal: dict[str, list[Verdicts]] = {}
    for _, head, lines in read:
        if head.kind == "verdicts":
            found = Verdicts(head=head, ruled=tuple(cast("list[Ruled]", lines)))
            by_journal.setdefault(head.judged, []).append(found)
    _refuse_strangers(read, by_journal)
    return [
        _joined(name, parts, [ruled for _, head, _ in parts for ruled in by_journal.get(head_digest(head), ())])
        for name, parts in zip(names, runs.values(), strict=True)
    ]


def _refuse_strangers(read: Sequence[tuple[Path, Head, object]], by_journal: Mapping[str, object]) -> None:
    given = {head_digest(head) for _, head, _ in read if head.kind == "results"}
    for path, head, _ in read:
        if head.judged in by_journal.keys() - given:
            raise InputError(
                f"{str(path)!r} judges answers of {head.system} that are not here. Give their journal too."
            )


def _joined(name: str, parts: Sequence[tuple[Path, Head, list[Line]]], verdicts: Sequence[Verdicts]) -> Measured:
    seen: dict[str, Path] = {}
    for path, _, lines in parts:
        for line in lines:
            if seen.setdefault(line.key, path) != path:
                both = f"{str(seen[line.key])!r} and {str(path)!r}"
                raise InputError(f"The question {line.key!r} is in {both}. Give one of the two.")
    head = parts[0][1]
    every = tuple(line for _, _, part in parts for line in part)
    by_key = {line.key: line for line in every}
    together: dict[str, Verdicts] = {}
    for one in verdicts:
        same = together.get(key := f"{one.head.model} {json.dumps(dict(one.head.settings), sort_keys=True)}")
        fresh = tuple(ruled for ruled in one.ruled if ruled.key in by_key and is_about(ruled, by_key[ruled.key]))
        together[key] = Verdicts(head=one.head, ruled=(same.ruled if same else ()) + fresh)
    shards = {line.key: head.shard for _, head, part in parts for line in part}
    return Measured(name=name, head=head, lines=every, verdicts=tuple(together.values()), shards=shards)


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
    """The systems by the data set that they were measured on, with what was chosen of it."""
    found: dict[str, list[Measured]] = {}
    for one in measured:
        chosen = " ".join(f"{name}={value}" for name, value in one.head.options.items())
        found.setdefault(f"{one.head.dataset} {chosen}".strip(), []).append(one)
    return found
