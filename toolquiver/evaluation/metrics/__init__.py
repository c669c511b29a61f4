"""Metrics: what is right, what it cost, and how sure that is. Each says where it comes from."""

from toolquiver.evaluation.metrics.calls import (
    ErrorRates,
    error_rates,
    has_tool_error,
    name_errors,
    parameter_errors,
)
from toolquiver.evaluation.metrics.intervals import (
    Difference,
    Interval,
    bootstrap,
    bootstrap_rate,
    bootstrap_ratio,
    paired,
)
from toolquiver.evaluation.metrics.nesting import (
    CAUSES,
    Cause,
    PlanScore,
    same_value,
    score_plan,
)
from toolquiver.evaluation.metrics.numbers import final_number_is, has_number, is_close, numbers_in
from toolquiver.evaluation.metrics.passing import (
    Preference,
    WinRate,
    pass_rate_eq1,
    pass_rate_eq2,
    success_rate,
    win_rate,
)
from toolquiver.evaluation.metrics.paths import contains_path, overlap_f1
from toolquiver.evaluation.metrics.plans import (
    Plan,
    PlanCall,
    call_order,
    parse_plan,
    plan_edges,
    plan_level,
    renamed_plan,
    render_plan,
)
from toolquiver.evaluation.metrics.prices import Price, cost, load_prices
from toolquiver.evaluation.metrics.ranking import ndcg, recall
from toolquiver.evaluation.metrics.spending import figures, knows_usage
from toolquiver.evaluation.metrics.texts import exact_match, word_f1

__all__ = [
    "CAUSES",
    "Cause",
    "Difference",
    "ErrorRates",
    "Interval",
    "Plan",
    "PlanCall",
    "PlanScore",
    "Preference",
    "Price",
    "WinRate",
    "bootstrap",
    "bootstrap_rate",
    "bootstrap_ratio",
    "call_order",
    "contains_path",
    "cost",
    "error_rates",
    "exact_match",
    "figures",
    "final_number_is",
    "has_number",
    "has_tool_error",
    "is_close",
    "knows_usage",
    "load_prices",
    "name_errors",
    "ndcg",
    "numbers_in",
    "overlap_f1",
    "paired",
    "parameter_errors",
    "parse_plan",
    "pass_rate_eq1",
    "pass_rate_eq2",
    "plan_edges",
    "plan_level",
    "recall",
    "renamed_plan",
    "render_plan",
    "same_value",
    "score_plan",
    "success_rate",
    "win_rate",
    "word_f1",
]
