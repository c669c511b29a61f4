"""The user is asked for the arguments that neither the request nor an API gives (Reverse Chain, 2.1, case 3)."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any, Final, Literal

from langgraph.types import interrupt

from toolquiver.calling.arguments import misfits
from toolquiver.catalog import API, JsonSchema, Parameter
from toolquiver.catalog.outputs import kinds
from toolquiver.json_texts import parsed
from toolquiver.nodes.approve import REFUSE, can_wait
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.chain.frames import ChainState, Frame, Missing, changed, of_goal
from toolquiver.nodes.run import Run

GIVEN: Final = "given"
_NOT_KNOWN = "Not known:"
_TRIES = 3  # questions in a row: who answers wrongly so often will not answer


async def ask_user(state: ChainState, run: Run) -> Update:
    """Ask for all missing arguments of the goal together, and go on with the answers.

    The run stops with an interrupt whose value is a `question`, the `missing` arguments, and a `response_schema`, by
    which a client draws a form; `Command(resume={key: value, ...})` answers it, for a single argument also
    `Command(resume=value)`. `"refuse"`, or an answer that lacks one, ends the goal. Values that do not fit their schema
    are asked for again, and so are those that lack where others are given, of names that nobody asked for; what was
    given is kept. Where nobody may be asked, or the run has no thread and checkpointer to wait on, the goal ends too.
    """
    missing = await missing_of(state, run)
    before = [entry for entry in state["unfilled"] if state["frames"][entry["frame"]]["goal"] != state["current"]]
    update: Update = {"unfilled": [*before, *missing]}
    if not can_ask(state, run):
        return {**update, "decided": "not given", "failure": not_known(missing)}
    answer = interrupt(_question(missing, state["problem"]), response_schema=_schema(missing))
    given = _answers(answer, missing)
    lacking = [entry for entry in missing if entry["key"] not in given]
    answered = [entry for entry in missing if entry["key"] in given]
    faults = _faults(given, answered)
    if strange := _strange_keys(answer, missing):  # whoever misspells a name has not refused
        faults |= {entry["key"]: f"{entry['key']} is missing, and nobody asked for {strange}." for entry in lacking}
        lacking = []
    update = _filled(given, [entry for entry in answered if entry["key"] not in faults], state)
    if lacking:
        left_open = [entry for entry in missing if entry in lacking or entry["key"] in faults]
        why = not_known(left_open) if answered else f"Refused. {not_known(left_open)}"
        return {**update, "unfilled": [*before, *left_open], "decided": "not given", "failure": why}
    if not faults:
        return {**update, "unfilled": before, "asked": 0, "problem": "", "decided": GIVEN}
    left = [entry for entry in missing if entry["key"] in faults]
    again, problem = state["asked"] + 1, "; ".join(faults.values())
    update |= {"unfilled": [*before, *left], "asked": again, "problem": problem, "decided": "asks again"}
    return update | ({"decided": "not given", "failure": f"{problem} {not_known(left)}"} if again >= _TRIES else {})


def can_ask(state: ChainState, run: Run) -> bool:
    """Whether there is somebody to ask, and it is this call that they may be asked about."""
    return state.get("may_ask", True) and run.context.ask and can_wait()


async def missing_of(state: ChainState, run: Run) -> list[Missing]:
    """The arguments of the goal's frames that nothing gives, each with what it is and why it is needed."""
    found = list[Missing]()
    for frame in sorted(of_goal(state), key=lambda frame: frame["id"]):
        api = await run.api(frame["api"])
        found += [_entry(p, api, frame) for p in api.parameter_list() if p.name in frame["missing"]]
    return _with_keys(found)


def _with_keys(found: list[Missing]) -> list[Missing]:
    """Each under a key of its own: its name, with its frame's number after a name that several have."""
    names = Counter(entry["name"] for entry in found)
    taken = {name for name, times in names.items() if times == 1}
    told = list[Missing]()
    for entry in found:
        key = entry["name"]
        if names[key] > 1:
            key = next(key for key in _keys(f"{key}_{entry['frame']}") if key not in taken)
            taken.add(key)
        told.append(entry | {"key": key})
    return told


def _keys(key: str) -> Iterator[str]:
    """A key, and others that begin with it."""
    yield key
    yield from (f"{key}_{number}" for number in count(2))


def is_among(entry: Missing, others: Iterable[Missing]) -> bool:
    """Whether one of the others is the same argument of the same call; its key may change as others are given."""
    return any(entry | {"key": other["key"]} == other for other in others)


def not_known(missing: list[Missing]) -> str:
    """What is missing, in one line."""
    listed = "; ".join(f"{entry['name']} ({entry['type']}): {entry['why']}" for entry in missing)
    return f"{_NOT_KNOWN} {listed}."


def only_the_user_knows(message: str) -> bool:
    """Whether this is the reason of a call that lacks what nothing gives, and that the user did not give either."""
    return _NOT_KNOWN in message


def _entry(parameter: Parameter, api: API, frame: Frame) -> Missing:
    purpose = "the request" if frame["parent"] is None else frame["task"]
    return Missing(
        key=parameter.name,
        frame=frame["id"],
        name=parameter.name,
        type=parameter.type,
        description=parameter.description,
        schema=parameter.whole_schema,
        enum=list(parameter.schema_.get("enum", ())),
        why=f"{api.function} needs it for {purpose}",
    )


def _question(missing: list[Missing], problem: str) -> dict[str, Any]:
    names = Counter(entry["name"] for entry in missing)
    asked = ", ".join(e["name"] if names[e["name"]] == 1 else f"{e['key']} ({e['why']})" for e in missing)
    return {
        "question": " ".join(filter(None, [problem, f"Needed, and not found out: {asked}."])),
        "missing": missing,
        "response_schema": _schema(missing),
        "answers": [REFUSE],
    }


def _schema(missing: list[Missing]) -> JsonSchema:
    """A JSON Schema of the answer: an object with a property for each argument, or the word that refuses.

    What the properties refer to lies at its root.
    """
    shared: dict[str, Any] = {}
    properties = {}
    for entry in missing:
        schema = _rooted(entry["schema"], entry["key"])
        shared |= schema.pop("$defs", {})
        about = f"{entry['description']} ({entry['why']})".strip()
        properties[entry["key"]] = schema | {"title": entry["key"], "description": about}
    return ({"$defs": shared} if shared else {}) | {
        "title": "Answer",
        "anyOf": [{"title": "Answer", "type": "object"}, {"title": "Refuse", "const": REFUSE}],
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
    """The values given, by key; a single one need not be named, be it an object itself."""
    alone = missing[0] if len(missing) == 1 else None
    if isinstance(answer, dict) and not (alone and _is_its_value(answer, alone)):
        named = [entry for entry in missing if entry["key"] in answer]
        return {entry["key"]: answer[entry["key"]] for entry in named if _says(answer[entry["key"]], entry)}
    return {} if answer in (None, "", REFUSE) or not alone else {alone["key"]: answer}


def _strange_keys(answer: Any, missing: list[Missing]) -> str:
    """The names in an answer that were not asked for."""
    if not isinstance(answer, dict) or (len(missing) == 1 and _is_its_value(answer, missing[0])):
        return ""
    return ", ".join(sorted(repr(key) for key in answer.keys() - {entry["key"] for entry in missing}))


def _says(value: Any, entry: Missing) -> bool:
    """Whether a value is given at all; nothing is one where the argument may be nothing."""
    return not misfits(entry["schema"], None) if value is None else value != ""


def _is_its_value(answer: dict[str, Any], entry: Missing) -> bool:
    """Whether an object is the value itself, and not the answer that names it."""
    fits = "object" in kinds(entry["schema"]) or _fitting(answer, entry["schema"]) is not None
    return bool(answer) and entry["key"] not in answer and fits


def _faults(given: dict[str, Any], missing: list[Missing]) -> dict[str, str]:
    """What is wrong with the values, by key. What a form gave as a text is read as its schema says."""
    faults = dict[str, str]()
    for entry in missing:
        value = given[entry["key"]]
        fitting = _fitting(value, entry["schema"])
        if fitting is None and value is not None:
            wrong = misfits(entry["schema"], value) or [f"{value!r} is no number of JSON"]
            faults[entry["key"]] = f"{entry['name']}: {wrong[0]}"
        else:
            given[entry["key"]] = fitting
    return faults


def _fitting(value: Any, schema: JsonSchema) -> Any:
    """The value as the schema takes it; None where it does not, or where it is a number that JSON does not have."""
    ways = (way for way in _ways(value, schema) if not (isinstance(way, float) and not math.isfinite(way)))
    return next((way for way in ways if not misfits(schema, way)), None)


def _ways(value: Any, schema: JsonSchema) -> list[Any]:
    """How a value may be meant: as it is, as JSON, and for a list as words with commas between, or a single thing."""
    if not isinstance(value, str):
        return [value]
    ways = [value, *_read(value)]
    if kinds(schema) == {"array"}:
        words = [word.strip() for word in value.split(",") if word.strip()]
        ways += [words, [next(iter(_read(word)), word) for word in words]]
    return ways


def _read(text: str) -> list[Any]:
    try:
        return [parsed(text)]
    except ValueError:
        return []


def _filled(given: dict[str, Any], missing: list[Missing], state: ChainState) -> Update:
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


def after_ask(state: ChainState) -> Literal["given", "asks again", "not given"]:
    """With the answers the chain can run; without them it ends."""
    if state["decided"] == GIVEN:
        return "given"
    return "asks again" if state["decided"] == "asks again" else "not given"
