"""Early stop: what one agent finds ends the turns of all at once, in mid-call.

A checkpoint cannot stop a task that is running, so the bell is kept outside the state, by the run and its round.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeVar

from toolquiver.catalog import ApiId
from toolquiver.models import Meter
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run

T = TypeVar("T")

_BELLS = 1_024  # of runs at once; a bell that is forgotten only lets its round come to its own end


def bell(key: str) -> asyncio.Event:
    """The bell of this round, the same for all agents of it; set is rung."""
    return _bell(asyncio.get_running_loop(), key)


def tally(key: str) -> dict[str, list[ApiId]]:
    """What each agent has added in this round so far, by agent: several can fill the pool together."""
    return _tally(asyncio.get_running_loop(), key)


@lru_cache(maxsize=_BELLS)
def _bell(_: asyncio.AbstractEventLoop, __: str) -> asyncio.Event:
    return asyncio.Event()


@lru_cache(maxsize=_BELLS)
def _tally(_: asyncio.AbstractEventLoop, __: str) -> dict[str, list[ApiId]]:
    return {}


async def unless(
    rung: asyncio.Event, run: Run, work: Callable[[Run], Coroutine[Any, Any, T]]
) -> tuple[T | None, Update]:
    """What `work` returns; None if the bell rings first, with what the work has spent until it is cancelled."""
    meter = Meter()
    found = await _unless(rung, work(replace(run, meter=meter)))
    return found, {} if found is not None else {"usage": meter.spent}


async def _unless(rung: asyncio.Event, work: Coroutine[Any, Any, T]) -> T | None:
    if rung.is_set():
        work.close()
        return None
    done, waiting = asyncio.ensure_future(work), asyncio.ensure_future(rung.wait())
    try:
        await asyncio.wait((done, waiting), return_when=asyncio.FIRST_COMPLETED)
        return done.result() if done.done() else None
    finally:
        done.cancel()
        waiting.cancel()
        await asyncio.gather(done, waiting, return_exceptions=True)
