"""Files of data sets: found, unpacked, validated; what is wrong is named with its file and line."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from toolquiver.catalog.toolbench_files import lines
from toolquiver.errors import InputError

Row = TypeVar("Row", bound=BaseModel)
Document = TypeVar("Document")

VARIABLE = "TOOLQUIVER_DATA"
"""The environment variable that names the folder of the data sets."""


def data_folder(folder: str | Path | None) -> Path:
    """The folder given, else the one that the environment names.

    Raises:
        InputError: neither is there.
    """
    named = folder or os.environ.get(VARIABLE)
    if not named:
        raise InputError(f"Where are the data sets? Name their folder, or set {VARIABLE} to it.")
    if not Path(named).is_dir():
        raise InputError(f"There is no folder {str(named)!r} with data sets. Name another, or set {VARIABLE}.")
    return Path(named)


def part(folder: Path, name: str) -> Path:
    """A file of the data, packed (`.gz`) or not.

    Raises:
        InputError: there is neither.
    """
    for path in (folder / f"{name}.gz", folder / name):
        if path.is_file():
            return path
    raise InputError(f"{str(folder)!r} has no {name!r}, packed (.gz) or not. Is it the folder of the data sets?")


def rows(path: Path, shape: type[Row], id_field: str = "") -> list[tuple[int, Row]]:
    """The rows of a file in JSON Lines with the numbers of their lines; empty lines do not count.

    Raises:
        InputError: the file cannot be read or has no rows, a line has another shape, or, where a row has an `id_field`,
            one that was there before; the message names the line.
    """
    found = [
        (number, _row(path, number, line, shape))
        for number, line in enumerate(lines(path, InputError), 1)
        if line.strip()
    ]
    if not found:
        raise InputError(f"{str(path)!r} has no rows. Is it the whole file?")
    seen = set[object]()
    for number, row in found if id_field else ():
        if (id_ := getattr(row, id_field)) in seen:
            raise wrong(path, number, f"the {id_field} {id_!r} was there before")
        seen.add(id_)
    return found


def document(path: Path, shape: type[Document]) -> Document:
    """The value of a JSON file.

    Raises:
        InputError: the file cannot be read, or has another shape; the message names the place.
    """
    try:
        return TypeAdapter(shape).validate_json(whole(path))
    except ValidationError as error:
        raise InputError(f"{str(path)!r}: {first_problem(error)}. Correct it there.") from error


def whole(path: Path) -> bytes:
    """All of a file, unpacked.

    Raises:
        InputError: it cannot be read.
    """
    return b"".join(lines(path, InputError))


def plain_json(path: Path) -> Any:
    """The value of a JSON file whose shape others check.

    Raises:
        InputError: it cannot be read, or is no JSON.
    """
    try:
        return json.loads(whole(path))
    except ValueError as error:
        raise InputError(f"{str(path)!r} is no JSON: {error}. Check the file.") from error


def wrong(path: Path, line: int, problem: object) -> InputError:
    """The error for what is wrong in a line."""
    return InputError(f"{str(path)!r}, line {line}: {problem}. Correct it there.")


def first_problem(error: ValidationError) -> str:
    """The first thing that is wrong, with its place."""
    first = error.errors(include_url=False)[0]
    place = ".".join(str(step) for step in first["loc"])
    return f"{place}: {first['msg']}" if place else first["msg"]


def _row(path: Path, number: int, line: bytes, shape: type[Row]) -> Row:
    try:
        return shape.model_validate_json(line)
    except ValidationError as error:
        raise wrong(path, number, first_problem(error)) from error
