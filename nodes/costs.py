"""What several decisions of one node cost together: `usage`, or `stopped`, as `Run.decide` reports them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from toolquiver.models import add_usage
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.state import Budgeted

S = TypeVar("S", bound=Budgeted)


def both(first: Update, second: Update) -> Update:
    """The cost of two decisions as one."""
    return {**first, **second, "usage": add_usage(first.get("usage", {}), second.get("usage", {}))}


def after(state: S, cost: Update) -> S:
    """The state as the next decision finds it, so that its budget is what is left."""
    return cast("S", both(cast("dict[str, Any]", state), cost))


def refused(cost: Mapping[str, Any]) -> str:
    """Why no model may be asked any more, where that is what a model refuses; empty where it is the budget."""
    return str(cost.get("stopped") or "") if cost.get("refused") else ""
