"""Reading an MCP server as a source of APIs, to be stored in a catalogue."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from toolquiver.calling.mcp.caller import McpCaller
from toolquiver.calling.mcp.source import McpSource
from toolquiver.catalog.importing import Reading, added
from toolquiver.catalog.openapi import is_url
from toolquiver.catalog.plain_credentials import blanks, told_in
from toolquiver.catalog.records import slug
from toolquiver.catalog.sources import Source
from toolquiver.errors import CatalogError, InputError


async def read_server(
    location: str,
    settings: dict[str, Any],
    *,
    name: str = "",
    category: str = "",
    tool: str = "",
    known: Sequence[Source] = (),
    skip_broken: bool = False,
) -> Reading:
    """The tools of the server at a URL, or that a command starts, or that was imported under this name before.

    `settings` are those of `McpSource` beside `url`, `command` and `args`; those of `headers` that are called as a
    parameter without a value in the URL are its `query`. They go by `category` and `tool`: "mcp" and the server's name
    otherwise. What is not given stays as it was. With `skip_broken` tools that are broken are left out.

    Raises:
        InputError: the settings do not fit, or a credential stands in what would be kept.
        CatalogError: the server cannot be reached or read.
    """
    before = next((source for source in known if source.kind == "mcp" and location in {source.key, source.name}), None)
    kept = before.settings if before else {}
    source = _described(kept.get("calling", _place(location)), settings)
    skip_broken = skip_broken or kept.get("skip_broken", False)
    skipped = list[str]()
    placed = {"category": category or kept.get("category", ""), "tool": tool or name or kept.get("tool", "")}
    caller = McpCaller(source)
    try:
        found = await caller.read(
            category=placed["category"] or "mcp", tool=placed["tool"], skipped=skipped if skip_broken else None
        )
    finally:
        await caller.aclose()
    key = before.key if before and not name else f"mcp:{slug(name or found.name)}"
    if not (before or name) and any(one.key == key and not _is_there(one, location, source) for one in known):
        raise CatalogError(f"The catalogue has {key!r} from another place. Choose a name with `--name`.")
    said = {"calling": _plain(source)} | {word: text for word, text in placed.items() if text}
    said |= {"skip_broken": True} if skip_broken else {}
    place = before.location if before else location
    apis = [api.model_copy(update={"source": key}) for api in found.apis]
    return Reading(Source(key=key, kind="mcp", location=place, settings=said), len(apis), apis, skipped)


def _is_there(known: Source, location: str, source: McpSource) -> bool:
    """Whether a known server is the one at this place: a command may start another one in another folder."""
    directory = known.settings.get("calling", {}).get("directory")
    return known.location == location and directory == _plain(source).get("directory")


def _described(place: dict[str, Any], settings: dict[str, Any]) -> McpSource:
    try:
        source = McpSource.model_validate(added(place, _parted(settings, place.get("url", ""))))
    except ValidationError as error:
        first = error.errors()[0]
        where = "".join(f"{part}: " for part in first["loc"])
        said = first["msg"].removeprefix("Value error, ")
        raise InputError(f"The MCP server cannot be described so: {where}{said}.") from error
    if name := told_in((source.command, *source.args)):
        raise InputError(
            f"The value of {name} in the command is a credential, and would be kept. Leave it out, and name the"
            " environment variable that holds it: `--secret VARIABLE`. Where the server takes it as an argument only,"
            " have a shell put it there: `sh -c 'server --api-key \"$VARIABLE\"'`."
        )
    return source


def _parted(settings: dict[str, Any], url: str) -> dict[str, Any]:
    """The settings, those of `headers` that belong into the URL's query apart."""
    empty, headers = blanks(url), settings.get("headers", {})
    parts = {
        "headers": {name: variable for name, variable in headers.items() if name not in empty},
        "query": settings.get("query", {}) | {name: headers[name] for name in headers if name in empty},
    }
    beside = {word: said for word, said in settings.items() if word not in parts}
    return beside | {word: named for word, named in parts.items() if named}


def _place(location: str) -> dict[str, Any]:
    if is_url(location):
        return {"url": location}
    try:
        command, *args = shlex.split(location)
    except ValueError as error:
        raise InputError(f"{location!r} is no command ({error}). Write it as in a shell.") from error
    return {"command": command, "args": args, "directory": Path.cwd()}  # calls may be made in another folder


def _plain(source: McpSource) -> dict[str, Any]:
    return source.model_dump(mode="json", exclude_defaults=True)
