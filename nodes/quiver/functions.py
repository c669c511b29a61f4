"""APIs as Python functions: their lines in a prompt, their stubs for the type checker, and the values of a call."""

from __future__ import annotations

import json
import keyword
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from toolquiver.catalog import API, JsonSchema
from toolquiver.catalog.records import without_null
from toolquiver.catalog.text import shortened

UNKNOWN = "UNKNOWN"
"""The value of an argument that nobody has given."""
OWN = ("search_apis", "api_docs", "ask_user", "give_up")
"""The functions that a program has besides the candidates."""
_TAKEN = {*OWN, UNKNOWN, "answer", "print", "gather", *keyword.kwlist}
_OPTIONS = 12  # of an enumeration, in a prompt
_FIELDS = 12  # of an object, in a prompt
_DEPTH = 2  # of objects, in a prompt
_DESCRIPTION, _PARAMETER = 400, 240  # characters in a prompt; `api_docs` has the whole text
_SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


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


def line(function: Function, failed: str = "", *, whole: bool = False) -> str:
    """A function in a prompt: its signature, what it is for with its provider, and what its parameters mean.

    `failed` is how a call of it has failed before. Long texts are cut, unless it is shown `whole`.
    """
    api = function.api
    told = [p for p in api.parameter_list() if p.description]
    names = {original: name for name, original in function.parameters.items()}
    about = api.description if whole else shortened(api.description, _DESCRIPTION)
    lines = [f"{_signature(function)} -> {_shape(api.output)}", f"    {api.tool}: {about}"]
    lines += [f"    {names[p.name]}: {p.description if whole else shortened(p.description, _PARAMETER)}" for p in told]
    lines += [f"    Example: {api.example}"] if api.example else []
    return "\n".join([*lines, *([f"    failed before: {failed}"] if failed else [])])


def summary(function: Function, failed: str = "") -> str:
    """A function in one line, to choose it by: its name and inputs, what it is for, and what it returns."""
    api = function.api
    inputs = [
        name if p.required else f"{name}?" for name, p in zip(function.parameters, api.parameter_list(), strict=True)
    ]
    told = f"{function.name}({', '.join(inputs)}): {shortened(api.description)} -> {_shape(api.output)}"
    return f"{told} (failed before: {failed})" if failed else told


def docs(function: Function) -> str:
    """The whole documentation of an API, with the JSON Schemas of its input and output."""
    api = function.api
    parts = [
        f"{_signature(function)}: {api.name} of {api.tool} ({api.category})",
        api.tool_description,
        api.whole_description,
        f"Parameters: {json.dumps(api.parameters, ensure_ascii=False)}",
        f"Returns: {'not documented' if api.output is None else json.dumps(api.output, ensure_ascii=False)}",
    ]
    return "\n".join(filter(None, parts))


def _signature(function: Function) -> str:
    schemas = {p.name: p for p in function.api.parameter_list()}
    inputs = [
        f"{name}: {_kind(schemas[original].schema_)}{'' if schemas[original].required else ' = None'}"
        for name, original in function.parameters.items()
    ]
    return f"{function.name}({', '.join(inputs)})"


def _shape(schema: JsonSchema | bool | None, depth: int = 0) -> str:
    """What an API returns, with the names of its fields."""
    if not isinstance(schema, dict):
        return "Any"
    schema = without_null(schema)
    fields = schema.get("properties")
    if isinstance(fields, dict) and fields:
        if depth == _DEPTH:
            return "dict"
        inner = [f"{name}: {_shape(one, depth + 1)}" for name, one in list(fields.items())[:_FIELDS]]
        return "{" + ", ".join([*inner, *(["..."] if len(fields) > _FIELDS else [])]) + "}"
    if schema.get("type") == "array":
        return f"list[{_shape(schema.get('items'), depth)}]"
    return _kind(schema)


def _kind(schema: JsonSchema) -> str:
    """The Python type of a JSON Schema, in short."""
    schema = without_null(schema)
    options = schema.get("enum")
    if isinstance(options, list):
        listed = " | ".join(json.dumps(option, ensure_ascii=False) for option in options[:_OPTIONS])
        return f"{listed} | ..." if len(options) > _OPTIONS else listed
    for key in ("anyOf", "oneOf"):
        parts = [one for one in schema.get(key) or () if isinstance(one, dict)]
        if parts:
            return " | ".join(dict.fromkeys(_kind(one) for one in parts))
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(_kind({**schema, "type": one}) for one in kind)
    if kind == "array":
        items = schema.get("items")
        return f"list[{_kind(items)}]" if isinstance(items, dict) and items else "list"
    return "dict" if kind == "object" else _SCALARS.get(str(kind), "Any")


def stubs(known: Mapping[str, Function], variables: Iterable[str]) -> str:
    """Declarations for the type checker: the functions, and the variables of earlier programs.

    Every parameter may be left out, since the reverse chain and the user can give it. A whole number may come of a
    calculation, so it may be a float here; the API's schema judges it before the call.
    """
    own = [
        "from typing import Any, Literal, TypedDict",
        f"{UNKNOWN}: Any",
        "def gather(*calls: Any) -> Any: ...",
        "def search_apis(what: str | list[str]) -> str: ...",
        "def api_docs(name: str | Any) -> str: ...",
        "def ask_user(what: str, type: Any = ...) -> Any: ...",
        "def give_up(why: str) -> Any: ...",
    ]
    return "\n".join([*own, *(f"{name}: Any" for name in variables), *map(_stub, known.values())])


def _stub(function: Function) -> str:
    schemas = {p.name: p.schema_ for p in function.api.parameter_list()}
    inputs = [f"{name}: {_checked(schemas[original])} | None = ..." for name, original in function.parameters.items()]
    shapes: list[str] = []
    returns = _returned(function.api.output, f"_{function.name}", shapes)
    return "\n".join([*shapes, f"def {function.name}({', '.join(inputs)}) -> {returns}: ..."])


def _checked(schema: JsonSchema) -> str:
    schema = without_null(schema)
    options = schema.get("enum")
    if isinstance(options, list) and all(isinstance(option, str) for option in options) and options:
        return f"Literal[{', '.join(map(repr, options))}]"
    kind = schema.get("type")
    if kind == "array":
        return "list[Any] | tuple[Any, ...]"
    return {"string": "str | Any" if "format" in schema else "str", "integer": "float", "number": "float"}.get(
        str(kind), {"boolean": "bool", "object": "dict[str, Any]"}.get(str(kind), "Any")
    )


def _returned(schema: JsonSchema | bool | None, name: str, shapes: list[str]) -> str:
    """The type of an output; of objects whose fields are documented a class is added to `shapes`."""
    if not isinstance(schema, dict):
        return "Any"
    schema = without_null(schema)
    fields = schema.get("properties")
    if isinstance(fields, dict) and fields:
        inner = {field: _returned(one, f"{name}_{place}", shapes) for place, (field, one) in enumerate(fields.items())}
        shapes.append(f"{name} = TypedDict({name!r}, {{{', '.join(f'{k!r}: {v}' for k, v in inner.items())}}})")
        return name
    if schema.get("type") == "array":
        return f"list[{_returned(schema.get('items'), name, shapes)}]"
    return {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}.get(str(schema.get("type")), "Any")


def arguments_of(function: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call by the API's own names, as plain JSON.

    Raises:
        TypeError: there is no such parameter, there are too many, or one is given twice.
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
    named = {function.parameters[name]: plain(value) for name, value in given.items()}
    return {name: value for name, value in named.items() if value is not None or name not in optional}


def open_arguments(api: API, arguments: Mapping[str, Any]) -> list[str]:
    """The required arguments that have no value yet: left out, empty, or said to be unknown."""
    return [p.name for p in api.required_list() if is_open(arguments.get(p.name), p.schema_)]


def is_open(value: Any, schema: JsonSchema) -> bool:
    """Whether a required argument has no value: nothing, an empty text, or the word for unknown."""
    if isinstance(value, str):
        offered = schema.get("enum") or ()
        return value not in offered and (not value.strip() or value.strip("<> ").upper() == UNKNOWN)
    return value is None and "null" not in str(schema)


def plain(value: Any) -> Any:
    """A value of a program as JSON has it: dates as ISO texts, tuples and sets as lists."""
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(part) for part in value]
    if isinstance(value, datetime | date):
        return value.isoformat()
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)
