"""The user is asked last, for what neither the request nor an API gives (Reverse Chain, 2.1, case 3)."""

from __future__ import annotations

from collections import Counter
from typing import Any, cast

from toolquiver.contexts import ReverseChainContext
from toolquiver.nodes.approve import can_wait
from toolquiver.nodes.asking import WRONG_REPLIES, Missing, faults, missing_argument, reply_of_user
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.reverse_chain.frames import below, changed, living, next_to_call, roots
from toolquiver.nodes.reverse_chain.state import AfterAsking, Frame, ReverseChainState
from toolquiver.nodes.run import Run

Place = tuple[int, str]
"""Where a missing argument belongs: a frame's id, and the argument's name."""


async def ask_user(state: ReverseChainState, run: Run[ReverseChainContext]) -> Update:
    """Ask for all missing arguments of the plan together, and go on with the reply.

    The interrupt and its replies are as in `nodes.asking.reply_of_user`. A value that does not fit is asked for again.
    Where nobody replies, or nobody may be asked, the tasks that lack something are not done; what is missing stands in
    `unfilled`.
    """
    missing = await missing_of(state, run)
    entries = list(missing.values())
    if not (run.context.ask and can_wait()):
        return _not_given(missing, state)
    given = reply_of_user(entries, state["wrong"])
    if given is None:
        return _not_given(missing, state)
    if wrong := faults(given, entries):
        if state["asked"] + 1 >= WRONG_REPLIES:
            return _not_given(missing, state)
        return {"unfilled": entries, "wrong": wrong, "asked": state["asked"] + 1, "decided": "asks again"}
    frames = state["frames"]
    for (frame_id, name), entry in missing.items():
        frames = _filled(frames, frame_id, name, given[entry["key"]])
    return {"frames": frames, "unfilled": [], "wrong": "", "asked": 0, "decided": "it goes on"}


async def missing_of(state: ReverseChainState, run: Run[ReverseChainContext]) -> dict[Place, Missing]:
    """The arguments that nobody gives, by their places: what each is, and which call needs it for what."""
    found: dict[Place, Missing] = {}
    for frame in living(state["frames"]):
        api = await run.api(frame["api"])
        for parameter in api.parameter_list():
            if parameter.name in frame["missing"]:
                why = f"{api.function} needs {parameter.name}, for: {frame['task']}."
                found[frame["id"], parameter.name] = missing_argument(parameter, why)
    names = Counter(name for _, name in found)
    taken = set(names)
    for (frame_id, name), entry in found.items():
        if names[name] > 1:  # a key of its own, which no other argument has
            entry["key"] = next(key for key in _keys(name, frame_id) if key not in taken)
            taken.add(entry["key"])
    return found


def _keys(name: str, frame_id: int) -> Any:
    yield f"{name}_{frame_id}"
    yield from (f"{name}_{frame_id}_{number}" for number in range(2, 1_000))


def _filled(frames: list[Frame], frame_id: int, name: str, value: Any) -> list[Frame]:
    frame = frames[frame_id]
    return changed(
        frames,
        frame_id,
        arguments=frame["arguments"] | {name: value},
        origins=frame["origins"] | {name: "user"},
        missing=[other for other in frame["missing"] if other != name],
    )


def _not_given(missing: dict[Place, Missing], state: ReverseChainState) -> Update:
    """The tasks that lack something cannot be done; others can."""
    frames = state["frames"]
    for root in roots(frames):
        inside = {frame["id"] for frame in below(frames, root["id"])}
        if lacking := [entry["name"] for (frame_id, _), entry in missing.items() if frame_id in inside]:
            frames = changed(frames, root["id"], stage="failed", observation=f"Not known: {', '.join(lacking)}.")
    left = "it goes on" if next_to_call(frames) else "not given"
    return {"frames": frames, "unfilled": list(missing.values()), "wrong": "", "asked": 0, "decided": left}


def after_ask(state: ReverseChainState) -> AfterAsking:
    """The edge that the node has decided on."""
    return cast("AfterAsking", state["decided"])
