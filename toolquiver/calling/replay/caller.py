"""Calls answered from recordings."""

from __future__ import annotations

import asyncio
import math
from datetime import UTC, datetime
from typing import Any

from toolquiver.calling.outcome import CallError, Failure, Observation
from toolquiver.calling.replay.normal import normalised
from toolquiver.calling.replay.recordings import Recording, Recordings
from toolquiver.calling.replay.simulator import Simulator
from toolquiver.catalog.records import API

SIMULATED = "[simulated] "
"""Stands before every observation that a model made up."""

_EXAMPLES = 2  # real calls that show the simulator what the API's answers look like


class ReplayCaller:
    """Gives what was recorded for a call; calls nothing.

    What is not recorded is a failure, or, with a simulator, made up by it once and recorded as simulated. Without one,
    earlier simulations do not count as recorded.
    """

    def __init__(self, recordings: Recordings, simulator: Simulator | None = None) -> None:
        self._recordings = recordings
        self._simulator = simulator

    async def call(self, api: API, arguments: dict[str, Any]) -> Observation:
        """What was recorded for these arguments, in whatever form they are written (see `normalised`).

        Raises:
            CallError: `not_recorded`, when there is nothing for them; else the failure that was recorded.
            RecordingError: the recordings cannot be read or written.
            ModelError: the simulator's model cannot be used.
        """
        key = normalised(api, arguments)
        found = await asyncio.to_thread(self._recordings.find, api.id, key)
        if self._simulator and found is None:
            found = await self._simulated(self._simulator, api, key)
        if found is None or (found.simulated and not self._simulator):
            raise CallError(
                "not_recorded", f"Nothing is recorded for {api.name} with these arguments. Try others, or another tool."
            )
        return _replayed(found)

    async def _simulated(self, simulator: Simulator, api: API, key: str) -> Recording | None:
        examples = await asyncio.to_thread(self._recordings.examples, api.id, _EXAMPLES)
        made = Recording(
            api=api.id,
            arguments=key,
            outcome=Observation(text=await simulator.answer(api, key, examples)),
            recorded=datetime.now(UTC),
            simulated=True,
        )
        await asyncio.to_thread(self._recordings.put, [made])
        # Where the same call was simulated at the same time, both get the answer that was stored first.
        return await asyncio.to_thread(self._recordings.find, api.id, key)


def _replayed(found: Recording) -> Observation:
    """The recorded observation.

    Raises:
        CallError: what was recorded is a failure.
    """
    outcome = found.outcome
    if isinstance(outcome, Failure):
        # A retry would only find the same, so none is worth waiting for.
        raise CallError(outcome.kind, outcome.message, retry_after=math.inf)
    return outcome.model_copy(update={"text": SIMULATED + outcome.text}) if found.simulated else outcome
