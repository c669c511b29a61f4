"""How far a system has come with a question, so that what it did is kept when it fails or runs out of time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from toolquiver.evaluation.records import Result

SoFar = Callable[[], Result]
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
