"""HotpotQA, AutoAct's sample of questions of three levels (smurfs.txt, 4.2 and appendix C).

Retrieve and Lookup really work, over the paragraphs that come with all the questions together: those of the others are
in the way, as the rest of Wikipedia is. BingSearch, which searches the web, is left out.

Answers are compared word by word with golds of a word or a few, so each question says that such an answer is wanted.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, field_validator

from toolquiver.calling import PythonCaller
from toolquiver.catalog import ApiId, Catalog
from toolquiver.catalog.langchain import record
from toolquiver.catalog.sources import PYTHON
from toolquiver.evaluation.datasets.hotpotqa_tools import Pages, tools
from toolquiver.evaluation.datasets.loaded import Loaded, Options
from toolquiver.evaluation.datasets.reading import data_folder, part, rows
from toolquiver.evaluation.metrics import exact_match, has_tool_error, word_f1
from toolquiver.evaluation.records import Metric, Question, Resources, Result

_FORM = "Give the answer alone: a name, a number, a date, yes or no, or a few words."


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: str
    question: str
    answer: str
    type: str
    level: Literal["easy", "medium", "hard"]
    context: list[tuple[str, list[str]]]

    @field_validator("context", mode="before")
    @classmethod
    def _paired(cls, context: Any) -> Any:
        """Title and sentences of each paragraph; some rows have the titles and the sentences of all apart."""
        if not isinstance(context, dict):
            return context
        titles, paragraphs = context.get("title"), context.get("sentences")
        if not isinstance(titles, list) or not isinstance(paragraphs, list) or len(titles) != len(paragraphs):
            raise ValueError("there must be as many titles as paragraphs")
        return list(zip(titles, paragraphs, strict=True))


def hotpotqa(name: str, options: Options) -> Loaded:
    """The questions of all levels; `group` is the level.

    Raises:
        InputError: the data are not there, or broken; the message names the line.
    """
    found = [row for _, row in rows(part(data_folder(options.folder), "hotpotqa/autoact_300.jsonl"), _Row, "id")]
    pages = {title: sentences for row in found for title, sentences in row.context}
    both = None if options.pool == "catalogue" else tuple(record(tool).id for tool in tools(pages))
    return Loaded(name, [_question(row, both) for row in found], partial(_resources, pages), _score)


def _question(row: _Row, candidates: tuple[ApiId, ...] | None) -> Question:
    return Question(
        id=row.id,
        query=f"{row.question.strip()} {_FORM}",
        group=row.level,
        candidates=candidates,
        answer=row.answer,
        labels={"type": row.type},
    )


def _resources(pages: Pages) -> Resources:
    catalog = Catalog.from_tools(tools(pages))
    return Resources(
        catalog=catalog,
        callers={PYTHON: PythonCaller(catalog.tools)},
        recorded=lambda: (text for title, sentences in pages.items() for text in (title, *sentences)),
    )


def _score(question: Question, result: Result) -> Metric:
    gold = str(question.answer)
    return {
        "f1": word_f1(result.answer, gold),
        "exact_match": float(exact_match(result.answer, gold)),
        "tool_error": float(has_tool_error(result)),
    }
