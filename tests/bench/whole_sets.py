"""Sets over the demo's own APIs for `toolquiver eval run`: its questions, and its compositions.

`tests.bench.whole_sets:demo` has the questions with answers that a program checks, `:compositions` the chains of
calls, asked over the APIs of the chain as in the paper (Reverse Chain, 3), `:searched` the same over all of the demo.
"""

from __future__ import annotations

import asyncio
from functools import partial
from math import isclose
from typing import Any

from tests.bench.compositions import Composition, executed
from tests.bench.compositions import compositions as composed
from tests.bench.nested import calls_of, same
from tests.e2e import questions_fresh, questions_tuned
from tests.e2e.checking import missing_facts
from toolquiver.calling import callers_of
from toolquiver.catalog import ApiId, Catalog
from toolquiver.catalog.named import load_catalog
from toolquiver.evaluation import Question, Resources, Result
from toolquiver.evaluation.datasets import Loaded
from toolquiver.evaluation.datasets.scoring import called_score, path_score
from toolquiver.evaluation.records import Metric

_GROUPS = {"tuned": questions_tuned.QUESTIONS, "fresh": questions_fresh.QUESTIONS}


def demo() -> Loaded:
    """The tuned and the fresh questions; right is an answer that states every fact."""
    known = {f"{group}/{one.id}": one for group, asked in _GROUPS.items() for one in asked}
    questions = [
        Question(id=id_, query=one.text, group=id_.split("/")[0], labels={"steps": one.steps})
        for id_, one in known.items()
    ]
    return Loaded(
        "demo",
        questions,
        partial(_resources, load_catalog("demo")),
        lambda question, result: {"accuracy": float(not missing_facts(known[question.id], result.answer))},
    )


def compositions() -> Loaded:
    """The chains of calls; right is who makes the last call of the chain with the arguments that it has."""
    return _chains("compositions", given=True)


def searched() -> Loaded:
    """The chains of calls, whose APIs have to be found."""
    return _chains("searched", given=False)


def _chains(name: str, *, given: bool) -> Loaded:
    catalog = load_catalog("demo")
    questions = asyncio.run(_questions(catalog))
    if not given:
        questions = [question.model_copy(update={"candidates": None}) for question in questions]
    return Loaded(name, questions, partial(_resources, catalog), _score)


def _resources(catalog: Catalog) -> Resources:
    return Resources(catalog=catalog, callers=callers_of(catalog))


async def _questions(catalog: Catalog) -> list[Question]:
    return [await _question(one, catalog) for one in composed()]


async def _question(one: Composition, catalog: Catalog) -> Question:
    arguments, _ = await executed(one.gold, catalog)
    path = tuple(dict.fromkeys(_id(call.api, catalog) for call in calls_of(one.gold)))  # one may feed two
    return Question(
        id=one.id,
        query=one.query,
        group=f"level-{one.level}",
        candidates=tuple(_id(name, catalog) for name in one.candidates),
        gold_apis=path,
        gold_path=path,
        labels={"arguments": arguments},
    )


def _id(function: str, catalog: Catalog) -> ApiId:
    api = catalog.by_function(function)
    assert api, function
    return api.id


def _score(question: Question, result: Result) -> Metric:
    arguments = question.labels["arguments"]
    assert question.gold_path
    assert isinstance(arguments, dict)
    made = [call.arguments for call in result.calls if call.ok and call.api == question.gold_path[-1]]
    right = any(all(_same(given.get(name), value) for name, value in arguments.items()) for given in made)
    return {"accuracy": float(right), **called_score(question, result), **path_score(question, result, {})}


def _same(given: Any, gold: Any) -> bool:
    """Whether an argument is the gold one; a number may be rounded, a text written otherwise, a day its beginning."""
    if isinstance(given, int | float) and isinstance(gold, int | float):
        return isclose(given, gold, rel_tol=0.001)
    return same(given, gold)
