"""A data set that was read, and what may be chosen when reading one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from toolquiver.calling.replay import Replay, Simulator
from toolquiver.evaluation.records import Metric, Question, Resources, Result

Subset = Literal["all", "anytool-filtered", "stable-solvable", "recorded"]
Pool = Literal["given", "catalogue"]


@dataclass(frozen=True, kw_only=True)
class Options:
    """What may be chosen when a data set is read; each means something for some of the sets.

    `folder` holds the data. `catalog` is a catalogue's name or file, in place of one made of the data (ToolBench), or
    because the data have none (a user's own set). `corrected` takes the corrected gold where the data's is wrong
    (FuncQA). `subset` keeps a part of ToolBench's questions; "recorded" those each of whose gold APIs has a recorded
    answer. `replay` says what a call gives that is not recorded (see `ReplayCaller`). `pool` says whether the
    candidates are given (ToolBench's data give some to each question, in the other sets they are all APIs) or are the
    system's to find in the catalogue; without it they are given in ToolBench, FuncQA and HotpotQA. `simulator` makes up
    what calls return that nobody has recorded.
    """

    folder: Path | None = None
    catalog: str | None = None
    corrected: bool = False
    subset: Subset = "all"
    pool: Pool | None = None
    replay: Replay = "exact"
    simulator: Simulator | None = None


class Loaded:
    """A `DataSet` of questions that were read, with resources that are made when they are first asked for."""

    def __init__(
        self,
        name: str,
        questions: Sequence[Question],
        make: Callable[[], Resources],
        score: Callable[[Question, Result], Metric],
    ) -> None:
        self._name = name
        self._questions = tuple(questions)
        self._make = make
        self._score = score
        self._made: Resources | None = None
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """As it is called on the command line."""
        return self._name

    def questions(self) -> Sequence[Question]:
        """All of them, in the order of the data."""
        return self._questions

    def resources(self) -> Resources:
        """The catalogue and its callers, made once."""
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made

    def score(self, question: Question, result: Result) -> Metric:
        """What a program can say of this result without a model."""
        return self._score(question, result)
