"""Recordings in place of all that a catalogue would call."""

from __future__ import annotations

from toolquiver.calling.replay.caller import Replay, ReplayCaller
from toolquiver.calling.replay.recordings import Recordings
from toolquiver.calling.replay.simulator import Simulator
from toolquiver.catalog import Catalog
from toolquiver.catalog.sources import PYTHON


def replay_callers(
    catalog: Catalog, recordings: Recordings, simulator: Simulator | None = None, *, replay: Replay = "exact"
) -> dict[str, ReplayCaller]:
    """A caller for every source of the catalogue, by the source's key, that gives what was recorded and calls nothing.

    `simulator` makes up what is not recorded; without one that is a failure, or with `replay` "nearest" what the API
    answered to other arguments.
    """
    caller = ReplayCaller(recordings, simulator, replay=replay)
    return dict.fromkeys((PYTHON, "", *(source.key for source in catalog.sources())), caller)
