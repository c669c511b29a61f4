"""Reading a source of APIs: of what kind it is, what it is called, and what it holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args
from urllib.parse import urlsplit

from toolquiver.catalog.modules import is_module_path, load_tools
from toolquiver.catalog.openapi import Document, Settings, document_uri, is_url
from toolquiver.catalog.openapi.slips import require_variables, without_slips
from toolquiver.catalog.plain_credentials import blanks, keys_in, without_keys
from toolquiver.catalog.records import API, slug
from toolquiver.catalog.sources import Source
from toolquiver.catalog.toolbench import open_toolbench
from toolquiver.errors import CatalogError

Kind = Literal["openapi", "toolbench", "langchain", "mcp"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Reading(NamedTuple):
    """A source that was opened: what to remember of it, how many APIs it has, and they as they are read.

    `skipped` says, after that, what was left out as broken.
    """

    source: Source
    total: int
    apis: Iterable[API]
    skipped: Sequence[str] = ()


def kind_of(location: str, known: Sequence[Source] = ()) -> Kind:
    """The kind of the source at this place, or that was imported under this name before.

    MCP servers are known only from before: a URL alone is an OpenAPI document.

    Raises:
        CatalogError: the location cannot be a path.
    """
    if before := _before(location, known):
        return _kind(before.kind)
    if is_url(location) or Path(location).is_file():
        return "toolbench" if location.removesuffix(".gz").endswith(".jsonl") else "openapi"
    if Path(location).is_dir():
        return "toolbench"
    is_module = is_module_path(location) and location.partition(":")[0] not in KINDS
    return "langchain" if is_module else "openapi"


def read(
    location: str, settings: Settings, *, kind: Kind | None = None, name: str = "", known: Sequence[Source] = ()
) -> Reading:
    """Open the source at a path or URL, at `module:attribute`, or the one that was imported under this name before.

    It goes by `name`; without one by the document's title, the file's or the module's name. `known` are the
    catalogue's sources; of one that is imported again by its name, settings that are not given stay as they were.
    A module is run. MCP servers are read by `toolquiver.calling.mcp.importing`.

    Raises:
        CatalogError: it cannot be read, or its name is another source's. `Reading.apis` raises it too, and names the
            broken place of a document.
    """
    if before := _before(location, known):
        settings = Settings.model_validate(added(before.settings, settings.model_dump(exclude_defaults=True)))
        return read(before.location, settings, kind=_kind(before.kind), name=name or before.name)
    for url in (location, settings.server, settings.base):
        if is_url(url) and "@" in urlsplit(url).netloc:
            raise CatalogError("A URL with a password cannot be imported, for it is kept. Leave the password out.")
    for url in (settings.server, settings.base):
        if is_url(url) and (keys := [key for key in keys_in(url) if key not in blanks(url)]):
            raise CatalogError(
                f"A server's URL with the credential {keys[0]!r} cannot be imported, for it is kept. Leave it out, and "
                f"name the variable that holds it: --credential {keys[0]}=VARIABLE."
            )
    kind = kind or kind_of(location)
    if kind == "mcp":
        raise CatalogError(f"{location!r} is an MCP server. Read it with toolquiver.calling.mcp.importing.")
    reading = _READERS[kind](location, settings, name)
    if not name:
        _require_own_name(reading.source, known)
    return reading


def added(kept: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """Settings with those that are said now; what is named one by one, such as credentials, is added to what is."""
    both = {name for name, value in said.items() if isinstance(value, dict) and isinstance(kept.get(name), dict)}
    return {**kept, **said, **{name: added(kept[name], said[name]) for name in both}}


def _before(location: str, known: Sequence[Source]) -> Source | None:
    """The source that was imported under this name before, if `location` is a name and no file."""
    try:
        there = is_url(location) or Path(location).exists()
    except OSError as error:
        raise CatalogError(f"{location[:80]!r} cannot be a path: {error.strerror}. Check it.") from error
    if there:
        return None
    return next((source for source in known if location in {source.key, source.name}), None)


def _require_own_name(source: Source, known: Sequence[Source]) -> None:
    """Refuse a name that was not chosen, and that a source from another place has already."""
    for other in known:
        if other.key == source.key and other.location != source.location:
            raise CatalogError(
                f"The catalogue has {source.name!r} from {other.location!r} already. To replace it, import with "
                f"`--name {source.name}`; to have both, with another name."
            )


def _kind(text: str) -> Kind:
    for kind in KINDS:
        if kind == text:
            return kind
    raise CatalogError(f"The catalogue has a source of the kind {text!r}, unknown here. Upgrade toolquiver.")


def _openapi(location: str, settings: Settings, name: str) -> Reading:
    document = Document(document_uri(location), settings)
    source = _source("openapi", name or slug(document.title), location, settings)
    require_variables(document, settings)
    apis = without_slips(document.apis(source.key), document, settings)
    return Reading(source, len(document.operations()), apis, document.skipped)


def _toolbench(location: str, settings: Settings, name: str) -> Reading:
    path = Path(location)
    source = _source("toolbench", name or slug(path.resolve().name.partition(".")[0]), location, settings)
    return Reading(source, *open_toolbench(path, source.key, category=settings.category, tool=settings.tool))


def _langchain(location: str, settings: Settings, name: str) -> Reading:
    from toolquiver.catalog.langchain import records  # noqa: PLC0415 - saves its import on other kinds

    tools = load_tools(location)
    source = _source("langchain", name or slug(location.partition(":")[0]), location, settings)
    apis = records(tools, source.key, name=source.name, category=settings.category, group=settings.tool)
    return Reading(source, len(apis), apis)


_READERS = {"openapi": _openapi, "toolbench": _toolbench, "langchain": _langchain}


def _source(kind: Kind, name: str, location: str, settings: Settings) -> Source:
    said = settings.model_dump(mode="json", exclude_defaults=True)
    kept = location if kind == "langchain" else _kept(location)
    return Source(key=f"{kind}:{name}", kind=kind, location=kept, settings=said)


def _kept(location: str) -> str:
    """A location as it may be kept: a file's whole path, a URL without the keys in its query."""
    return without_keys(location) if is_url(location) else str(Path(location).resolve())
