"""Answers with what a program says of them; an answer outlives a data set whose `score` fails."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from toolquiver.evaluation.lines import Line
from toolquiver.evaluation.records import DataSet, Metric, Question, Result


def scored(dataset: DataSet, question: Question, result: Result, **more: Any) -> Line:
    """The line of a finished question; where it cannot be scored, `unscored` says why. `more` are further fields."""
    try:
        return Line(question=question, result=result, scores=_finite(dataset.score(question, result)), **more)
    except Exception as error:  # noqa: BLE001 - a user's own code, whose slip must not cost the answer
        reason = f"{type(error).__name__}: {error}"
        return Line(question=question, result=result, unscored=reason, **more)


def _finite(scores: Metric) -> Metric:
    for name, score in scores.items():
        if score is not None and not math.isfinite(score):
            raise ValueError(f"the score {name!r} is {score}")
    return scores


def scored_again(dataset: DataSet, line: Line) -> Line:
    """The line with its scores, if it had none and the data set can give them now."""
    if not line.unscored:
        return line
    again = scored(dataset, line.question, line.result)
    return line.model_copy(update={"scores": again.scores, "unscored": again.unscored})


def unscored_text(lines: Iterable[Line]) -> str:
    """How many answers have no scores, and why the first has none; empty where there is none."""
    reasons = [line.unscored for line in lines if line.unscored]
    return f"answers without scores: {len(reasons)} ({' '.join(reasons[0].split())})" if reasons else ""
