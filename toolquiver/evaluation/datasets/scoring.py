"""What a program can say of an answer, as the data sets put it together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolquiver.catalog import ApiId
from toolquiver.evaluation.metrics import (
    CAUSES,
    PlanScore,
    call_order,
    contains_path,
    has_tool_error,
    ndcg,
    overlap_f1,
    parse_plan,
    plan_edges,
    recall,
    renamed_plan,
    score_plan,
)
from toolquiver.evaluation.records import Metric, Question, Result

Names = Mapping[str, ApiId]
"""The ids of APIs by what plans may call them."""

_RECALL = (5, 20)
_NDCG = (1, 5)


def path_of(result: Result, names: Names) -> list[str]:
    """The APIs in the order of the calls that were made, else of the plan; a plan's unknown names stay as they are."""
    if result.calls or not result.plan:
        return [call.api for call in result.calls]
    try:
        return [names.get(name, name) for name in call_order(parse_plan(result.plan))]
    except ValueError:
        return []


def path_score(question: Question, result: Result, names: Names) -> Metric:
    """Whether the gold path is in the calls or in the plan (`correct_path`), and how many of its APIs are (`api_f1`).

    Calls that failed count, because where calls cannot be made the way is all that can be right. Both are None where
    the question has no path; of one that needs no call every path would be correct, so that is None too.
    """
    if question.gold_path is None:
        return {"correct_path": None, "api_f1": None}
    path = path_of(result, names)
    return {
        "correct_path": float(contains_path(path, question.gold_path)) if question.gold_path else None,
        "api_f1": overlap_f1(path, question.gold_path),
    }


def called_score(question: Question, result: Result) -> Metric:
    """The share of the gold APIs that were called with success (`gold_called`), and whether a call failed."""
    gold = set(question.gold_apis or ())
    answered = {call.api for call in result.calls if call.ok}
    return {
        "gold_called": len(gold & answered) / len(gold) if gold else None,
        "tool_error": float(has_tool_error(result)),
    }


def reached_score(question: Question, result: Result) -> Metric:
    """Whether every gold API was called, whatever came back (`all_called`).

    Our own: it is the correct path (easytool.txt, 5.2) where the data give their gold no order, and not every call was
    recorded.
    """
    gold = set(question.gold_apis or ())
    return {"all_called": float(gold <= {call.api for call in result.calls}) if gold else None}


def found_score(question: Question, result: Result) -> Metric:
    """How well the system's own retrieval did: recall of its candidates and of the first 5 and 20, NDCG@1 and @5.

    None where the question came with its candidates, or the system does not say.
    """
    gold, found = set(question.gold_apis or ()), result.candidates
    if not gold or found is None or question.candidates is not None:
        return dict.fromkeys(["recall", *(f"recall@{k}" for k in _RECALL), *(f"ndcg@{k}" for k in _NDCG)])
    return {
        "recall": recall(found, gold, len(found)),
        **{f"recall@{k}": recall(found, gold, k) for k in _RECALL},
        **{f"ndcg@{k}": ndcg(found, gold, k) for k in _NDCG},
    }


def nested_score(question: Question, result: Result, names: Names) -> Metric:
    """The plan against the gold plan: exact match by level with the cause of failure, and the F1 of reference edges.

    `exact_plan` is given once more under the gold's level (`exact_plan:level-1`), and each cause is 1 or 0. None where
    the question has no plan; the F1 also where neither the gold nor the plan has an edge, as there is nothing to find.
    """
    if question.gold_plan is None:
        return {"exact_plan": None, "edge_f1": None}
    score = score_plan(result.plan, question.gold_plan, names)
    made, gold = _edges(result.plan, names), _edges(question.gold_plan, names)
    return {
        "exact_plan": float(score.exact),
        f"exact_plan:level-{score.level}": float(score.exact),
        "edge_f1": overlap_f1(made, gold) if made or gold else None,
    } | _causes(score)


def _causes(score: PlanScore) -> dict[str, float]:
    return {f"cause:{cause}": float(score.cause == cause) for cause in CAUSES}


def _edges(text: str | None, names: Names) -> Sequence[tuple[str, str, str]]:
    try:
        return plan_edges(renamed_plan(parse_plan(text or ""), names))
    except ValueError:
        return []
