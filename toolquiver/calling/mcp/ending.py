"""That a connection is over, and why: told by whoever sees it first, read by the calls that were under way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from toolquiver.calling.outcome import CallError


class NotBegun(CallError):
    """The server knows the session no more, so that it has not begun the call: another session can make it."""


class Ending:
    """Set once; made in the event loop of its connection.

    `abandon` lets go of what is held outside this process, when the event loop has ended before the connection.
    """

    def __init__(self) -> None:
        self.reason: CallError | None = None
        self.abandon: Callable[[], object] = lambda: None
        self._event = asyncio.Event()

    @property
    def come(self) -> bool:
        """Whether it is over."""
        return self._event.is_set()

    def say(self, reason: CallError | None = None) -> None:
        """It is over; what is said first stays."""
        if not self.come:
            self.reason = reason
            self._event.set()

    async def wait(self) -> None:
        """Wait until it is over."""
        await self._event.wait()
