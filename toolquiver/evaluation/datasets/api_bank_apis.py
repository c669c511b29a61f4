"""API-Bank's list of APIs, whose descriptions are assignments in Python. They are read, never run."""

from __future__ import annotations

import ast
import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from toolquiver.catalog import API, Source
from toolquiver.errors import InputError
from toolquiver.evaluation.datasets.described import named_api, output_of, parameters_of
from toolquiver.evaluation.datasets.reading import whole, wrong

SOURCE = Source(key="api-bank", kind="api-bank")
_NAME, _SIGNATURE, _INFO = "类名", "input_parameters", "api_info"


class Call(NamedTuple):
    """A call of a dialogue."""

    name: str
    arguments: Mapping[str, Any]


def read_apis(path: Path, calls: Iterable[Call]) -> list[API]:
    """The APIs of the list, with the parameters by which the dialogues call them.

    The list is an earlier draft: for many APIs the dialogues use other parameters or types. Where an API is called, the
    calls say which parameters it has and of which type, and those that every call gives are required; otherwise the
    list says so.

    Raises:
        InputError: the file cannot be read, or an entry is not an API; the message names the line.
    """
    by_name: dict[str, list[Call]] = {}
    for call in calls:
        by_name.setdefault(call.name, []).append(call)
    try:
        reader = csv.DictReader(io.StringIO(whole(path).decode("utf-8-sig")))
        return [_api(path, reader.line_num, row, by_name.get(row.get(_NAME) or "", [])) for row in reader]
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{str(path)!r} is no list of APIs: {error}. Check the file.") from error


def _api(path: Path, line: int, row: Mapping[str, str | None], calls: Sequence[Call]) -> API:
    name = row.get(_NAME)
    if not name:
        raise wrong(path, line, f"an API needs its name, {_NAME}")
    said = _assignments(row.get(_INFO) or "")
    listed = _listed(said.get("input_parameters"), row.get(_SIGNATURE) or "")
    required = [key for key, one in listed.items() if one.get("required") is not False]
    if calls:
        used = dict.fromkeys(key for call in calls for key in call.arguments)
        listed = {key: {**listed.get(key, {}), "type": _type(calls, key)} for key in used}
        required = [key for key in used if all(key in call.arguments for call in calls)]
    output = said.get("output_parameters")
    return named_api(
        "API-Bank",
        "API-Bank",
        name,
        SOURCE.key,
        description=str(said.get("description") or ""),
        parameters=parameters_of(listed, required),
        output=output_of(output) if isinstance(output, dict) else None,
    )


def _assignments(text: str) -> dict[str, Any]:
    """The literal values that a text of Python assigns; of one entry the list has nothing but a full stop."""
    try:
        body = ast.parse(text).body
        return {
            target.id: ast.literal_eval(one.value)
            for one in body
            if isinstance(one, ast.Assign) and isinstance(target := one.targets[0], ast.Name)
        }
    except (SyntaxError, ValueError):
        return {}


def _listed(described: Any, signature: str) -> dict[str, dict[str, Any]]:
    """Parameters with what the list says of them, at least their type by the signature `(name: type, ...)`."""
    if isinstance(described, dict):
        return {name: one for name, one in described.items() if isinstance(one, dict)}
    if described is not None:
        return {}
    pairs = [one.partition(":") for one in signature.strip("() ").split(",")]
    return {name.strip(): {"type": type_.strip()} for name, colon, type_ in pairs if colon}


def _type(calls: Sequence[Call], name: str) -> str:
    """The type of the values that calls give a parameter; "" where they are of several types."""
    types = {type(call.arguments[name]).__name__ for call in calls if name in call.arguments}
    return types.pop() if len(types) == 1 else ""
