"""Recorded calls: made once, kept in a file, given again; what is missing may be made up by a model, and is marked."""

from toolquiver.calling.replay.caller import SIMULATED, Replay, ReplayCaller
from toolquiver.calling.replay.callers import replay_callers
from toolquiver.calling.replay.recorder import RecordingCaller
from toolquiver.calling.replay.recordings import Recording, Recordings
from toolquiver.calling.replay.simulator import Render, Simulator
from toolquiver.calling.replay.toolbench import Imported, import_toolbench

__all__ = [
    "SIMULATED",
    "Imported",
    "Recording",
    "RecordingCaller",
    "Recordings",
    "Render",
    "Replay",
    "ReplayCaller",
    "Simulator",
    "import_toolbench",
    "replay_callers",
]
