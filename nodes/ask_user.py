"""The user is asked for the arguments that neither the request nor an API gives (Reverse Chain, 2.1, case 3)."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, Literal

from jsonschema.exceptions import SchemaError
from langgraph.types import interrupt
from referencing.exceptions import Unresolvable

from toolquiver.calling.arguments import misfits
from toolquiver.catalog import API, JsonSchema, Parameter
from toolquiver.nodes.approve import REFUSE, can_wait
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.chain import Chained, Frame, Missing, changed, of_goal
from toolquiver.nodes.run import Run

GIVEN = "given"
_NOT_KNOWN = "Not known:"
_TRIES = 3  # questions in a row: who answers wrongly so often will not answer


async def ask_user(state: Chained, run: Run) -> Update:
    """Ask for all missing arguments of the goal together, and go on with the answers.

    The run stops with an interrupt whose value is a `question`, the `missing` arguments, and a `response_schema`, by
    which a client draws a form; `Command(resume={key: value, ...})` answers it, for a single argument also
    `Command(resume=value)`. `"refuse"`, or an answer that lacks one, ends the goal. A value that does not fit its
    schema is asked for again. Where nobody may be asked, or the run has no thread to wait on, the goal ends too.
    """
    missing = await missing_of(state, run)
    before = [entry for entry in state["unfilled"] if state["frames"][entry["frame"]]["goal"] != state["current"]]
    update: Update = {"unfilled": [*before, *missing]}
    if not run.context.ask or not can_wait():
        return {**update, "decided": "not given", "failure": not_known(missing)}
    given = _answers(interrupt(_question(missing, state["problem"]), response_schema=_schema(missing)), missing)
    lacking = [entry for entry in missing if entry["key"] not in given]
    if lacking:
        return {**update, "decided": "not given", "failure": f"Refused. {not_known(lacking)}"}
    if wrong := _wrong(given, missing):
        again = state["asked"] + 1
        end: Update = {"decided": "not given", "failure": f"{wrong} {not_known(missing)}"}
        return {**update, "asked": again, "problem": wrong, **(end if again >= _TRIES else {"decided": "asks again"})}
    return {
        **update,
        **_filled(given, missing, state),
        "unfilled": before,
        "asked": 0,
        "problem": "",
        "decided": GIVEN,
    }


async def missing_of(state: Chained, run: Run) -> list[Missing]:
    """The arguments of the goal's frames that nothing gives, each with what it is and why it is needed."""
    found = list[Missing]()
    for frame in sorted(of_goal(state), key=lambda frame: frame["id"]):
        (api,) = await run.apis([frame["api"]])
        found += [_entry(p, api, frame) for p in api.parameter_list() if p.name in frame["missing"]]
    names = Counter(entry["key"] for entry in found)
    return [
        entry | {"key": f"{entry['key']}_{entry['frame']}"} if names[entry["key"]] > 1 else entry for entry in found
    ]


def not_known(missing: list[Missing]) -> str:
    """What is missing, in one line."""
    listed = "; ".join(f"{entry['name']} ({entry['type']}): {entry['why']}" for entry in missing)
    return f"{_NOT_KNOWN} {listed}."


def is_not_known(message: str) -> bool:
    """Whether this is the reason of a call that a chain found no arguments for."""
    return message.startswith(_NOT_KNOWN)


def _entry(parameter: Parameter, api: API, frame: Frame) -> Missing:
    shared = {key: api.parameters[key] for key in ("$defs", "definitions") if key in api.parameters}
    purpose = "the request" if frame["parent"] is None else frame["task"]
    return Missing(
        key=parameter.name,
        frame=frame["id"],
        name=parameter.name,
        type=parameter.type,
        description=parameter.description,
        schema=shared | parameter.schema_,
        enum=list(parameter.schema_.get("enum", ())),
        why=f"{api.function} needs it for {purpose}",
    )


def _question(missing: list[Missing], problem: str) -> dict[str, Any]:
    asked = ", ".join(entry["name"] for entry in missing)
    return {
        "question": " ".join(filter(None, [problem, f"Needed, and not found out: {asked}."])),
        "missing": missing,
        "response_schema": _schema(missing),
        "answers": [REFUSE],
    }


def _schema(missing: list[Missing]) -> JsonSchema:
    """A JSON Schema of the answer: an object with a property for each argument; what they refer to lies at its root."""
    shared: dict[str, Any] = {}
    properties = {}
    for entry in missing:
        schema = _rooted(entry["schema"], entry["key"])
        shared |= schema.pop("$defs", {})
        about = f"{entry['description']} ({entry['why']})".strip()
        properties[entry["key"]] = schema | {"title": entry["key"], "description": about}
    return ({"$defs": shared} if shared else {}) | {
        "title": "Answer",
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _rooted(schema: JsonSchema, key: str) -> dict[str, Any]:
    """A parameter's schema whose definitions can lie beside those of others: they are named after its key."""
    text = json.dumps(schema)
    for name in ("$defs", "definitions"):
        text = text.replace(f'"#/{name}/', f'"#/$defs/{key}.')
    alone: dict[str, Any] = json.loads(text)
    defined = alone.pop("$defs", {}) | alone.pop("definitions", {})
    return alone | ({"$defs": {f"{key}.{name}": one for name, one in defined.items()}} if defined else {})


def _answers(answer: Any, missing: list[Missing]) -> dict[str, Any]:
    """The values given, by key; a single one need not be named."""
    if isinstance(answer, dict):
        return {entry["key"]: answer[entry["key"]] for entry in missing if answer.get(entry["key"]) not in (None, "")}
    if answer in (None, "", REFUSE) or len(missing) != 1:
        return {}
    return {missing[0]["key"]: answer}


def _wrong(given: dict[str, Any], missing: list[Missing]) -> str:
    """What is wrong with the values; empty when all fit. What a form gave as a text is read as its schema says."""
    for entry in missing:
        schema, value = entry["schema"], given[entry["key"]]
        try:
            fitting = [way for way in _ways(value) if not misfits(schema, way)]
            if not fitting:
                return f"{entry['name']}: {misfits(schema, value)[0]}"
        except (SchemaError, Unresolvable):  # nobody can say what fits
            fitting = [value]
        given[entry["key"]] = fitting[0]
    return ""


def _ways(value: Any) -> list[Any]:
    if not isinstance(value, str):
        return [value]
    try:
        return [value, json.loads(value)]
    except ValueError:
        return [value]


def _filled(given: dict[str, Any], missing: list[Missing], state: Chained) -> Update:
    frames = state["frames"]
    for entry in missing:
        frame = frames[entry["frame"]]
        frames = changed(
            frames,
            frame["id"],
            arguments=frame["arguments"] | {entry["name"]: given[entry["key"]]},
            origins=frame["origins"] | {entry["name"]: "user"},
            missing=[name for name in frame["missing"] if name != entry["name"]],
        )
    told = [f"{entry['name']} is {given[entry['key']]}." for entry in missing]
    return {"frames": frames, "said": [*state["said"], *told]}


def after_ask(state: Chained) -> Literal["given", "asks again", "not given"]:
    """With the answers the chain can run; without them it ends."""
    if state["decided"] == GIVEN:
        return "given"
    return "asks again" if state["decided"] == "asks again" else "not given"
