"""The compositions as a data set: `toolquiver eval run tests.bench.composition_set:compositions`.

As in the paper (reverse_chain.txt, 3) each request is asked over the APIs of its chain.
"""

from __future__ import annotations

import asyncio
from math import isclose
from typing import Any

from tests.bench.compositions import Composition, executed
from tests.bench.compositions import compositions as composed
from tests.bench.nested import calls_of, same
from toolquiver.calling import callers_of
from toolquiver.catalog import ApiId, Catalog
from toolquiver.catalog.named import load_catalog
from toolquiver.evaluation import Question, Resources, Result
from toolquiver.evaluation.datasets import Loaded
from toolquiver.evaluation.datasets.scoring import called_score, path_score
from toolquiver.evaluation.records import Metric


def compositions() -> Loaded:
    """The chains of calls. An answer is right when the last call of the chain was made with the right arguments."""
    catalog = load_catalog("demo")
    questions = asyncio.run(_questions(catalog))
    return Loaded("compositions", questions, lambda: Resources(catalog=catalog, callers=callers_of(catalog)), _score)


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
    """Whether an argument is the gold one. Numbers may be rounded."""
    if isinstance(given, int | float) and isinstance(gold, int | float):
        return isclose(given, gold, rel_tol=0.001)
    return same(given, gold)
