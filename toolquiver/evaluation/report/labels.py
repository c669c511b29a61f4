"""Labels: whether an answer solves its question, as people say or as a program does."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from toolquiver.evaluation.report.measured import Measured

SOLVABLE = "stable_solvable"


class Label(BaseModel):
    """What somebody says of the answer to a question; without a `system` or `dataset`, of the answers of any.

    Both are named as in the journals. Systems answer differently, and data sets number their questions alike.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: str
    solved: bool
    system: str | None = None
    dataset: str | None = None

    def is_about(self, one: Measured) -> bool:
        """Whether this can be about an answer of that system on that data set."""
        return self.system in (None, one.head.system) and self.dataset in (None, one.head.dataset)


def by_people(labels: Sequence[Label], one: Measured) -> dict[str, bool]:
    """What people say of a system's answers, by question; a label that names more goes before one that names less."""
    found = [label for label in labels if label.is_about(one)]
    found.sort(key=lambda label: (label.system is not None, label.dataset is not None))
    return {label.question: label.solved for label in found}


def by_data(one: Measured) -> dict[str, bool]:
    """Whether the tools suffice for a question, as StableToolBench's authors say (`stable_solvable` of its labels)."""
    found = {line.key: line.question.labels.get(SOLVABLE) for line in one.lines}
    return {key: label for key, label in found.items() if isinstance(label, bool)}


def by_program(one: Measured) -> dict[str, bool]:
    """Labels by program: the first metric where it says plainly right or wrong."""
    for name in one.metrics[:1]:
        return {key: value == 1 for key, value in one.scored(name).items() if value in (0, 1)}
    return {}
