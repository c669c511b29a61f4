"""Nested calls as data: read from text, written as text, compared, and what is wrong with one."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

_CALLED = re.compile(r"(?<![\w'\".-])\w[\w-]*(?=\()")
_DASH = "_dash_"
_MIDNIGHT = re.compile(r"(?<=\d{4}-\d\d-\d\d)t00:00(?::00)?$")


class Nested(NamedTuple):
    """A call, its arguments values or calls themselves; `field` is what the one above takes of its output.

    `also` has arguments with which a gold call is as right as without them.
    """

    api: str
    arguments: dict[str, Any]
    field: str = ""
    also: Mapping[str, Any] = MappingProxyType({})


def written(call: Nested) -> str:
    """The call as text, arguments by name, so that one plan has one text."""
    inputs = ", ".join(
        f"{name}={written(value) if isinstance(value, Nested) else repr(value)}"
        for name, value in sorted(call.arguments.items())
    )
    return f"{call.api}({inputs})"


Names = Mapping[str, Sequence[str]]
"""The parameters of each API in order: a model may leave their names out."""


def read(text: str, names: Names | None = None) -> Nested | None:
    """The first nested call in a model's text, its last line first; None where there is none. Nothing is evaluated."""
    text = _CALLED.sub(lambda name: name[0].replace("-", _DASH), text)  # no dash is in a name of Python's
    lines = [line.strip().strip("`") for line in text.strip().splitlines() if "(" in line]
    for line in reversed(lines):
        for begin in (line, line.partition(":")[2].strip(), line.partition("=")[2].strip()):
            try:
                found = _call(ast.parse(begin, mode="eval").body, names or {})
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
            if found:
                return found
    return None


def _call(part: ast.expr, names: Names) -> Nested | None:
    while isinstance(part, ast.Attribute | ast.Subscript):  # Name2ID(...).person_ID, and ...["person_ID"]
        part = part.value
    if not isinstance(part, ast.Call) or not isinstance(part.func, ast.Name):
        return None
    given = dict(zip(names.get(part.func.id, ()), part.args, strict=False))
    given |= {str(word.arg): word.value for word in part.keywords}
    return Nested(part.func.id.replace(_DASH, "-"), {name: _value(value, names) for name, value in given.items()})


def _value(part: ast.expr, names: Names) -> Any:
    return found if (found := _call(part, names)) else ast.literal_eval(part)


def same(left: Any, right: Any) -> bool:
    """Whether two plans, or two values in them, are one: the same APIs and arguments.

    Spelling of case does not count, and a day is its beginning.
    """
    if isinstance(left, Nested) and isinstance(right, Nested):
        names = left.arguments.keys() == right.arguments.keys()
        return left.api == right.api and names and all(same(v, right.arguments[k]) for k, v in left.arguments.items())
    if isinstance(left, Nested) or isinstance(right, Nested):
        return False
    return _plain(left) == _plain(right)


def without(given: Mapping[str, Any], also: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that are given, without those that a gold call may have also, where they are as it has them."""
    return {name: value for name, value in given.items() if name not in also or not same(value, also[name])}


def _plain(value: Any) -> str:
    return _MIDNIGHT.sub("", str(value).strip().lower())


def cause(found: Nested | None, gold: Nested) -> str:
    """The first thing that is wrong with a plan, in the paper's classes (Reverse Chain, 3.3); empty when nothing is."""
    if found is None:
        return "other"
    if found.api != gold.api:
        return "wrong final tool"
    if same(found, gold):
        return ""
    for name, value in gold.arguments.items():
        given = found.arguments.get(name)
        if isinstance(value, Nested) != isinstance(given, Nested) or (
            isinstance(value, Nested) and isinstance(given, Nested) and given.api != value.api
        ):
            return "wrong argument: API"
        if isinstance(value, Nested) and isinstance(given, Nested) and not same(given, value):
            return cause(given, value)
    return "wrong argument: value"


def cause_of_call(made: tuple[str, dict[str, Any]] | None, gold: Nested, arguments: dict[str, Any]) -> str:
    """The same of the last call that was made; `arguments` are those of the gold when its chain is run."""
    if made is None:
        return "other"
    api, given = made
    if api != gold.api:
        return "wrong final tool"
    wrong = {name for name in arguments.keys() | given.keys() if not same(given.get(name), arguments.get(name))}
    if any(isinstance(gold.arguments.get(name), Nested) for name in wrong):
        return "wrong argument: API"
    return "wrong argument: value" if wrong else ""


def calls_of(call: Nested) -> Iterator[Nested]:
    """All its calls, those first that others take from."""
    for value in call.arguments.values():
        if isinstance(value, Nested):
            yield from calls_of(value)
    yield call


def level_of(calls: Sequence[Nested]) -> int:
    """How deep the calls are nested: 0 where none takes from another, as the paper counts (3, data set)."""
    inner = [[v for v in call.arguments.values() if isinstance(v, Nested)] for call in calls]
    return max((level_of(one) + 1 for one in inner if one), default=0)


def edges_of(call: Nested) -> Counter[tuple[str, str, str]]:
    """Which API's output goes to which argument of which API, each call once."""
    found = {
        (written(value), written(taker), name): (value.api, taker.api, name)
        for taker in calls_of(call)
        for name, value in taker.arguments.items()
        if isinstance(value, Nested)
    }
    return Counter(found.values())


def f1(found: Counter[Any], gold: Counter[Any]) -> float:
    """The F1 of two bags; 1 where both are empty."""
    if not found and not gold:
        return 1.0
    common = (found & gold).total()
    return 2 * common / (found.total() + gold.total())
