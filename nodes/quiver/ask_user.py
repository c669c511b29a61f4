"""The user is asked for what no API gives: an argument, or what the program asks with `ask_user`."""

from __future__ import annotations

import json
from typing import Any

from toolquiver.calling import Failure
from toolquiver.contexts import QuiverContext
from toolquiver.nodes.approve import can_wait
from toolquiver.nodes.asking import WRONG_REPLIES, Missing, faults, missing_argument, reply_of_user
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.quiver.state import Frame, Lookup, QuiverState, made
from toolquiver.nodes.run import Run
from toolquiver.programs import Request, reply_schema, subject

_REPLY = "reply"
_NOBODY = "The user does not say: {names}."


async def ask_user(state: QuiverState, run: Run[QuiverContext]) -> Update:
    """Ask for all that is open together, and go on with the reply.

    The interrupt and its replies are as in `nodes.asking.reply_of_user`. A value that does not fit is asked for again.
    Where nobody may be asked, the program is told so, and what is missing stands in `unfilled`.
    """
    missing = await _missing(state, run)
    given = reply_of_user(missing, state["wrong"]) if run.context.ask and can_wait() else None
    wrong = faults(given, missing) if given is not None else ""
    if wrong and state["asked"] + 1 < WRONG_REPLIES:
        return {"wrong": wrong, "asked": state["asked"] + 1, "decided": "asks again"}
    known = None if wrong else given
    others = [one for one in state["unfilled"] if one not in missing]
    ended = {"unfilled": others if known is not None else [*others, *missing], "wrong": "", "asked": 0}
    if state["frames"]:
        return ended | _for_the_chain(known, missing, state)
    return ended | _for_the_program(state["requests"][0], known, missing)


async def _missing(state: QuiverState, run: Run[QuiverContext]) -> list[Missing]:
    """What is open: the arguments of the call that no API completes, or what the program asks."""
    if not state["frames"]:
        return [_asked_by_program(state["requests"][0])]
    (frame,) = state["frames"]
    assert frame["request"]["api"] is not None
    api = await run.api(frame["request"]["api"])
    return [
        missing_argument(parameter, f"{frame['request']['function']} needs {parameter.name}.")
        for parameter in api.parameter_list()
        if parameter.name in frame["missing"]
    ]


def _asked_by_program(request: Request) -> Missing:
    what, schema = str(subject(request)), reply_schema(request)
    kind = str(schema["type"])
    return Missing(key=_REPLY, name=_REPLY, type=kind, description=what, schema=schema, enum=[], why=what)


def _for_the_program(request: Request, given: dict[str, Any] | None, missing: list[Missing]) -> Update:
    """The reply is what the program's question returns; without one the question fails."""
    what = missing[0]["description"]
    text = json.dumps(given[_REPLY], ensure_ascii=False) if given is not None else _NOBODY.format(names=what or _REPLY)
    lookup = Lookup(request=request["id"], function="ask_user", asked=what, ok=given is not None, text=text)
    return {"lookups": [lookup], "requests": [], "frames": [], "decided": "the program goes on"}


def _for_the_chain(given: dict[str, Any] | None, missing: list[Missing], state: QuiverState) -> Update:
    """The reply fills the call that waits; without one the program is told that the call was not made."""
    (frame,) = state["frames"]
    request = frame["request"]
    if given is not None:
        arguments = request["arguments"] | {one["name"]: given[one["key"]] for one in missing}
        filled: Frame = {**frame, "request": {**request, "arguments": arguments}, "missing": [], "unknown": []}
        return {"frames": [filled], "decided": "the chain goes on"}
    names = ", ".join(one["name"] for one in missing)
    refused = Failure(kind="invalid_arguments", message=f"{_NOBODY.format(names=names)} It was not called.")
    record = made(request, len(state["programs"]) - 1, refused)
    return {"calls": [record], "frames": [], "requests": [], "decided": "the program goes on"}
