"""The slice of a reverse chain: frames that are completed backwards, and the stack of those in work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, NotRequired

from langgraph.channels import EphemeralValue
from typing_extensions import TypedDict

from toolquiver.catalog import API, ApiId
from toolquiver.nodes.records import Call
from toolquiver.nodes.responses import Response
from toolquiver.nodes.state import Draft, Query, Result, Working

Origin = Literal["query", "context", "output", "user"]
"""Where an argument comes from: the request, what was said or found out before, an API's output, the user."""

Stage = Literal["open", "planned", "called", "failed"]

Purpose = tuple[ApiId, ApiId | None, str]
"""An API, and the API and its parameter that it is to feed; for a goal None and the goal itself."""


class Frame(TypedDict):
    """One call of the plan, and what is known of its arguments.

    `parent` is the frame that its output feeds, by the parameters `feeds`; a goal's frame has none. `wanted` are the
    producers chosen for arguments that have no frame yet, `takes` the frames that arguments take their values from,
    `ruled_out` the producers that failed for an argument, or lack something that nothing gives; `aside` the first of
    those frames by argument. `missing` are required arguments that nothing gives. `draft` is how the call was written
    down before anything of it was checked, if it was.
    """

    id: int
    goal: int
    parent: int | None
    feeds: list[str]
    api: ApiId
    task: str
    arguments: dict[str, Any]
    origins: dict[str, Origin]
    wanted: dict[str, ApiId]
    takes: dict[str, int]
    missing: list[str]
    ruled_out: dict[str, list[ApiId]]
    stage: Stage
    observation: str
    draft: NotRequired[Draft | None]
    aside: NotRequired[dict[str, int]]


class Missing(TypedDict):
    """An argument that nothing but the user can give: where it belongs, what it is, why it is needed.

    `key` names it in the answer; `schema` is the parameter's own JSON Schema.
    """

    key: str
    frame: int
    name: str
    type: str
    description: str
    schema: dict[str, Any]
    enum: list[Any]
    why: str


class PlanNode(TypedDict):
    """A node of the plan's tree, as `toolquiver.trees` draws it; the root, 0, is the question."""

    id: int
    parent: int | None
    label: str
    thought: str
    calls: list[str]
    observations: list[str]
    mark: str


class ChainState(Working):
    """The slice of a reverse chain.

    `frames` are all calls of the plan, by id; `stack` has the ids of those in work, from the goal's to the one on top.
    `pool` are the candidates for the current goal, `failed_roots` those that were tried for it. `said` is the
    conversation before the query, and what the user answered. `unfilled` is what was asked of the user, or would have
    to be; `asked` counts the questions in a row, `problem` says what was wrong with the last answer. `failure` says why
    the current goal cannot be reached. `plan` has a nested call a goal. `fills` is whether only the arguments of the
    goal's call are wanted, which another graph makes; `made` are the calls of that one before. `may_ask` is whether
    that one asks the user for what this call lacks; without it, the user is asked. `waiting` are the drafts of the
    goals that come next. `responses` are what calls of chains before this one came to, `removed` the APIs that a
    reflection has found not to suffice.
    """

    conversation: NotRequired[Annotated[list[str], EphemeralValue]]
    frames: list[Frame]
    stack: list[int]
    pool: list[ApiId]
    failed_roots: list[ApiId]
    said: list[str]
    unfilled: list[Missing]
    asked: int
    problem: str
    failure: str
    plan: list[str]
    tree: list[PlanNode]
    fills: bool
    made: NotRequired[list[Call]]
    may_ask: NotRequired[bool]
    waiting: NotRequired[list[Draft]]
    responses: NotRequired[list[Response]]
    removed: NotRequired[list[ApiId]]


class Asked(Query):
    """What goes in: the question, and optionally the conversation before it, a text a turn."""

    conversation: NotRequired[Annotated[list[str], EphemeralValue]]


class ReverseChainResult(Result):
    """What comes out, with the plan as nested calls and as a tree, and what nobody but the user can give."""

    plan: list[str]
    tree: list[PlanNode]
    unfilled: list[Missing]


def a_frame(frames: Sequence[Frame], api: ApiId, task: str, goal: int, **more: Any) -> Frame:
    """A new frame after these; with `parent` and `feeds` for one whose output is an argument."""
    return Frame(
        id=len(frames),
        goal=goal,
        parent=more.get("parent"),
        feeds=more.get("feeds", []),
        api=api,
        task=task,
        arguments={},
        origins={},
        wanted={},
        takes={},
        missing=[],
        ruled_out={},
        stage="open",
        observation="",
        draft=more.get("draft"),
    )


def written_for(frame: Frame, name: str) -> Draft | None:
    """The call that the frame's draft, if it has one, takes this argument from."""
    draft = frame.get("draft")
    return draft["calls"].get(name) if draft else None


def is_meant(frame: Frame) -> bool:
    """Whether the frame's draft says who gives its arguments, so that nobody else is looked for."""
    draft = frame.get("draft")
    return bool(draft and draft.get("meant"))


def changed(frames: Sequence[Frame], frame_id: int, **changes: Any) -> list[Frame]:
    """The frames with one of them changed; none is changed in place."""
    return [Frame(**{**frame, **changes}) if frame["id"] == frame_id else frame for frame in frames]  # type: ignore[typeddict-item]


def of_goal(state: ChainState) -> list[Frame]:
    """The frames of the current goal that still count, its own first."""
    return goal_frames(state["frames"], state["current"])


def goal_frames(frames: Sequence[Frame], goal: int) -> list[Frame]:
    """The frames of a goal that still count: those below the last that was to do the goal itself."""
    roots = (frame["id"] for frame in reversed(frames) if frame["goal"] == goal and frame["parent"] is None)
    return next((below(frames, root) for root in roots), [])


def below(frames: Sequence[Frame], root: int) -> list[Frame]:
    """A frame and all that it takes its arguments from, a frame before those that feed it."""
    found = [root]
    for frame_id in found:
        found += [taken for taken in dict.fromkeys(frames[frame_id]["takes"].values()) if taken not in found]
    return [frames[frame_id] for frame_id in found]


def frame_path(frames: Sequence[Frame], frame_id: int) -> list[int]:
    """The ids from the goal's frame to this one: the stack when it is worked on."""
    path = [frame_id]
    while (parent := frames[path[-1]]["parent"]) is not None:
        path.append(parent)
    return path[::-1]


def next_stack(stack: Sequence[int], frames: Sequence[Frame], goal: int) -> list[int]:
    """The stack without the frames on top that are planned and wait for no further frame.

    When none is left, the one that leads to a frame of the goal that is open again, because what fed it failed.
    """
    left = list(stack)
    while left and frames[left[-1]]["stage"] != "open" and not frames[left[-1]]["wanted"]:
        left.pop()
    again = (frame["id"] for frame in goal_frames(frames, goal) if frame["stage"] == "open" or frame["wanted"])
    return left or next((frame_path(frames, frame_id) for frame_id in again), [])


def purposes(frame: Frame, frames: Sequence[Frame]) -> set[Purpose]:
    """What a frame is for, a purpose for each argument that it feeds."""
    if frame["parent"] is None:
        return {(frame["api"], None, frame["task"])}
    consumer = frames[frame["parent"]]["api"]
    return {(frame["api"], consumer, name) for name in frame["feeds"]}


def filled(frame: Frame, api: API) -> bool:
    """Whether every argument that the frame needs or takes has its value."""
    needed = {p.name for p in api.required_list()} | frame["takes"].keys() | frame["wanted"].keys()
    return needed <= frame["arguments"].keys()
