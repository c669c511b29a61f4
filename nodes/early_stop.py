"""Early stop: what one agent finds ends the turns of all at once, in mid-call.

A checkpoint cannot stop a task that is running, so the bell is kept outside the state, by the run and its round.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from functools import lru_cache
from typing import Any, TypeVar

T = TypeVar("T")

_BELLS = 1_024  # of runs at once; a bell that is forgotten only lets its round come to its own end


def bell(key: str) -> asyncio.Event:
    """The bell of this round, the same for all agents of it; set is rung."""
    return _bell(asyncio.get_running_loop(), key)


@lru_cache(maxsize=_BELLS)
def _bell(_: asyncio.AbstractEventLoop, __: str) -> asyncio.Event:
    return asyncio.Event()


async def unless(rung: asyncio.Event, work: Coroutine[Any, Any, T]) -> T | None:
    """What `work` returns; None if the bell rings first: then the work is cancelled."""
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
