"""How fast a host is asked: so many requests a second, and none while it wants to be left alone."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from toolquiver.calling.outcome import CallError

_PATIENCE = 1.0  # seconds that are waited here; whoever called decides about more


class Pace:
    """When each host may be asked next; sources on the same hosts can share one."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._turns: dict[str, list[float]] = {}  # when each ends, those to come last
        self._closed: dict[str, float] = {}

    async def turn(self, host: str, per_second: float) -> None:
        """Wait until the host may be asked.

        Raises:
            CallError: `rate_limited`, with the seconds left, when the host asked to be left alone for longer.
        """
        now = self._clock()
        left = self._closed.get(host, now) - now
        if left > _PATIENCE:
            raise CallError("rate_limited", f"{host} wants no request for {left:.0f} seconds.", retry_after=left)
        turns = self._turns[host] = [end for end in self._turns.get(host, ()) if end > now]
        start = max(now, now + left, *turns[-1:])
        turns.append(start + 1 / per_second)
        if start > now:
            try:
                await asyncio.sleep(start - now)
            except asyncio.CancelledError:
                self._give_back(host, start + 1 / per_second)
                raise

    def _give_back(self, host: str, end: float) -> None:
        """Let others have a turn that nobody takes: those behind it have waited for theirs, new ones need not."""
        self._turns[host] = [other for other in self._turns.get(host, ()) if other != end]

    def leave(self, host: str, seconds: float) -> None:
        """Ask the host nothing for so many seconds."""
        self._closed[host] = max(self._closed.get(host, 0.0), self._clock() + seconds)


def retry_after(value: str, now: datetime) -> float | None:
    """The seconds that a `Retry-After` header asks for, as a number or as a date; None when it is neither."""
    value = value.strip()
    if value.replace(".", "", 1).isdecimal() and value.isascii():
        seconds = float(value)
        return seconds if math.isfinite(seconds) else None
    try:
        until = parsedate_to_datetime(value)
    except (ValueError, OverflowError, IndexError):
        return None
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, (until - now).total_seconds())
