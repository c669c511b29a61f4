"""The user is asked for what no API gives: an argument, or what the program asks with `ask_user`."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, cast

from langgraph.types import interrupt

from toolquiver.calling.arguments import misfits
from toolquiver.catalog import JsonSchema
from toolquiver.contexts import QuiverContext
from toolquiver.json_texts import parsed
from toolquiver.nodes.approve import REFUSE, can_wait
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.quiver.find import first_of
from toolquiver.nodes.quiver.state import AfterAsking, Frame, Lookup, Missing, QuiverState, Request, made
from toolquiver.nodes.run import Run

_TRIES = 3  # wrong replies to one question
_REPLY = "reply"
_TYPES: dict[str, JsonSchema] = {
    "str": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "list": {"type": "array"},
    "dict": {"type": "object"},
}
_NOBODY = "The user does not say: {names}."


async def ask_user(state: QuiverState, run: Run[QuiverContext]) -> Update:
    """Ask for all that is open together, and go on with the reply.

    The run stops with an interrupt whose value has a `question`, the `missing` values, and a `response_schema`, by
    which a client draws a form. `Command(resume={key: value, ...})` replies, for one value also
    `Command(resume=value)`; `"refuse"` says that there is no reply. A value that does not fit is asked for again. Where
    nobody may be asked, the program is told so, and what is missing stands in `unfilled`.
    """
    missing = await _missing(state, run)
    unfilled = [*state["unfilled"], *(one for one in missing if one not in state["unfilled"])]
    if not (run.context.ask and can_wait()):
        return {**_not_given(state, missing), "unfilled": unfilled}
    question = {
        "question": " ".join(filter(None, [state["wrong"], *(f"{one['why']}" for one in missing)])),
        "missing": missing,
        "response_schema": _schema(missing),
        "answers": [REFUSE],
    }
    reply = interrupt(question, response_schema=_schema(missing))
    given = _given(reply, missing)
    if given is None:
        return {**_not_given(state, missing), "unfilled": unfilled}
    wrong = [f"{one['name']}: {misfits(one['schema'], given[one['key']])[0]}" for one in missing if _unfit(one, given)]
    if wrong and state["asked"] + 1 >= _TRIES:
        return {**_not_given(state, missing), "unfilled": unfilled, "wrong": "", "asked": 0}
    if wrong:
        return {"wrong": " ".join(wrong), "asked": state["asked"] + 1, "decided": "asks again"}
    kept = [one for one in state["unfilled"] if one not in missing]
    return {**_replied(state, given, missing), "unfilled": kept, "wrong": "", "asked": 0}


async def _missing(state: QuiverState, run: Run[QuiverContext]) -> list[Missing]:
    """What is open: the arguments of the call at the bottom of the stack, or what the program asks."""
    if not state["frames"]:
        return [_asked_by_program(state["requests"][0])]
    frame = state["frames"][0]
    assert frame["request"]["api"] is not None
    api = await run.api(frame["request"]["api"])
    return [
        Missing(
            key=parameter.name,
            name=parameter.name,
            type=parameter.type,
            description=parameter.description,
            schema=parameter.whole_schema,
            enum=list(parameter.schema_.get("enum", ())),
            why=f"{frame['request']['function']} needs {parameter.name}.",
        )
        for parameter in api.parameter_list()
        if parameter.name in frame["missing"]
    ]


def _asked_by_program(request: Request) -> Missing:
    given = request["asked"]
    what, kind = [*given["arguments"], None, None][:2]
    what, kind = given.get("what", what), given.get("type", kind)
    named = str(kind).removeprefix("<class '").removesuffix("'>").partition("[")[0]  # also `int` and `list[str]`
    schema = _TYPES.get(named, {"type": "string"})
    return Missing(
        key=_REPLY,
        name=_REPLY,
        type=str(schema["type"]),
        description=str(what),
        schema=schema,
        enum=[],
        why=str(what),
    )


def _schema(missing: list[Missing]) -> JsonSchema:
    """A JSON Schema of the reply: an object with a property for each value, one value alone, or a refusal."""
    properties = {
        one["key"]: one["schema"] | {"title": one["key"], "description": one["description"]} for one in missing
    }
    whole = {"title": "Reply", "type": "object", "properties": properties, "required": list(properties)}
    alone = [missing[0]["schema"]] if len(missing) == 1 else []
    return {"title": "Reply", "anyOf": [whole, *alone, {"type": "string"}, {"title": "Refuse", "const": REFUSE}]}


def _given(reply: Any, missing: list[Missing]) -> dict[str, Any] | None:
    """The values by key, read as their schemas say; None where the user refuses, or one is left out."""
    if reply in (None, "", REFUSE):
        return None
    keys = {one["key"] for one in missing}
    named = reply if isinstance(reply, dict) and keys & reply.keys() else None
    if named is None:
        if len(missing) > 1:
            return None
        named = {missing[0]["key"]: reply}
    if any(named.get(key) in (None, "", REFUSE) for key in keys):
        return None
    return {one["key"]: _read(named[one["key"]], one["schema"]) for one in missing}


def _read(value: Any, schema: JsonSchema) -> Any:
    """A value as the schema takes it, where it was typed as a text."""
    if not isinstance(value, str) or not misfits(schema, value):
        return value
    ways: list[Any] = [[part.strip() for part in value.split(",")]]
    with suppress(ValueError):
        ways.insert(0, parsed(value))
    return next((way for way in ways if not misfits(schema, way)), value)


def _unfit(one: Missing, given: dict[str, Any]) -> bool:
    return bool(misfits(one["schema"], given[one["key"]]))


def _replied(state: QuiverState, given: dict[str, Any], missing: list[Missing]) -> Update:
    """The reply where it was asked for: in the call that waits, or as what the program's question returns."""
    if not state["frames"]:
        text = json.dumps(given[_REPLY], ensure_ascii=False)
        request = state["requests"][0]
        what = str(first_of(request))
        lookup = Lookup(request=request["id"], function="ask_user", asked=what, ok=True, text=text)
        return {"lookups": [lookup], "requests": [], "decided": "the program goes on"}
    first, *above = state["frames"]
    arguments = first["request"]["arguments"] | {one["name"]: given[one["key"]] for one in missing}
    frame: Frame = {**first, "request": {**first["request"], "arguments": arguments}, "missing": [], "unknown": []}
    return {"frames": [frame, *above], "decided": "the chain goes on"}


def _not_given(state: QuiverState, missing: list[Missing]) -> Update:
    """The program hears that there is no reply: its question fails, or the call does, as one that was not made."""
    told = _NOBODY.format(names=", ".join(one["description"] or one["name"] for one in missing))
    request = state["frames"][0]["request"] if state["frames"] else state["requests"][0]
    ended: Update = {"frames": [], "requests": [], "decided": "the program goes on"}
    if request["api"] is None:
        what = str(first_of(request))
        lookup = Lookup(request=request["id"], function="ask_user", asked=what, ok=False, text=told)
        return ended | {"lookups": [lookup]}
    told = f"{_NOBODY.format(names=', '.join(one['name'] for one in missing))} It was not called."
    return ended | {"calls": [made(request, len(state["programs"]) - 1, "", ("invalid_arguments", told))]}


def after_ask_user(state: QuiverState) -> AfterAsking:
    """The edge that the node has decided on."""
    return cast("AfterAsking", state["decided"])
