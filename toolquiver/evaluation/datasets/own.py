"""A user's own questions in JSON Lines, over a catalogue of theirs, or over none, for an agent with its own tools.

A line has a `query` and any of `answer`, `gold_apis`, `gold_path` (ids of the catalogue's APIs) and `gold_plan` (a
nested call as text); besides, `id` (otherwise the line's number), `group`, `candidates` and `labels`. Calls are made
for real, as by `toolquiver ask`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from pydantic import Field

from toolquiver.calling import callers_of
from toolquiver.catalog import ApiId, Catalog
from toolquiver.catalog.named import load_catalog
from toolquiver.evaluation.datasets.described import ids_by_name
from toolquiver.evaluation.datasets.loaded import Loaded, Options
from toolquiver.evaluation.datasets.reading import rows, wrong
from toolquiver.evaluation.datasets.scoring import called_score, found_score, nested_score, path_score
from toolquiver.evaluation.metrics import exact_match, final_number_is, has_number, parse_plan, word_f1
from toolquiver.evaluation.records import Metric, Question, Resources, Result


class _Row(Question):
    id: str = ""
    query: str = Field(min_length=1)


def own(name: str, options: Options) -> Loaded:
    """The questions of the file that `name` is the path of.

    Raises:
        InputError: the file cannot be read, a line is no question, or names an API that the catalogue does not have;
            the message names the line.
        CatalogError: the catalogue cannot be used.
    """
    read = rows(Path(name), _Row)
    catalog = Catalog.create() if options.catalog is None else load_catalog(options.catalog)
    names = ids_by_name(catalog.apis())
    seen: set[str] = set()
    known = None if options.catalog is None else catalog
    questions = [_question(Path(name), line, row, known, seen) for line, row in read]
    make = partial(_resources, catalog)
    return Loaded(Path(name).name, questions, make, partial(_score, names))


def _resources(catalog: Catalog) -> Resources:
    return Resources(catalog=catalog, callers=callers_of(catalog))


def _question(path: Path, line: int, row: _Row, catalog: Catalog | None, seen: set[str]) -> Question:
    id_ = row.id or str(line)
    if id_ in seen:
        raise wrong(path, line, f"the id {id_!r} was there before")
    seen.add(id_)
    _refuse_no_gold(path, line, row)
    for field in ("candidates", "gold_apis", "gold_path"):
        for api in getattr(row, field) or ():
            if catalog is not None and catalog.find(api) is None:
                raise wrong(path, line, f"{field}: the catalogue has no API {api!r}")
    try:
        parse_plan("nothing()" if row.gold_plan is None else row.gold_plan)
    except ValueError as error:
        raise wrong(path, line, f"gold_plan: {error}") from error
    return Question(**row.model_dump() | {"id": id_, "gold_apis": row.gold_apis or row.gold_path})


def _refuse_no_gold(path: Path, line: int, row: _Row) -> None:
    """Refuse what can be asked or scored by nobody."""
    if not row.query.strip():
        raise wrong(path, line, "the query is empty")
    gold = row.answer
    if isinstance(gold, bool | list | dict) or (isinstance(gold, float) and not math.isfinite(gold)):
        raise wrong(path, line, "answer: it must be a number or a text")


def _score(names: Mapping[str, ApiId], question: Question, result: Result) -> Metric:
    return {
        **_answer_score(question, result),
        **called_score(question, result),
        **found_score(question, result),
        **path_score(question, result, names),
        **nested_score(question, result, names),
    }


def _answer_score(question: Question, result: Result) -> Metric:
    """A number by its value, within 0.1 percent; a text by its words."""
    gold = question.answer
    if isinstance(gold, int | float):
        return {
            "accuracy": float(final_number_is(result.answer, gold, asked=question.query)),
            "accuracy_any": float(has_number(result.answer, gold)),
        }
    if isinstance(gold, str):
        return {"f1": word_f1(result.answer, gold), "exact_match": float(exact_match(result.answer, gold))}
    return {}
