"""Early stop: what one agent finds ends the turns of all at once, in mid-call.

A checkpoint cannot stop a task that is running, so an event is kept outside the state, by the run and its round.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from toolquiver.catalog import ApiId
from toolquiver.models import Meter
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run

T = TypeVar("T")

_ROUNDS = 1_024  # of runs at once in a loop; a round that is forgotten only comes to its end by itself


class _Round:
    """What the agents of one round share."""

    def __init__(self) -> None:
        self.stop = asyncio.Event()
        self.added = dict[str, list[ApiId]]()


# An event belongs to the event loop that it was made in, so a loop has its own rounds, and they go with it.
_rounds: WeakKeyDictionary[asyncio.AbstractEventLoop, OrderedDict[str, _Round]] = WeakKeyDictionary()


def stop_event(key: str) -> asyncio.Event:
    """The event of this round, the same for all its agents: once it is set, all of them stop."""
    return _round(key).stop


def added_so_far(key: str) -> dict[str, list[ApiId]]:
    """What each agent has added in this round so far, by agent: several can fill the pool together."""
    return _round(key).added


def forget_round(key: str) -> None:
    """All its agents are done: who goes back to before it, and on from there, finds nothing stopped or added."""
    if rounds := _rounds.get(asyncio.get_running_loop()):
        rounds.pop(key, None)


def _round(key: str) -> _Round:
    rounds = _rounds.setdefault(asyncio.get_running_loop(), OrderedDict())
    found = rounds.setdefault(key, _Round())
    rounds.move_to_end(key)
    if len(rounds) > _ROUNDS:
        rounds.popitem(last=False)
    return found


async def run_until_stopped(
    stop: asyncio.Event, run: Run, work: Callable[[Run], Coroutine[Any, Any, T]]
) -> tuple[T | None, Update]:
    """What `work` returns; None if `stop` is set first, with what the work has spent until it is cancelled."""
    meter = Meter()
    found = await _until_stopped(stop, work(replace(run, meter=meter)))
    return found, {} if found is not None else {"usage": meter.spent}


async def _until_stopped(stop: asyncio.Event, work: Coroutine[Any, Any, T]) -> T | None:
    if stop.is_set():
        work.close()
        return None
    done, waiting = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait((done, waiting), return_when=asyncio.FIRST_COMPLETED)
        return done.result() if done.done() else None
    finally:
        done.cancel()
        waiting.cancel()
        await asyncio.gather(done, waiting, return_exceptions=True)
