"""Another API for an argument, before the user is asked for what the one chosen needs (Reverse Chain, 2.1, case 3)."""

from __future__ import annotations

from collections.abc import Sequence

from toolquiver.nodes.chain.frames import ChainState, Frame, below, changed, frame_path, goal_frames
from toolquiver.nodes.chain.offers import offers
from toolquiver.nodes.run import Run

_MOST = 12  # frames that are set aside for a goal: then asking costs less than looking on


async def another_way(frames: Sequence[Frame], state: ChainState, run: Run) -> tuple[list[Frame], list[int]]:
    """The frames with one of them open again whose argument another API may give, and the stack that leads to it.

    The deepest first. A frame that lacks something that nothing gives is set aside for the next API that is offered.
    Where no other is left the first one stays, for the user knows best what was thought of first. With nothing left to
    try, or enough tried, the stack is empty.
    """
    found, counted = list(frames), goal_frames(frames, state["current"])
    if sum(frame["goal"] == state["current"] for frame in found) - len(counted) >= _MOST:
        return found, []
    for frame in reversed(counted):
        if frame["parent"] is None or not any(one["missing"] for one in below(found, frame["id"])):
            continue
        parent = found[frame["parent"]]
        first = parent.get("aside", {})
        names = [name for name in frame["feeds"] if parent["takes"].get(name) == frame["id"] != first.get(name)]
        if not names:
            continue
        aside = dict.fromkeys(names, frame["id"]) | first
        ruled_out = {name: [*parent["ruled_out"].get(name, ()), frame["api"]] for name in names}
        opened = changed(
            found,
            parent["id"],
            takes={name: taken for name, taken in parent["takes"].items() if name not in names},
            ruled_out=parent["ruled_out"] | ruled_out,
            aside=aside,
            stage="open",
        )
        stack = frame_path(opened, parent["id"])
        if await _has_another(opened[parent["id"]], names, {**state, "frames": opened, "stack": stack}, run):
            return opened, stack
        kept = {name: aside[name] for name in names}
        found = changed(found, parent["id"], takes=parent["takes"] | kept, aside=aside)
    return found, []


async def _has_another(frame: Frame, names: Sequence[str], state: ChainState, run: Run) -> bool:
    """Whether some API is left for each of these arguments."""
    api = await run.api(frame["api"])
    parameters = [parameter for parameter in api.parameter_list() if parameter.name in names]
    return all((await offers(frame, api, parameters, state, run)).values())
