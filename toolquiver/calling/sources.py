"""The callers of a catalogue's sources: what a graph calls imported APIs with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from pydantic import BaseModel, ValidationError

from toolquiver.calling.http import HttpSource, http_callers
from toolquiver.calling.http.pace import Pace
from toolquiver.calling.mcp import McpSource, mcp_callers
from toolquiver.calling.modules import ModuleCaller
from toolquiver.calling.outcome import Caller
from toolquiver.calling.python import PythonCaller
from toolquiver.catalog import Catalog, Source
from toolquiver.catalog.sources import CALLED, PYTHON
from toolquiver.errors import CatalogError

Shape = TypeVar("Shape", bound=BaseModel)

# Connections, tokens and the pace of asking outlive a call, so the callers do too, as long as their catalogue.
_made: WeakKeyDictionary[Catalog, tuple[tuple[Source, ...], Mapping[str, Caller]]] = WeakKeyDictionary()


def callers_of(catalog: Catalog) -> dict[str, Caller]:
    """A caller for each source of the catalogue that can be called from here, by the source's key.

    Nothing is opened, started or imported before the first call.

    Raises:
        CatalogError: what was said about a source cannot be used.
    """
    sources = tuple(source for source in catalog.sources() if source.kind in CALLED)
    made = _made.get(catalog)
    if made is None or made[0] != sources:
        documents = {source.key: settings(source, HttpSource) for source in sources if source.kind == "openapi"}
        servers = {source.key: settings(source, McpSource) for source in sources if source.kind == "mcp"}
        modules = {source.key: ModuleCaller(source) for source in sources if source.kind == "langchain"}
        pace = Pace()  # one for all: a host may be behind several sources
        callers: dict[str, Caller] = {**http_callers(documents, pace=pace), **mcp_callers(servers, pace=pace)}
        made = sources, {**callers, **modules}
        _made[catalog] = made
    return {PYTHON: PythonCaller(catalog.tools), **made[1]}


class Served(NamedTuple):
    """How many of a catalogue's APIs have a caller, and how many have none, by their source."""

    callable: int
    without: dict[str, int]


def served(catalog: Catalog) -> Served:
    """Which of the catalogue's APIs can be called from here.

    Raises:
        CatalogError: what was said about a source cannot be used.
    """
    sizes, called = catalog.sizes(), catalog.stats()["callable"]
    callers = callers_of(catalog)
    without = {source: size for source, size in sizes.items() if source not in callers}
    if unloaded := sum(sizes.values()) - sum(without.values()) - called:
        without[PYTHON] = unloaded
    return Served(called, without)


def settings(source: Source, shape: type[Shape]) -> Shape:
    """How the APIs of an imported source are called.

    Raises:
        CatalogError: the settings that were given with the import do not fit.
    """
    try:
        return shape.model_validate(source.settings.get("calling", {}))
    except ValidationError as error:
        found = "; ".join(f"{'.'.join(str(part) for part in one['loc'])}: {one['msg']}" for one in error.errors())
        raise CatalogError(
            f"The settings of {source.key!r} cannot be used ({found})."
            f" Import it again: first `toolquiver catalog remove FILE {source.key}`."
        ) from error
