"""What models are shown of a run: values by their paths, and so much of a text as there is room for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from toolquiver.contexts import QuiverContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.quiver.state import QuiverState
from toolquiver.nodes.room import cut as cut_off
from toolquiver.nodes.room import room
from toolquiver.nodes.run import Run

_LEFT = 0.1  # of the budget, kept for the answer
_PATHS = 30  # values of a result that are offered by their paths


async def shown(text: str, role: str, state: QuiverState, run: Run[QuiverContext]) -> str:
    """The text as far as there is room, with a mark that says what is missing."""
    return cut(text, await room(role, state, run))


def cut(text: str, most: int) -> str:
    """The text, or its beginning with a mark that says how much is missing and how to see it."""
    return cut_off(text, most, "print a part of it to see more")


def left_for_answer(state: QuiverState, run: Run[QuiverContext]) -> int:
    """The tokens that a plan leaves for the answer, once there is something to answer with."""
    return int(run.left(state) * _LEFT) if state["calls"] else 0


def over(cost: Update) -> Update:
    """The end of planning, where no plan came: the budget is spent, or the model gave none."""
    reason = cost.pop("stopped", "") or "The planner gave no program and no answer."
    return {
        **cost,
        "decided": "the plan ends",
        "reason": reason,
        **({"stopped": reason} if cost.get("refused") else {}),
    }


def values_in(result: Any, path: str = "result") -> list[tuple[str, Any]]:
    """Every value in a result with its path, such as `result["places"][0]["id"]`, up to a limit."""
    found: list[tuple[str, Any]] = []
    for one in _walk(result, path):
        if len(found) == _PATHS:
            break
        found.append(one)
    return found


def _walk(result: Any, path: str) -> Iterator[tuple[str, Any]]:
    yield path, result
    if isinstance(result, dict):
        for key, value in result.items():
            yield from _walk(value, f"{path}[{json.dumps(key, ensure_ascii=False)}]")
    elif isinstance(result, list):
        for place, value in enumerate(result):
            yield from _walk(value, f"{path}[{place}]")
