"""APIs as Python functions: names that Python can have, and arguments from a program to the API."""

from __future__ import annotations

import keyword
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from toolquiver.catalog import API, JsonSchema
from toolquiver.programs.values import plain

UNKNOWN = "UNKNOWN"
"""The name by which a program leaves an argument open. Its value is `...`, which no text can be."""
OWN = ("search_apis", "api_docs", "ask_user", "give_up")
"""The functions that a program has besides the candidates."""
_TAKEN = {*OWN, UNKNOWN, "answer", "print", "gather", *keyword.kwlist}


class Function(NamedTuple):
    """An API under the name that programs call it by; `parameters` has its parameters' names by those of Python."""

    name: str
    api: API
    parameters: dict[str, str]


def functions(apis: Iterable[API]) -> dict[str, Function]:
    """The APIs as functions, by name. Names that Python cannot have are changed, and stay unlike each other."""
    found: dict[str, Function] = {}
    for api in apis:
        name = _identifier(api.function, {*_TAKEN, *found})
        parameters: dict[str, str] = {}
        for parameter in api.parameter_list():
            parameters[_identifier(parameter.name, set(keyword.kwlist) | set(parameters))] = parameter.name
        found[name] = Function(name, api, parameters)
    return found


def _identifier(name: str, taken: set[str]) -> str:
    normal = unicodedata.normalize("NFKC", name)  # as Python reads names
    plain = "".join(sign if f"_{sign}".isidentifier() else "_" for sign in normal)
    plain = plain if plain.isidentifier() else f"_{plain}"
    number, free = 2, plain
    while free in taken:
        free, number = f"{plain}_{number}", number + 1
    return free


def arguments_of(function: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call by the API's own names, as plain JSON; without those that are unknown.

    Raises:
        TypeError: there is no such parameter, there are too many, one is given twice, or a value is not of JSON.
    """
    if len(args) > len(function.parameters):
        raise TypeError(f"{function.name} takes {len(function.parameters)} arguments, not {len(args)}.")
    given = dict(zip(function.parameters, args, strict=False))
    for name, value in kwargs.items():
        if name not in function.parameters:
            raise TypeError(f"{function.name} has no parameter {name!r}. It has: {', '.join(function.parameters)}.")
        if name in given:
            raise TypeError(f"{function.name} got {name!r} twice.")
        given[name] = value
    optional = {p.name for p in function.api.parameter_list() if not p.required and "null" not in str(p.schema_)}
    named = {function.parameters[name]: plain(value) for name, value in given.items() if value is not ...}
    return {name: value for name, value in named.items() if value is not None or name not in optional}


def open_arguments(api: API, arguments: Mapping[str, Any]) -> list[str]:
    """The required arguments that have no value yet: left out, empty, or said to be unknown."""
    return [p.name for p in api.required_list() if is_open(arguments.get(p.name), p.schema_)]


def is_open(value: Any, schema: JsonSchema) -> bool:
    """Whether a required argument has no value: nothing, an empty text, or the name for unknown in quotes."""
    if isinstance(value, str):
        return value not in (schema.get("enum") or ()) and value.strip() in ("", UNKNOWN)
    return value is None and "null" not in str(schema)
