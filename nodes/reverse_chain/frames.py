"""How the calls of a plan hang together: all are in one list, a frame's id is its place."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, cast

from toolquiver.catalog import API, ApiId, Parameter
from toolquiver.nodes.reverse_chain.state import Frame

Purpose = tuple[ApiId, ApiId, str]
"""What an API is on the stack for: it, the API that it feeds, and the argument."""


def new_frame(
    frames: Sequence[Frame], api: ApiId, *, task: str, goal: int, parent: int | None = None, fills: Sequence[str] = ()
) -> Frame:
    """A frame after these, of which nothing is known yet."""
    return Frame(
        id=len(frames),
        parent=parent,
        fills=list(fills),
        goal=goal,
        api=api,
        task=task,
        arguments={},
        origins={},
        wanted=[],
        takes={},
        without_value=[],
        missing=[],
        left_out=[],
        ruled_out={},
        stage="open",
        observation="",
    )


def changed(frames: Sequence[Frame], frame_id: int, **changes: Any) -> list[Frame]:
    """The frames with one of them changed; none is changed in place."""
    return [cast("Frame", {**frame, **changes}) if frame["id"] == frame_id else frame for frame in frames]


def path_of(frames: Sequence[Frame], frame_id: int) -> list[int]:
    """The ids from the task's frame to this one."""
    path = [frame_id]
    while (parent := frames[path[-1]]["parent"]) is not None:
        path.append(parent)
    return path[::-1]


def purposes(frames: Sequence[Frame], frame_id: int) -> set[Purpose]:
    """What the frames from the task's to this one are for."""
    path = [frames[one] for one in path_of(frames, frame_id)]
    return {(one["api"], above["api"], name) for above, one in pairwise(path) for name in one["fills"]}


def roots(frames: Sequence[Frame]) -> list[Frame]:
    """The frames of the tasks."""
    return [frame for frame in frames if frame["parent"] is None]


def below(frames: Sequence[Frame], root: int) -> list[Frame]:
    """A frame and all that it takes its arguments from, a frame before those that feed it."""
    found = [root]
    for frame_id in found:
        found += dict.fromkeys(frames[frame_id]["takes"].values())
    return [frames[frame_id] for frame_id in found]


def living(frames: Sequence[Frame]) -> list[Frame]:
    """The frames that count: those below a task that has not failed, in the order of their ids."""
    found = [frame for root in roots(frames) if root["stage"] != "failed" for frame in below(frames, root["id"])]
    return sorted(found, key=lambda frame: frame["id"])


def undecided(frame: Frame, api: API) -> list[Parameter]:
    """The parameters of which nobody has said yet where their values come from."""
    wanted = {name for one in frame["wanted"] for name in one["gives"]}
    decided = {*frame["arguments"], *wanted, *frame["takes"], *frame["missing"], *frame["left_out"]}
    return [parameter for parameter in api.parameter_list() if parameter.name not in decided]


def without_done(stack: Sequence[int], frames: Sequence[Frame]) -> list[int]:
    """The stack without the frames on top that are decided on and wait for no further frame."""
    left = list(stack)
    while left and frames[left[-1]]["stage"] != "open" and not frames[left[-1]]["wanted"]:
        left.pop()
    return left


def next_to_call(frames: Sequence[Frame]) -> Frame | None:
    """The call that is made next: the deepest of those that have all that they take, of these the first."""
    planned = [frame for frame in living(frames) if frame["stage"] == "planned"]
    ready = [frame for frame in planned if frame["takes"].keys() <= frame["arguments"].keys()]
    return max(ready, key=lambda frame: (len(path_of(frames, frame["id"])), -frame["id"]), default=None)
