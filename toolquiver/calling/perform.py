"""One call from beginning to end: validate, call, retry by kind, cut what comes back."""

from __future__ import annotations

import asyncio
import inspect
import reprlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from langgraph.errors import GraphBubbleUp

from toolquiver.calling.approval import reads
from toolquiver.calling.arguments import problems
from toolquiver.calling.outcome import Caller, CallError, Failure, FailureKind, Observation
from toolquiver.errors import ToolquiverError
from toolquiver.masking import masked
from toolquiver.surrogates import without_halves

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolquiver.catalog.records import API

_FIRST_WAIT = 0.5


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one call may cost.

    `timeout` and `max_wait` (the longest pause before a retry) are in seconds, `characters` is the longest text
    an observation may have, `retries` the number of further tries for a failure of a kind in `retry_kinds`.
    """

    timeout: float = 30.0
    retries: int = 2
    retry_kinds: tuple[FailureKind, ...] = ("rate_limited", "timeout", "server_error", "network")
    max_wait: float = 20.0
    characters: int = 2_000


async def perform(
    api: API, arguments: dict[str, Any], callers: Mapping[str, Caller], limits: Limits
) -> Observation | Failure:
    """Call an API. Never raises for what the API, its caller or the network does: that is a `Failure`.

    `callers` are by the source of the APIs that they call, as `callers_of` gives them; without one for this API it is
    `unknown_api`. Arguments that do not fit its schema are refused before any call. `limits` say how long one try may
    take, which failures are tried again how often (but for `rate_limited` only of an API that is known to only read),
    and how much of what comes back is kept.

    Half surrogates in the arguments, which no request can carry, become U+FFFD.

    Raises:
        ToolquiverError: the caller cannot work at all, so that the run must end.
    """
    caller = callers.get(api.source)
    if caller is None:
        return Failure(kind="unknown_api", message=f"Nothing here can call {api.id} (source {api.source!r}).")
    try:
        arguments = without_halves(arguments)
    except RecursionError:
        return _failure("invalid_arguments", "The arguments are nested too deeply. Give less.", limits)
    if wrong := problems(api, arguments):
        return _failure("invalid_arguments", " ".join(wrong), limits)
    for attempt in range(limits.retries + 1):
        try:
            async with asyncio.timeout(limits.timeout):
                return cut(await _observation(caller, api, arguments), limits.characters)
        except TimeoutError:
            error = CallError("timeout", f"{api.name} gave no answer within {limits.timeout:g} seconds.")
        except CallError as raised:
            error = raised
        except (ToolquiverError, GraphBubbleUp):  # what ends a run, and an interrupt for the user
            raise
        except Exception as raised:  # noqa: BLE001 - a fault in one caller must not cost all that a run has done
            error = CallError("tool_error", f"{type(raised).__name__}: {raised}")
        pause = error.retry_after if error.retry_after is not None else min(_FIRST_WAIT * 2**attempt, limits.max_wait)
        if not _may_repeat(api, error, limits) or attempt == limits.retries or pause > limits.max_wait:
            break
        await asyncio.sleep(pause)
    return _failure(error.kind, str(error), limits)


async def _observation(caller: Caller, api: API, arguments: dict[str, Any]) -> Observation:
    outcome: object = caller.call(api, arguments)
    if not inspect.isawaitable(outcome):
        raise TypeError(f"{type(caller).__name__}.call is not async.")
    outcome = await outcome
    if not isinstance(outcome, Observation):
        raise TypeError(f"{type(caller).__name__}.call gave {reprlib.repr(outcome)}, which is no Observation.")
    return outcome


def _may_repeat(api: API, error: CallError, limits: Limits) -> bool:
    """Whether the call may be made again: one that only reads, or one that the other side refused to begin."""
    return error.kind in limits.retry_kinds and (reads(api) or error.kind == "rate_limited")


def _failure(kind: FailureKind, message: str, limits: Limits) -> Failure:
    return Failure(kind=kind, message=cut(Observation(text=masked(message)), limits.characters).text)


def cut(observation: Observation, characters: int) -> Observation:
    """The observation with at most `characters` of its text and a mark that says how much is missing."""
    extra = len(observation.text) - characters
    if extra <= 0:
        return observation
    return Observation(
        text=f"{observation.text[:characters]} [cut: {extra} more characters]",
        omitted=observation.omitted + extra,
    )
