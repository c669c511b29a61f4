"""Calls that are made and recorded, to be replayed later."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

from toolquiver.calling.normal import normalised
from toolquiver.calling.outcome import Caller, CallError, Failure, Observation
from toolquiver.calling.replay.recordings import Recording, Recordings
from toolquiver.catalog.records import API


class RecordingCaller:
    """Calls through another caller and records what comes of it, failures too.

    Recorded are the arguments that the model filled in and the outcome, never what the other caller adds to the call:
    keys and tokens stay with it. An answer that repeats a secret is recorded as it is. A call that is cancelled, by
    the run's timeout too, is not recorded.
    """

    def __init__(self, caller: Caller, recordings: Recordings) -> None:
        self._caller = caller
        self._recordings = recordings

    async def call(self, api: API, arguments: dict[str, Any]) -> Observation:
        """What the other caller returns, unchanged.

        Raises:
            CallError: the call failed; that is recorded, unless it was a replay that had no recording.
            RecordingError: the recordings cannot be written.
        """
        key = normalised(api, arguments)
        try:
            outcome = await self._caller.call(api, arguments)
        except CallError as error:
            if error.kind != "not_recorded":
                await self._record(api, key, Failure(kind=error.kind, message=str(error)))
            raise
        await self._record(api, key, outcome)
        return outcome

    async def _record(self, api: API, key: str, outcome: Observation | Failure) -> None:
        made = Recording(api=api.id, arguments=key, outcome=outcome, recorded=datetime.now(UTC))
        await asyncio.to_thread(self._recordings.put, [made])
