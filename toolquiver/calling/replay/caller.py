"""Calls answered from recordings."""

from __future__ import annotations

import asyncio
import json
import math
from datetime import UTC, datetime
from typing import Any, Literal

from toolquiver.calling.normal import normalised
from toolquiver.calling.outcome import CallError, Failure, Observation
from toolquiver.calling.replay.recordings import Recording, Recordings
from toolquiver.calling.replay.simulator import Simulator
from toolquiver.catalog.records import API, ApiId

SIMULATED = "[simulated] "
"""Stands before every observation that a model made up."""

Replay = Literal["exact", "nearest"]
"""Whether a call that is not recorded, or at which the service failed, fails, or gives what the API answered else."""

_OF_THE_SERVICE = ("unauthorized", "forbidden", "rate_limited", "timeout", "server_error", "network")
_MOST_COMPARED = 1_000  # recordings of one API
_EXAMPLES = 2  # real calls that show the simulator what the API's answers look like


class ReplayCaller:
    """Gives what was recorded for a call; calls nothing.

    What is not recorded is a failure, or, with a simulator, made up by it once and recorded as simulated. Without one,
    earlier simulations do not count as recorded. What is made up for a recorded failure is kept by this caller alone.
    With `replay` "nearest" the API's own answer to other arguments stands in, of several that with the most arguments
    alike: for what depends on that there are answers, not on what they say.
    So it does for a recorded failure that has nothing to do with the arguments, such as a subscription that had ended.
    """

    def __init__(self, recordings: Recordings, simulator: Simulator | None = None, *, replay: Replay = "exact") -> None:
        self._recordings = recordings
        self._simulator = simulator
        self._replay = replay
        self._instead = dict[tuple[ApiId, str], Recording]()  # simulations for failures, which keep their place

    async def call(self, api: API, arguments: dict[str, Any]) -> Observation:
        """What was recorded for these arguments, in whatever form they are written (see `normalised`).

        Raises:
            CallError: `not_recorded`, when there is nothing for them; else the failure that was recorded.
            RecordingError: the recordings cannot be read or written.
            ModelError: the simulator's model cannot be used.
        """
        key = normalised(api, arguments)
        found = recorded = await asyncio.to_thread(self._recordings.find, api.id, key)
        if self._replay == "nearest" and (found is None or _failed_anyhow(found)):
            found = await asyncio.to_thread(self._nearest, api, key)
        if self._simulator and found is None:
            found = await self._simulated(self._simulator, api, key)
        found = found or recorded
        if found is None or (found.simulated and not self._simulator):
            raise CallError(
                "not_recorded", f"Nothing is recorded for {api.name} with these arguments. Try others, or another tool."
            )
        return _replayed(found)

    def _nearest(self, api: API, key: str) -> Recording | None:
        """The recorded observation with the most arguments alike, the first of several."""
        asked = json.loads(key).items()
        return max(
            self._recordings.examples(api.id, _MOST_COMPARED),
            key=lambda one: sum(part in asked for part in json.loads(one.arguments).items()),
            default=None,
        )

    async def _simulated(self, simulator: Simulator, api: API, key: str) -> Recording | None:
        if earlier := self._instead.get((api.id, key)):
            return earlier
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
        stored = await asyncio.to_thread(self._recordings.find, api.id, key)
        failed = stored is not None and _failed_anyhow(stored)
        return self._instead.setdefault((api.id, key), made) if failed else stored


def _failed_anyhow(found: Recording) -> bool:
    """Whether it is a failure that other arguments would have had as well."""
    return isinstance(found.outcome, Failure) and found.outcome.kind in _OF_THE_SERVICE


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
