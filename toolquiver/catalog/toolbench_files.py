"""ToolBench's files: a catalogue in JSON Lines, or a folder of the original documents."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from toolquiver.errors import CatalogError, ToolquiverError


class Parameter(BaseModel):
    """A parameter as the file says it."""

    model_config = ConfigDict(extra="ignore")

    name: str
    type: str | None = None
    description: str = ""
    default: Any = None


class Endpoint(BaseModel):
    """An API as the file says it; the original documents call the sketch of its response `schema`."""

    model_config = ConfigDict(extra="ignore")

    name: str
    description: str = ""
    method: str = "GET"
    url: str = ""
    required_parameters: list[Parameter]
    optional_parameters: list[Parameter]
    response_schema: Any = Field(None, validation_alias=AliasChoices("response_schema", "schema"))


class Tool(BaseModel):
    """A line of a catalogue."""

    model_config = ConfigDict(extra="ignore")

    category: str
    tool_name: str
    description: str | None = None
    apis: list[Endpoint]


class _Document(BaseModel):
    """A file of the folder; its folder is the category."""

    model_config = ConfigDict(extra="ignore")

    tool_name: str
    tool_description: str | None = None
    api_list: list[Endpoint]


def tools(path: Path) -> Iterator[Tool]:
    """The tools of a catalogue in JSON Lines, packed or not, or of a folder with `<Category>/<tool>.json` files.

    Raises:
        CatalogError: a file cannot be read, or is no tool; the message names it and the place.
    """
    return _of_folder(path) if path.is_dir() else _of_lines(path)


def _of_folder(path: Path) -> Iterator[Tool]:
    files = sorted(path.glob("*/*.json"))
    if not files:
        raise CatalogError(
            f"{str(path)!r} holds no tools of ToolBench. Name the folder whose files are <Category>/<tool>.json."
        )
    for file in files:
        try:
            found = _Document.model_validate_json(file.read_bytes())
        except OSError as error:
            raise CatalogError(f"{str(file)!r} cannot be read: {error}. Check the file.") from error
        except ValidationError as error:
            raise _broken(repr(str(file)), "the file", error) from error
        yield Tool(
            category=file.parent.name,
            tool_name=found.tool_name,
            description=found.tool_description,
            apis=found.api_list,
        )


def _of_lines(path: Path) -> Iterator[Tool]:
    for number, line in enumerate(lines(path, CatalogError), 1):
        if line.strip():
            try:
                yield Tool.model_validate_json(line)
            except ValidationError as error:
                raise _broken(f"{str(path)!r}, line {number}", "the line", error) from error


def _broken(where: str, whole: str, error: ValidationError) -> CatalogError:
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"]) or whole
    return CatalogError(f"{where}: is no tool of ToolBench: {place}: {first['msg']}. Correct it there.")


def lines(path: Path, refusal: type[ToolquiverError]) -> Iterator[bytes]:
    """The lines of a file, unpacked when its name ends in `.gz`; what cannot be read is a `refusal`."""
    if not path.is_file():
        raise refusal(f"There is no file {str(path)!r}. Check the path.")
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            yield from file
    except (OSError, EOFError, zlib.error) as error:
        raise refusal(f"{str(path)!r} cannot be read: {error}. Check the file.") from error
