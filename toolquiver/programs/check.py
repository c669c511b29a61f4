"""The check of a program before anything is called: syntax, names, parameters, and the types of values."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Mapping, Sequence

from pydantic_monty import CollectString, Monty, MontyError, MontyTypingError

from toolquiver.catalog import JsonSchema
from toolquiver.catalog.records import without_null
from toolquiver.programs.functions import OWN, UNKNOWN, Function
from toolquiver.programs.sandbox import PRINTED, session_of
from toolquiver.programs.source import assigned, lines_of, runnable

# What the checker may refuse. It knows no more of values than their types, so that all else is found at the call.
_REFUSED = frozenset(
    "invalid-argument-type invalid-key invalid-syntax parameter-already-assigned positional-only-parameter-as-kwarg"
    " too-many-positional-arguments unknown-argument unresolved-reference".split()
)
_TAKES = {
    "string": "str",
    "integer": "float",
    "number": "float",
    "boolean": "bool",
    "object": "dict[str, Any]",
    "array": "list[Any] | tuple[Any, ...]",
}
_RETURNS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
_ANY_TEXT = "found `str`"  # where one of a list of texts is wanted, a text that is computed may be one


def problem(program: str, known: Mapping[str, Function], earlier: Sequence[str] = ()) -> str:
    """Why a program cannot run, with the line; empty where it can. Nothing is called.

    Refused are what is no Python, names and parameters that do not exist, and values of another type than the
    parameter's. `earlier` are the programs before it, whose variables it has.
    """
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"It is no Python: {error}"
    defined = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    if own := [node for node in defined if node.name in known or node.name in OWN]:
        return f"Line {own[0].lineno}: {own[0].name} is there already. Call it, do not define it."
    with Monty() as pool, session_of(pool, stubs=stubs(known, assigned(earlier))) as session:
        try:
            session.feed_start(runnable(program), inputs={UNKNOWN: ...}, print_callback=CollectString(PRINTED))
        except MontyTypingError as error:
            return _refused(error.display(), program, known)
        except MontyError:
            pass  # found again when it runs, with the calls before it made
    return ""


def _refused(report: str, program: str, known: Mapping[str, Function]) -> str:
    """The first findings of the checker that count, a line each."""
    told, lines = [], lines_of(program)
    for finding in json.loads(report):
        said, row = finding["message"], finding["location"]["row"]
        of_gather = "gather" in said and finding["code"] == "invalid-argument-type"
        may_fit = _ANY_TEXT in said and "Literal" in said
        if finding["code"] in _REFUSED and not of_gather and not may_fit:
            shown = lines[row - 1].strip() if row <= len(lines) else ""
            told.append(f"Line {row}: {said}: {shown}")
    if told and any("unresolved" in finding["code"] for finding in json.loads(report)):
        told.append(f"The functions that there are: {', '.join([*known, *OWN])}.")
    return "\n".join(told[:5])


def stubs(known: Mapping[str, Function], variables: Iterable[str]) -> str:
    """Declarations for the type checker: the functions, and the variables of earlier programs.

    Every parameter may be left out, since the reverse chain and the user can give it. A whole number may come of a
    calculation, so it may be a float here; the API's schema judges it before the call.
    """
    own = [
        "from typing import Any, Literal, TypedDict",
        f"{UNKNOWN}: Any",
        "asyncio: Any",
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
    """The type that a parameter is held to."""
    schema = without_null(schema)
    options = schema.get("enum")
    if isinstance(options, list) and all(isinstance(option, str) for option in options) and options:
        return f"Literal[{', '.join(map(repr, options))}]"
    kind = str(schema.get("type"))
    return "str | Any" if kind == "string" and "format" in schema else _TAKES.get(kind, "Any")


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
    return _RETURNS.get(str(schema.get("type")), "Any")
