"""Data sets by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path

from toolquiver.calling.replay import Replay, Simulator
from toolquiver.errors import InputError
from toolquiver.evaluation.datasets.api_bank import api_bank
from toolquiver.evaluation.datasets.bfcl import miss_param
from toolquiver.evaluation.datasets.funcqa import multi_hop, one_hop
from toolquiver.evaluation.datasets.hotpotqa import hotpotqa
from toolquiver.evaluation.datasets.loaded import Loaded, Options, Pool, Subset
from toolquiver.evaluation.datasets.nestful import nestful
from toolquiver.evaluation.datasets.own import own
from toolquiver.evaluation.datasets.restbench import restbench
from toolquiver.evaluation.datasets.seal_tools import seal_tools_nested
from toolquiver.evaluation.datasets.toolbench import GROUPS, anytoolbench, toolbench
from toolquiver.evaluation.records import DataSet


@dataclass(frozen=True)
class _Entry:
    """How a set is read, and the options besides `folder` that mean something for it."""

    read: Callable[[str, Options], Loaded]
    takes: frozenset[str]


def _entry(read: Callable[[str, Options], Loaded], *takes: str) -> _Entry:
    return _Entry(read, frozenset({"folder", *takes}))


_TOOLBENCH = ("catalog", "subset", "pool", "replay", "simulator")
_SETS = {
    "funcqa-one": _entry(one_hop, "corrected", "pool"),
    "funcqa-multi": _entry(multi_hop, "corrected", "pool"),
    "hotpotqa": _entry(hotpotqa, "pool"),
    **{f"restbench-{one}": _entry(partial(restbench, service=one), "simulator", "pool") for one in ("tmdb", "spotify")},
    "toolbench": _entry(toolbench, *_TOOLBENCH),
    **{
        f"toolbench-{group.lower().replace('_', '-')}": _entry(partial(toolbench, groups=[group]), *_TOOLBENCH)
        for group in GROUPS
    },
    "anytoolbench": _entry(anytoolbench, "catalog", "replay", "simulator"),
    **{f"nestful-{one}": _entry(partial(nestful, group=one), "simulator") for one in ("executable", "glaive", "sgd")},
    **{f"api-bank-{level}": _entry(partial(api_bank, level=level), "simulator") for level in (1, 2, 3)},
    "seal-tools-nested": _entry(seal_tools_nested, "simulator"),
    "bfcl-miss-param": _entry(miss_param, "simulator"),
}
_OWN = _Entry(own, frozenset({"catalog"}))
_SUFFIXES = (".jsonl", ".jsonl.gz")

DATA_SETS = tuple(_SETS)
"""The names of the published data sets."""


def needs_catalog(name: str, options: Mapping[str, object]) -> bool:
    """Whether this set has questions but no APIs, so that only an agent with its own tools can be asked."""
    return name.endswith(_SUFFIXES) and not options.get("catalog")


def load_dataset(
    name: str,
    folder: str | Path | None = None,
    *,
    catalog: str | Path | None = None,
    corrected: bool = False,
    subset: Subset = "all",
    pool: Pool | None = None,
    replay: Replay = "exact",
    simulator: Simulator | None = None,
) -> DataSet:
    """The data set of this name (see `DATA_SETS`), or the questions of a file that ends in `.jsonl`.

    The published sets are in `folder`, else in the folder that TOOLQUIVER_DATA names; the other options are those of
    `Options`.

    Raises:
        InputError: there is no such set, the data are not there or broken (the message names file and line), or an
            option means nothing for this set.
        CatalogError: a catalogue cannot be used.
    """
    options = Options(
        folder=None if folder is None else Path(folder),
        catalog=None if catalog is None else str(catalog),
        corrected=corrected,
        subset=subset,
        pool=pool,
        replay=replay,
        simulator=simulator,
    )
    entry = _OWN if name.endswith(_SUFFIXES) else _SETS.get(name)
    if entry is None:
        raise InputError(f"There is no data set {name!r}. Name a file that ends in .jsonl, or: {', '.join(DATA_SETS)}.")
    for option in fields(options):
        if getattr(options, option.name) != option.default and option.name not in entry.takes:
            raise InputError(f"{option.name} means nothing for {name!r}. Leave it out.")
    return entry.read(name, options)
