"""What models are shown of a run: the clock, values by their paths, and so much of a text as there is room for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from toolquiver.contexts import QuiverContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.quiver.state import QuiverState
from toolquiver.nodes.run import Run

_CHARACTERS = 3  # a token has at least so many in most texts
_CONTEXT = 32_000  # tokens, where the model's profile does not say
_PART = 4  # a text may take one in so many tokens of the context and of the budget
_LEAST = 500
_LEFT = 0.1  # of the budget, kept for the answer
_PATHS = 30  # values of a result that are offered by their paths


async def room(role: str, state: QuiverState, run: Run[QuiverContext]) -> int:
    """How many characters of one text the model of a role is shown."""
    profile = (await run.model(role)).profile or {}
    context = profile.get("max_input_tokens") or _CONTEXT
    return max(_LEAST, min(context, run.left(state)) * _CHARACTERS // _PART)


async def shown(text: str, role: str, state: QuiverState, run: Run[QuiverContext]) -> str:
    """The text as far as there is room, with a mark that says what is missing."""
    return cut(text, await room(role, state, run))


def cut(text: str, most: int) -> str:
    """The text, or its beginning with a mark that says how much is missing and how to see it."""
    if len(text) <= most:
        return text
    return f"{text[:most]}\n[cut: {len(text) - most} more characters; print a part of it to see more]"


def clock(state: QuiverState) -> dict[str, str]:
    """The date, the weekday, the time and the zone of a run, as prompts say them."""
    now = datetime.fromisoformat(state["now"])
    return {
        "weekday": f"{now:%A}",
        "date": f"{now:%Y-%m-%d}",
        "time": f"{now:%H:%M}",
        "zone": f"{state['zone']} (UTC{now:%z})",
    }


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
