"""The user is asked for what no API gives: an argument, or what the program asks with `ask_user`."""

from __future__ import annotations

import json
from typing import Any, cast

from toolquiver.catalog import JsonSchema
from toolquiver.contexts import QuiverContext
from toolquiver.nodes.approve import can_wait
from toolquiver.nodes.asking import WRONG_REPLIES, Missing, faults, missing_argument, reply_of_user
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.quiver.find import first_of
from toolquiver.nodes.quiver.state import AfterAsking, Frame, Lookup, QuiverState, Request, made
from toolquiver.nodes.run import Run

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

    The interrupt and its replies are as in `nodes.asking.reply_of_user`. A value that does not fit is asked for again.
    Where nobody may be asked, the program is told so, and what is missing stands in `unfilled`.
    """
    missing = await _missing(state, run)
    unfilled = [*state["unfilled"], *(one for one in missing if one not in state["unfilled"])]
    if not (run.context.ask and can_wait()):
        return {**_not_given(state, missing), "unfilled": unfilled}
    given = reply_of_user(missing, state["wrong"])
    if given is None:
        return {**_not_given(state, missing), "unfilled": unfilled}
    wrong = faults(given, missing)
    if wrong and state["asked"] + 1 >= WRONG_REPLIES:
        return {**_not_given(state, missing), "unfilled": unfilled, "wrong": "", "asked": 0}
    if wrong:
        return {"wrong": wrong, "asked": state["asked"] + 1, "decided": "asks again"}
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
        missing_argument(parameter, f"{frame['request']['function']} needs {parameter.name}.")
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
