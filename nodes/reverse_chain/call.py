"""The calls, the deepest first, and the value that each gives to the one above it (Reverse Chain, 2.1, steps 3, 4)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, cast

from pydantic import RootModel

from toolquiver.calling import Failure, normalised
from toolquiver.calling.arguments import misfits
from toolquiver.catalog import API, JsonSchema
from toolquiver.contexts import ReverseChainContext
from toolquiver.json_texts import parsed
from toolquiver.marks import as_data
from toolquiver.models import shaped
from toolquiver.nodes.approve import call_if_approved
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.describe import call_text
from toolquiver.nodes.records import call_record
from toolquiver.nodes.reverse_chain.frames import changed, next_to_call, path_of
from toolquiver.nodes.reverse_chain.outcomes import argument_line, closed_object
from toolquiver.nodes.reverse_chain.state import AfterCall, AfterTake, Frame, ReverseChainState
from toolquiver.nodes.room import cut, room
from toolquiver.nodes.run import Run
from toolquiver.prompts import load_prompt

_WHOLE = 200_000  # characters of a response: a value is taken out of it by its path, so it must be whole
_LOOKED_AT = 2_000  # values of a response
_SHOWN = 40  # values to choose from
_NONE = "none of these"
_PROMPT = load_prompt("reverse_chain/take_output")


async def call(state: ReverseChainState, run: Run[ReverseChainContext]) -> Update:
    """Make the deepest call that has all its arguments, if need be after the user was asked.

    A call that was made before in this run is not made again. The limit of calls ends the task.
    """
    frame = next_to_call(state["frames"])
    assert frame is not None
    api = await run.api(frame["api"])
    if before := made_before(frame, api, state):
        frames = changed(state["frames"], frame["id"], stage=before["stage"], observation=before["observation"])
        return {"frames": frames, "decided": _after(frames, frame)}
    if len(state["calls"]) >= run.context.max_calls:
        why = f"The limit of {run.context.max_calls} calls is reached."
        frames = changed(state["frames"], path_of(state["frames"], frame["id"])[0], stage="failed", observation=why)
        return {"frames": frames, "decided": "the next call" if next_to_call(frames) else "all are made"}
    outcome = await call_if_approved(api, frame["arguments"], state, run, state["calls"], characters=_WHOLE)
    failed = isinstance(outcome, Failure)
    text = outcome.message if isinstance(outcome, Failure) else outcome.text
    frames = changed(state["frames"], frame["id"], stage="failed" if failed else "called", observation=text)
    record = call_record(frame["goal"], api.id, frame["arguments"], outcome)
    return {"frames": frames, "calls": [record], "decided": _after(frames, frame)}


def made_before(frame: Frame, api: API, state: ReverseChainState) -> Frame | None:
    """The frame that has made the same call for another argument or task; None where there is none."""
    same = normalised(api, frame["arguments"])
    if not any(made["api"] == api.id and normalised(api, made["arguments"]) == same for made in state["calls"]):
        return None
    others = [one for one in state["frames"] if one["stage"] in ("called", "failed") and one["api"] == api.id]
    return next((one for one in others if normalised(api, one["arguments"]) == same), None)


def _after(frames: Sequence[Frame], frame: Frame) -> AfterCall:
    if frame["parent"] is not None:
        return "it gives an argument"
    return "the next call" if next_to_call(frames) else "all are made"


class Places(RootModel[dict[str, str]]):
    """For each argument the path of the value that it is."""


async def take_output(state: ReverseChainState, run: Run[ReverseChainContext]) -> Update:
    """Fill the arguments that the call just made is to give, each by the path of its value in the output.

    Of the values that fit an argument's schema the model chooses the path, or none: a refusal is a text like any other.
    The code copies the value. Where there is none, its API is ruled out for the argument, which is open again.
    """
    frame = next(one for one in state["frames"] if _awaited(one, state["frames"]))
    parent = state["frames"][cast("int", frame["parent"])]
    names = _awaited(frame, state["frames"])
    found, cost = ({}, Update()) if frame["stage"] == "failed" else await _taken(names, frame, parent, state, run)
    changes: dict[str, Any] = {
        "arguments": parent["arguments"] | found,
        "origins": parent["origins"] | dict.fromkeys(found, "output"),
    }
    lacking = [name for name in names if name not in found]
    if not lacking:
        return {**cost, "frames": changed(state["frames"], parent["id"], **changes), "decided": "taken"}
    ruled_out = {name: [*parent["ruled_out"].get(name, ()), frame["api"]] for name in lacking}
    changes |= {
        "takes": {name: taken for name, taken in parent["takes"].items() if name not in lacking},
        "ruled_out": parent["ruled_out"] | ruled_out,
        "stage": "open",
    }
    frames = changed(state["frames"], parent["id"], **changes)
    return {**cost, "frames": frames, "stack": path_of(frames, parent["id"]), "decided": "not in there"}


def _awaited(frame: Frame, frames: Sequence[Frame]) -> list[str]:
    """The arguments that still wait for the output of this call; none where it was not made."""
    root = frames[path_of(frames, frame["id"])[0]]
    if frame["parent"] is None or frame["stage"] not in ("called", "failed") or root["stage"] == "failed":
        return []
    parent = frames[frame["parent"]]
    return [one for one in frame["fills"] if parent["takes"].get(one) == frame["id"] and one not in parent["arguments"]]


async def _taken(
    names: list[str], frame: Frame, parent: Frame, state: ReverseChainState, run: Run[ReverseChainContext]
) -> tuple[dict[str, Any], Update]:
    """The values that the parent's arguments get: of those that fit the model chooses, for all in one decision."""
    consumer = await run.whole(parent["api"])
    parameters = {one.name: one for one in consumer.parameter_list() if one.name in names}
    fitting = {name: fitting_values(frame["observation"], one.whole_schema) for name, one in parameters.items()}
    offered = {name: dict(list(values.items())[:_SHOWN]) for name, values in fitting.items() if values}
    if not offered:
        return {}, {}
    messages = _PROMPT.messages(
        query=state["query"],
        made=call_text(await run.api(frame["api"]), frame["arguments"]),
        result=as_data(cut(frame["observation"], await room("take", state, run))),
        consumer=consumer.function,
        arguments=[
            {
                "line": argument_line(parameters[name]),
                "values": [f"{path}: {as_data(json.dumps(one, ensure_ascii=False))}" for path, one in values.items()],
                "more": len(fitting[name]) - len(values),
            }
            for name, values in offered.items()
        ],
        none=_NONE,
    )
    decision, cost = await run.decide("take", _places(offered), messages, state)
    chosen = decision.root if decision else {}
    return {name: offered[name][path] for name, path in chosen.items() if path != _NONE}, cost


def _places(offered: dict[str, dict[str, Any]]) -> type[Places]:
    """The decision's type: for each argument one of its paths, or none of them."""
    paths = {name: {"enum": [*values, _NONE]} for name, values in offered.items()}
    schema: JsonSchema = {"title": "Places"} | closed_object(paths, paths)
    return shaped(Places, schema, lambda given: misfits(schema, given.root))


def fitting_values(text: str, wanted: JsonSchema) -> dict[str, Any]:
    """The values in a response that fit the schema, by their paths; of equal ones the first."""
    try:
        data = parsed(text)
    except ValueError:
        data = text
    found: dict[str, Any] = {}
    for path, value in _values(data):
        if value not in (None, "") and not misfits(wanted, value) and not _is_among(value, found):
            found[path] = value
    return found


def _is_among(value: Any, found: dict[str, Any]) -> bool:
    return any(value == other and type(value) is type(other) for other in found.values())


def _values(data: Any) -> Iterator[tuple[str, Any]]:
    """Every value with its path, such as `rooms[0].id`; of a list of objects also all values of a key, `rooms[].id`."""
    waiting: list[tuple[str, Any]] = [("", data)]
    for path, value in waiting:
        yield path or "the whole", value
        inner: list[tuple[str, Any]] = []
        if isinstance(value, dict):
            inner = [(f"{path}.{key}" if path else str(key), part) for key, part in value.items()]
        elif isinstance(value, list):
            inner = [(f"{path}[{place}]", part) for place, part in enumerate(value)]
            rows = [row for row in value if isinstance(row, dict)]
            if rows and len(rows) == len(value):
                common = [key for key in rows[0] if all(key in row for row in rows)]
                yield from ((f"{path}[].{key}", [row[key] for row in rows]) for key in common)
        waiting += inner[: max(0, _LOOKED_AT - len(waiting))]


def after_call(state: ReverseChainState) -> AfterCall:
    """The edge that the node has decided on."""
    return cast("AfterCall", state["decided"])


def after_take(state: ReverseChainState) -> AfterTake:
    """The edge that the node has decided on."""
    return cast("AfterTake", state["decided"])
