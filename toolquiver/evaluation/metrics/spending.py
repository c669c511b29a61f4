"""What a question cost and how the system went about it, as figures of one result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolquiver.evaluation.metrics.calls import name_errors, parameter_errors
from toolquiver.evaluation.records import Metric, Result
from toolquiver.models import tokens as counted
from toolquiver.models import total_usage

REFLECTION = "reflect"
"""The node whose runs are self-reflections where they change the count of them, `REFLECTIONS`."""

REFLECTIONS = "reflections"
"""The field of a graph's state that counts them."""

AGENTS = "agents"
"""The field of a graph's state that holds its retrieval agents by name."""


def figures(result: Result) -> Metric:
    """Figures of any result, whatever the question: tokens, calls, errors, candidates, reflections, agents, seconds.

    `tokens` and `model_calls` are those of the whole query, `tokens_per_request` is their quotient (smurfs.txt,
    table 1). Self-reflections, agents and candidates are those of anytool.txt, figures 5 and 6. None where the result
    does not say: reflections and agents stand in the trace, and not every system tells its usage. `simulated_tokens`
    are the simulator's.
    """
    total = total_usage(result.usage)
    tokens, told = total["prompt"] + total["completion"], knows_usage(result)
    return {
        "tokens": tokens if told else None,
        "prompt_tokens": total["prompt"] if told else None,
        "completion_tokens": total["completion"] if told else None,
        "model_calls": total["calls"] if told else None,
        "tokens_per_request": tokens / total["calls"] if total["calls"] else None,
        "calls": len(result.calls),
        "failed_calls": sum(not call.ok for call in result.calls),
        "name_errors": name_errors(result),
        "parameter_errors": parameter_errors(result),
        "candidates": None if result.candidates is None else len(result.candidates),
        "reflections": reflections(result),
        "agents": agents(result),
        "simulated_tokens": counted(result.simulated),
        "seconds": result.seconds,
    }


def knows_usage(result: Result) -> bool:
    """Whether no usage means none: our graphs always leave a trace, a function of one's own may just not say."""
    return result.tells_usage and bool(result.usage or result.trace)


def reflections(result: Result) -> int | None:
    """How often the system reflected on its own answer, as the node `reflect` counts it; None without a trace.

    The node also runs to end a run, at the limit for one, and counts nothing then.
    """
    if not result.trace:
        return None
    updates = (update for node, update in _steps(result) if node == REFLECTION)
    return sum(isinstance(update, dict) and REFLECTIONS in update for update in updates)


def agents(result: Result) -> int | None:
    """How many retrieval agents were at work: the different names under `agents` in the trace; None where none are."""
    named: set[str] = set()
    for _, update in _steps(result):
        found = update.get(AGENTS) if isinstance(update, dict) else None
        named |= {str(name) for name in found} if isinstance(found, dict | list | tuple) else set()
    return len(named) or None


def _steps(result: Result) -> Iterator[tuple[Any, Any]]:
    for step in result.trace:
        if isinstance(step, list | tuple) and len(step) == 2:  # noqa: PLR2004 - (node, update)
            yield step[0], step[1]
