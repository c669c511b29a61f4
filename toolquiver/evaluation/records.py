"""What an evaluation is about: questions, the data sets they come from, and what a system made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict, JsonValue

from toolquiver.calling import Caller
from toolquiver.catalog import ApiId, Catalog
from toolquiver.models import Usage

Outcome = Literal["solved", "partial", "failed", "error", "timeout"]
"""How a question ended: a graph's own status, or that the system raised an error or ran out of time."""


ASKS = "It asks the user."
"""The reason of a partial result whose answer is the question that a graph has stopped at."""


class Question(BaseModel):
    """One question and what is known to be right. What a data set does not know is None.

    `candidates` are the only APIs to use, None for the whole catalogue. `gold_apis` are the APIs that an answer needs,
    in any order; `gold_path` are the calls of a right solution in order; `gold_plan` is a nested call as text.
    `labels` hold what belongs to this data set alone, such as whether a question is solvable.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    query: str
    group: str = ""
    candidates: tuple[ApiId, ...] | None = None
    answer: JsonValue = None
    gold_apis: tuple[ApiId, ...] | None = None
    gold_path: tuple[ApiId, ...] | None = None
    gold_plan: str | None = None
    labels: Mapping[str, JsonValue] = {}

    @property
    def steps(self) -> int | None:
        """How many calls a right solution has: those of its path, else the APIs that it needs; None where unknown.

        A data set may say so itself, by the label `steps`.
        """
        if isinstance(said := self.labels.get("steps"), int):
            return said
        gold = self.gold_path if self.gold_path is not None else self.gold_apis
        return len(gold) if gold else None


class Called(BaseModel):
    """A call that a system made or that was refused, as a graph's state has it.

    `text` is what it returned, where the state keeps that with the call.
    """

    model_config = ConfigDict(frozen=True)

    api: str
    arguments: dict[str, Any]
    ok: bool
    failure: str | None = None
    text: str = ""


class Result(BaseModel):
    """What a system made of one question: a line of the journal.

    `usage` is by role; of a question that was asked again it has every attempt, and so has `seconds`, wall time.
    `tells_usage` is False where more may have been spent than the system says. `simulated` is what it cost to make up
    what calls returned, which is not the system's. `plan` is a nested call as text, of systems that plan. `trace` is
    what happened, for reading: a list of (node, update).
    """

    model_config = ConfigDict(frozen=True)

    question: str
    outcome: Outcome
    answer: str = ""
    reason: str = ""
    calls: tuple[Called, ...] = ()
    plan: str | None = None
    candidates: tuple[ApiId, ...] | None = None
    usage: Usage = {}
    tells_usage: bool = True
    simulated: Usage = {}
    seconds: float = 0.0
    trace: tuple[Any, ...] = ()


Metric = Mapping[str, float | None]
"""Values by the metric's name; None where the metric says nothing about this question."""


class DataSet(Protocol):
    """Questions over one catalogue, and how an answer to them is judged by a program."""

    @property
    def name(self) -> str:
        """As it is called on the command line."""

    def questions(self) -> Sequence[Question]:
        """All of them, in the order of the data."""

    def resources(self) -> Resources:
        """What the questions are asked over."""

    def score(self, question: Question, result: Result) -> Metric:
        """What a program can say of this result without a model."""


@dataclass(frozen=True, kw_only=True)
class Resources:
    """The catalogue of a data set, and who makes the calls to its sources.

    `recorded` gives all that the callers answer out of the data, as texts: a journal has a digest of it.
    """

    catalog: Catalog
    callers: Mapping[str, Caller] = field(default_factory=dict)
    recorded: Callable[[], Iterable[str]] = tuple


class System(Protocol):
    """Anything that answers questions: one of our graphs, or a user's own agent."""

    async def __call__(self, question: Question, resources: Resources) -> Result:
        """Answer one question. `seconds` and the outcomes `error` and `timeout` are the runner's to fill."""
