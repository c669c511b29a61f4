"""What the lines of a journal hold, and how one is written so that it can be read again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from toolquiver.evaluation.records import Metric, Question, Result
from toolquiver.evaluation.unsecret import without_secrets

_LEFT_OUT = "(Its arguments and its trace cannot be kept: a value is nested too deep, or a number too long.)"


class Head(BaseModel):
    """What a journal is of. A run goes on only in a journal whose head is the same, but for `conditions`.

    `data` and `code` are digests of the questions and of the code that answers; `options` are those of the data set.
    `judged` is the digest of the journal whose answers are judged, of a judge's journal. `texts` says whether lines
    have what was asked and answered, or figures alone. `conditions` say when it began and how many questions at a time.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    kind: Literal["results", "verdicts"]
    dataset: str
    data: str
    options: Mapping[str, JsonValue] = {}
    system: str
    settings: Mapping[str, JsonValue] = {}
    model: str
    seed: int | None = None
    shard: str = "1/1"
    timeout: float
    versions: Mapping[str, str]
    code: str
    judged: str = ""
    texts: bool = True
    conditions: Mapping[str, JsonValue] = {}


class Line(BaseModel):
    """A finished question: what was asked, what came of it, and what a program says of that.

    `unscored` is why the program could say nothing, where the data set failed at it. `attempts` is how often it was
    asked. `figures` are those of the result, of a line that has no texts, which they cannot be told from any more.
    `code` is the digest of the code that answered, where it is another than that of the head.
    """

    model_config = ConfigDict(frozen=True)

    question: Question
    result: Result
    scores: Metric = {}
    unscored: str = ""
    attempts: int = 1
    figures: Metric | None = None
    code: str = ""

    @property
    def key(self) -> str:
        """What the line is about."""
        return self.question.id


class Ruled(BaseModel):
    """A judged question. `answer` and `other` are digests of what was judged: a question may be asked again.

    `against` says by what name the other answer's system goes where two were compared.
    """

    model_config = ConfigDict(frozen=True)

    question: str
    asked: Literal["solved", "solvable", "preference"]
    answer: str = ""
    other: str = ""
    against: str = ""
    verdict: str
    reason: str = ""
    votes: tuple[str, ...] = ()
    usage: Mapping[str, Mapping[str, int]] = {}
    seconds: float = Field(default=0.0, ge=0)

    @property
    def key(self) -> str:
        """What the line is about."""
        return self.question


Row = TypeVar("Row", Line, Ruled)


def as_line(record: BaseModel) -> bytes:
    """The record as a line that can be read again.

    What a model has called with may be nested deeper, or a number longer, than JSON's readers take: then the result is
    kept without its arguments and its trace.
    """
    try:
        return _readable(record)
    except (ValueError, RecursionError):
        if not isinstance(record, Line):
            raise
        calls = tuple(call.model_copy(update={"arguments": {}}) for call in record.result.calls)
        reason = f"{record.result.reason} {_LEFT_OUT}".strip()
        result = record.result.model_copy(update={"calls": calls, "trace": (), "reason": reason})
        return _readable(record.model_copy(update={"result": result}))


def _readable(record: BaseModel) -> bytes:
    """A line, read once more.

    Raises:
        ValueError: it cannot be written, or not be read.
        RecursionError: it is too deep for either.
    """
    data = json.dumps(without_secrets(record), ensure_ascii=False).encode("utf-8", "replace")
    type(record).model_validate_json(data)
    return data + b"\n"
