"""Requests: what a program asks for, of an API or of a function of the planner's own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from typing_extensions import TypedDict

from toolquiver.catalog import ApiId, JsonSchema
from toolquiver.programs.functions import OWN, Function, arguments_of
from toolquiver.programs.values import plain

_TYPES: dict[str, JsonSchema] = {
    "str": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "list": {"type": "array"},
    "dict": {"type": "object"},
}


class Request(TypedDict):
    """One call that a program has asked for: of an API, or of a function of the planner's own.

    `id` is made of the program's number, the call's place in it, and its text. `asked` are the arguments as the program
    gives them, `arguments` as they are sent. An own function has no `api`, and those of its arguments that are given by
    place stand in `asked["arguments"]`.
    """

    id: str
    function: str
    api: ApiId | None
    asked: dict[str, Any]
    arguments: dict[str, Any]


def request_of(
    name: str, args: Sequence[Any], kwargs: Mapping[str, Any], known: Mapping[str, Function], place: str
) -> Request:
    """The request of a call at this place, which begins its id.

    Raises:
        NameError: there is no such function.
        TypeError: the arguments are not those of the function.
    """
    function = known.get(name)
    if function is None and name not in OWN:
        raise NameError(f"There is no function {name!r}. There are: {', '.join([*known, *OWN])}.")
    if function:
        asked = arguments_of(function, args, kwargs)
    else:
        asked = {**{key: _told(value) for key, value in kwargs.items()}, "arguments": [_told(value) for value in args]}
    text = json.dumps([name, asked], sort_keys=True, ensure_ascii=False)
    return Request(
        id=f"{place}.{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:8]}",
        function=name,
        api=function.api.id if function else None,
        asked=asked,
        arguments=asked,
    )


def _told(value: Any) -> Any:
    """A value for an own function, which takes types too."""
    return value.__name__ if isinstance(value, type) else plain(value)


def asks_the_same(one: str, other: str) -> bool:
    """Whether requests of programs, with these ids, have the same text, at whatever place."""
    return one.split(".", 2)[2] == other.split(".", 2)[2]


def subject(request: Request) -> Any:
    """What an own function is asked for: its first argument, by place or by name."""
    given = request["asked"]
    by_name = (value for name, value in given.items() if name != "arguments")
    return next(iter(given["arguments"]), None) or next(by_name, "")


def reply_schema(request: Request) -> JsonSchema:
    """The JSON Schema of the reply that `ask_user` asks for: its second argument names a Python type."""
    given = request["asked"]
    kind = given.get("type", next(iter(given["arguments"][1:]), None))
    return _TYPES.get(str(kind).partition("[")[0], _TYPES["str"])  # also of `list[str]`
