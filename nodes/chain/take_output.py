"""The value that an argument takes out of another call's output (Reverse Chain, 2.1, steps 3 and 4)."""

from __future__ import annotations

import json
from typing import Any, Literal

from pydantic import BaseModel, create_model

from toolquiver.catalog.outputs import path_text
from toolquiver.catalog.text import shortened
from toolquiver.marks import as_data
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.chain.along import zone_along
from toolquiver.nodes.chain.frames import ChainState, Frame, changed, goal_frames, next_stack, of_goal
from toolquiver.nodes.chain.values import Part, beside, called, hit, likeliest, parts_for, telling
from toolquiver.nodes.costs import after, both
from toolquiver.nodes.describe import call_text, parameter_line
from toolquiver.nodes.run import Run
from toolquiver.nodes.shapes import one_of
from toolquiver.prompts import load_prompt

_SHOWN = 24  # parts to choose from
_BESIDE = 160  # characters of what stands beside a value
_NOTHING = "none of these"
_PROMPT = load_prompt("take")


class Place(BaseModel):
    """The path of the part that is the argument."""

    path: str


async def take_output(state: ChainState, run: Run) -> Update:
    """Fill the arguments that the calls just made feed.

    One that fits best is taken by its path, of the hits of a search the ID of what it was for; of several others the
    model chooses a path, and the value is copied by code. Where it chooses none, the first of those is taken that are
    called what was searched for: of three cities of one name no other call gives another. Where a call failed or its
    output has no such value, its API is ruled out for the argument, which is completed again.
    """
    frames, cost = state["frames"], Update()
    for frame in of_goal(state):
        if frame["parent"] is None or frame["stage"] not in ("called", "failed"):
            continue
        if not _awaited(frame, frames[frame["parent"]]):
            continue
        values, spent = await _taken(frame, frames[frame["parent"]], after(state, cost), run)
        cost = both(cost, spent)
        frames = _fed(frames, frame, values)
    goal, *others = goal_frames(frames, state["current"])
    update: Update = {"frames": frames, "stack": next_stack([], frames, state["current"]), **cost}
    filled = state["fills"] and not update["stack"] and all(frame["stage"] == "called" for frame in others)
    if state["failure"] or goal["stage"] == "called" or filled:
        return {**update, "decided": "goal over"}
    if goal["stage"] == "failed":
        why = shortened(goal["observation"])
        failed = [*state["failed_roots"], goal["api"]]
        return {**update, "failed_roots": failed, "decided": "select again", "failure": why}
    return {**update, "decided": "complete again" if update["stack"] else "next calls"}


def _awaited(frame: Frame, parent: Frame) -> list[str]:
    """The arguments that the parent still takes from this frame: one that it could not give may have another by now."""
    return [
        name for name in frame["feeds"] if parent["takes"].get(name) == frame["id"] and name not in parent["arguments"]
    ]


async def _taken(frame: Frame, parent: Frame, state: ChainState, run: Run) -> tuple[dict[str, Any], Update]:
    """What the frame's output gives for each argument that it feeds, and what choosing cost."""
    if frame["stage"] == "failed":
        return {}, {}
    producer, consumer = await run.api(frame["api"]), await run.api(parent["api"])
    values, places, cost = dict[str, Any](), list[Part](), Update()
    awaited = _awaited(frame, parent)
    for parameter in consumer.parameter_list():
        if parameter.name not in awaited:
            continue
        fitting = parts_for(frame["observation"], parameter, producer, consumer)
        parts = telling(fitting, producer, frame["arguments"], parameter)
        place = parts[0] if len(parts) == 1 else None
        if len(parts) > 1:
            place = hit(parts, frame["observation"], frame["arguments"], parameter, state["query"])
        if len(parts) > 1 and not place:
            shown = {
                "query": state["query"],
                "call": call_text(producer, frame["arguments"]),
                "parameter": parameter_line(parameter),
                "task": f"{frame['task']}, for {parent['task']}",
            }
            few = likeliest(parts, frame["observation"], f"{state['query']} {frame['task']}", _SHOWN)
            place, spent = await _chosen(few, frame, shown, after(state, cost), run)
            cost = both(cost, spent)
            place = place or called(parts, frame["observation"], frame["arguments"])
        if place:
            values[parameter.name] = place.value
            places.append(place)
    said = f"{state['query']} {parent['task']}"
    return values | zone_along(places, frame["observation"], parent, consumer, said), cost


async def _chosen(
    parts: list[Part], frame: Frame, shown: dict[str, str], state: ChainState, run: Run
) -> tuple[Part | None, Update]:
    """The part that the model chooses by its path; None when it says that none is, or gives no valid choice."""
    by_path = {path_text(part.path): part for part in parts}
    shape = create_model("Place", __base__=Place, path=(one_of([*by_path, _NOTHING]), ...))
    lines = [f"{path}: {as_data(_line(part, frame))}" for path, part in by_path.items()]
    decision, cost = await run.decide("take", shape, _PROMPT.messages(**shown, parts=lines, nothing=_NOTHING), state)
    return (by_path.get(decision.path) if decision else None), cost


def _line(part: Part, frame: Frame) -> str:
    """A value as it is shown, with what stands beside it in its object."""
    place = beside(part, frame["observation"])
    told = f" in {shortened(json.dumps(place, ensure_ascii=False), _BESIDE)}" if place else ""
    return f"{shortened(json.dumps(part.value, ensure_ascii=False))}{told}"


def _fed(frames: list[Frame], frame: Frame, values: dict[str, Any]) -> list[Frame]:
    """The frames with these values given to the parent, which is open again where one is lacking."""
    assert frame["parent"] is not None
    parent = frames[frame["parent"]]
    lacking = [name for name in _awaited(frame, parent) if name not in values]
    ruled_out = {name: [*parent["ruled_out"].get(name, ()), frame["api"]] for name in lacking}
    return changed(
        frames,
        parent["id"],
        arguments=parent["arguments"] | values,
        origins=parent["origins"] | dict.fromkeys(values, "output"),
        takes={name: taken for name, taken in parent["takes"].items() if name not in lacking}
        | dict.fromkeys(values, frame["id"]),  # what goes along was not asked for
        ruled_out=parent["ruled_out"] | ruled_out,
        stage="open" if lacking else parent["stage"],
    )


def after_take(state: ChainState) -> Literal["next calls", "complete again", "select again", "goal over"]:
    """On with the calls, back to an argument whose producer failed, or to another API for the goal."""
    match state["decided"]:
        case "next calls":
            return "next calls"
        case "complete again":
            return "complete again"
        case "select again":
            return "select again"
    return "goal over"
