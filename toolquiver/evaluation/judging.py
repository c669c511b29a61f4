"""A judge over the answers of a journal, and how far it agrees with labels."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast

from langchain_core.language_models import BaseChatModel
from pydantic import BaseModel, ConfigDict

from toolquiver.calling import FailureKind
from toolquiver.catalog import ApiId, Catalog
from toolquiver.contexts import JudgeContext
from toolquiver.errors import InputError
from toolquiver.evaluation.heads import digest
from toolquiver.evaluation.lines import Line, Ruled
from toolquiver.evaluation.records import Called
from toolquiver.evaluation.runner import NO_MODEL
from toolquiver.graphs import judge as judging
from toolquiver.nodes.judge.case import Case
from toolquiver.nodes.judge.verdict import JudgedCall

Asked = Literal["solved", "solvable", "preference"]
ERROR = "error"
"""Stands for a verdict where there is none. Such a line is judged anew, and in no rate."""


@dataclass(frozen=True, kw_only=True)
class Judge:
    """A model as a judge of one kind of question.

    `catalog` has the candidates whose sufficiency is judged. `others` are the answers to compare with, by question, and
    `against` is the name of the system they are of. One ruling takes at most `patience` seconds.
    """

    asked: Asked
    model: BaseChatModel
    context: JudgeContext
    catalog: Catalog
    others: Mapping[str, str] = field(default_factory=dict)
    against: str = ""
    patience: float = 600.0

    async def __call__(self, line: Line) -> Ruled:
        """What is ruled of one line; `ERROR` where the model fails at this one or takes too long, which is no verdict.

        Raises:
            ModelError: the model cannot be reached or used at all.
        """
        began = time.perf_counter()
        graph = judging.build(model=self.model, catalog=self.catalog, context=self.context)
        try:
            async with asyncio.timeout(self.patience):
                ruling = await graph.ainvoke(self._case(line))
        except NO_MODEL:
            raise
        except Exception as error:  # noqa: BLE001 - one answer that cannot be judged must not stop the others
            late = isinstance(error, TimeoutError)
            reason = f"No ruling within {self.patience:g} seconds." if late else f"{type(error).__name__}: {error}"
            ruling = {"verdict": ERROR, "verdict_reason": reason}
        return Ruled(
            question=line.key,
            asked=self.asked,
            answer=digest(line.result.answer),
            other=digest(self.others[line.key]) if self.asked == "preference" else "",
            against=self.against,
            verdict=ruling["verdict"],
            reason=ruling["verdict_reason"],
            votes=tuple(ruling.get("verdict_votes", ())),
            usage=ruling.get("usage", {}),
            seconds=round(time.perf_counter() - began, 3),
        )

    def _case(self, line: Line) -> Case:
        query, answer = line.question.query, line.result.answer
        if self.asked == "solvable":
            return Case(query=query, candidates=list(line.result.candidates or line.question.candidates or ()))
        if self.asked == "preference":
            return Case(query=query, answer=answer, other=self.others[line.key])
        return Case(query=query, answer=answer, calls=[_evidence(call) for call in line.result.calls])


def _evidence(made: Called) -> JudgedCall:
    failure = cast("FailureKind | None", made.failure)
    return JudgedCall(
        subtask=0,
        api=ApiId(made.api),
        arguments=made.arguments,
        ok=made.ok,
        failure=failure,
        message="",
        text=made.text,
    )


class Agreement(BaseModel):
    """How often a judge says what a label says, over `n` questions that it was sure of.

    `kappa` is Cohen's: agreement beyond what chance would give, None where there is nothing beyond. `unsure` counts the
    questions with a label that it was not sure of.
    """

    model_config = ConfigDict(frozen=True)

    n: int
    agreed: int
    unsure: int
    kappa: float | None

    @property
    def share(self) -> float | None:
        """The share that agrees; None of no questions."""
        return self.agreed / self.n if self.n else None


def agreement(verdicts: Mapping[str, str], labels: Mapping[str, bool]) -> Agreement:
    """A judge's verdicts against labels, each by question: whether it is solved (anytool.txt, 5.1, the share alone).

    Questions that only one of the two knows are left out.
    """
    shared = [(verdicts[key], labels[key]) for key in verdicts if key in labels]
    sure = [(verdict == "solved", label) for verdict, label in shared if verdict != "unsure"]
    agreed = sum(said == label for said, label in sure)
    return Agreement(n=len(sure), agreed=agreed, unsure=len(shared) - len(sure), kappa=_kappa(sure))


def _kappa(pairs: Sequence[tuple[bool, bool]]) -> float | None:
    n = len(pairs)
    if not n:
        return None
    said, labelled = (Counter(pair[side] for pair in pairs) for side in (0, 1))
    chance = sum(said[value] * labelled[value] for value in (True, False)) / n**2
    return None if chance == 1 else (sum(one == other for one, other in pairs) / n - chance) / (1 - chance)


def is_about(ruled: Ruled, line: Line, other: str | None = None) -> bool:
    """Whether the answer of a line is what was judged, beside this `other` one if one is given."""
    same = other is None or ruled.other == digest(other)
    return same and ruled.verdict != ERROR and ruled.answer == digest(line.result.answer)


def to_judge(lines: Sequence[Line], asked: Asked, others: Mapping[str, str]) -> list[Line]:
    """The lines that can be judged: for a preference, those whose question the other system has answered too.

    Raises:
        InputError: there is none.
    """
    found = [line for line in lines if asked != "preference" or line.key in others]
    if asked == "solvable":
        found = [line for line in found if (line.result.candidates or line.question.candidates) is not None]
    if not found:
        raise InputError("The journal has nothing that could be judged so.")
    return found
