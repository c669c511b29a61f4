"""FuncQA: sums in words, of one call or several of thirteen functions (ToolkenGPT; easytool.txt, 5.3).

The functions are really computed, and all of them given with each question. Golds that arithmetic shows to be wrong are
listed with what is right (`funcqa_gold`): answers are scored by the data's golds and by these, or by these alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from toolquiver.calling import PythonCaller
from toolquiver.catalog import ApiId, Catalog
from toolquiver.catalog.langchain import record
from toolquiver.catalog.sources import PYTHON
from toolquiver.evaluation.datasets.funcqa_gold import MULTI_HOP, ONE_HOP, Correction
from toolquiver.evaluation.datasets.funcqa_tools import tools
from toolquiver.evaluation.datasets.loaded import Loaded, Options
from toolquiver.evaluation.datasets.reading import data_folder, part, rows, wrong
from toolquiver.evaluation.datasets.scoring import called_score, path_score
from toolquiver.evaluation.metrics import final_number_is, has_number
from toolquiver.evaluation.records import Metric, Question, Resources, Result

_FUNCTION = re.compile(r"<(\w+)>")
_RIGHT = "right_answer"


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: int
    question: str
    answer: float


class _OneHop(_Row):
    func: str


class _MultiHop(_Row):
    calculation: list[str]


def one_hop(name: str, options: Options) -> Loaded:
    """The questions that one function answers.

    Raises:
        InputError: the data are not there, or broken; the message names the line.
    """
    path = part(data_folder(options.folder), "funcqa/funcqa_oh.jsonl")
    found = [(line, row, [row.func]) for line, row in rows(path, _OneHop, "id")]
    return _loaded(name, path, found, ONE_HOP, options)


def multi_hop(name: str, options: Options) -> Loaded:
    """The questions that several functions answer, one after the other.

    Raises:
        InputError: the data are not there, or broken; the message names the line.
    """
    path = part(data_folder(options.folder), "funcqa/funcqa_mh.jsonl")
    found = [(line, row, row.calculation) for line, row in rows(path, _MultiHop, "id")]
    return _loaded(name, path, found, MULTI_HOP, options)


def _loaded(
    name: str,
    file: Path,
    found: Sequence[tuple[int, _Row, list[str]]],
    corrections: Sequence[Correction],
    options: Options,
) -> Loaded:
    names = {tool.name: record(tool).id for tool in tools()}
    right = {(one.id, one.given): one for one in corrections}
    candidates = None if options.pool == "catalogue" else tuple(names.values())

    def question(line: int, row: _Row, calculation: list[str]) -> Question:
        called = [function for step in calculation for function in _FUNCTION.findall(step)]
        if unknown := set(called) - names.keys():
            raise wrong(file, line, f"there is no function {min(unknown)!r}")
        path = tuple(names[function] for function in called)
        return _question(row, path, right.get((row.id, row.answer)), candidates, corrected=options.corrected)

    return Loaded(name, [question(*one) for one in found], _resources, _score)


def _question(
    row: _Row,
    path: tuple[ApiId, ...],
    correction: Correction | None,
    candidates: tuple[ApiId, ...] | None,
    *,
    corrected: bool,
) -> Question:
    labels: Mapping[str, str | float] = (
        {}
        if correction is None
        else {"given_answer": row.answer, _RIGHT: correction.right, "correction": correction.reason}
    )
    return Question(
        id=str(row.id),
        query=row.question.strip(),
        candidates=candidates,
        answer=correction.right if correction is not None and corrected else row.answer,
        gold_apis=tuple(dict.fromkeys(path)),
        gold_path=path,
        labels=labels,
    )


def _resources() -> Resources:
    catalog = Catalog.from_tools(tools())
    return Resources(catalog=catalog, callers={PYTHON: PythonCaller(catalog.tools)})


def _score(question: Question, result: Result) -> Metric:
    """`accuracy` by the answer's last number, `accuracy_any` by any of its numbers, both within 0.1 percent.

    `accuracy_corrected` is the first by the right gold where the data's is wrong.
    """
    right = question.labels.get(_RIGHT, question.answer)
    assert isinstance(question.answer, int | float)
    assert isinstance(right, int | float)
    return {
        "accuracy": float(final_number_is(result.answer, question.answer, asked=question.query)),
        "accuracy_corrected": float(final_number_is(result.answer, right, asked=question.query)),
        "accuracy_any": float(has_number(result.answer, question.answer)),
        **called_score(question, result),
        **path_score(question, result, {}),
    }
