"""How far a system has come with a question, and what was made up for it meanwhile, however it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import reduce

from toolquiver.evaluation.records import Result
from toolquiver.models import Usage, add_usage

SoFar = Callable[[], Result]
_simulated: ContextVar[list[Usage] | None] = ContextVar("simulated", default=None)
_latest: ContextVar[list[SoFar] | None] = ContextVar("so_far", default=None)


def reached(so_far: SoFar) -> None:
    """Say how to tell what was reached; called again, the later one counts. Outside of a run it does nothing."""
    latest = _latest.get()
    if latest is not None:
        latest[:] = [so_far]


@contextmanager
def watched() -> Iterator[SoFar]:
    """Hands out what the system within has reached: an empty result as long as it says nothing."""
    latest: list[SoFar] = []
    token = _latest.set(latest)
    try:
        yield lambda: latest[0]() if latest else Result(question="", outcome="failed")
    finally:
        _latest.reset(token)


def simulated(usage: Usage) -> None:
    """Say what it cost to make up what a call returned; it counts with the question that the call was made for."""
    found = _simulated.get()
    if found is not None:
        found.append(usage)


@contextmanager
def simulations() -> Iterator[Callable[[], Usage]]:
    """Hands out what was spent on simulations within."""
    found: list[Usage] = []
    token = _simulated.set(found)
    try:
        yield lambda: reduce(add_usage, found, {})
    finally:
        _simulated.reset(token)
