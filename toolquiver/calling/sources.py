"""The callers of a catalogue's sources: what a graph calls imported APIs with."""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from pydantic import ValidationError

from toolquiver.calling.http import HttpSource, http_callers
from toolquiver.calling.outcome import Caller
from toolquiver.calling.python import PythonCaller
from toolquiver.catalog import Catalog, Source
from toolquiver.catalog.langchain import PYTHON
from toolquiver.errors import CatalogError

# Connections, tokens and the pace of asking outlive a call, so the callers do too, as long as their catalogue.
_made: WeakKeyDictionary[Catalog, tuple[tuple[Source, ...], Mapping[str, Caller]]] = WeakKeyDictionary()


def callers_of(catalog: Catalog) -> dict[str, Caller]:
    """A caller for each source of the catalogue that can be called from here, by the source's key.

    Raises:
        CatalogError: what was said about a source cannot be used.
    """
    sources = tuple(source for source in catalog.sources() if source.kind == "openapi")
    made = _made.get(catalog)
    if made is None or made[0] != sources:
        made = sources, http_callers({source.key: http_source(source) for source in sources})
        _made[catalog] = made
    return {PYTHON: PythonCaller(catalog.tools), **made[1]}


def http_source(source: Source) -> HttpSource:
    """How the APIs of an imported document are called.

    Raises:
        CatalogError: the settings that were given with the import do not fit.
    """
    try:
        return HttpSource.model_validate(source.settings.get("calling", {}))
    except ValidationError as error:
        found = "; ".join(f"{'.'.join(str(part) for part in one['loc'])}: {one['msg']}" for one in error.errors())
        raise CatalogError(f"The settings of {source.key!r} cannot be used ({found}). Import it again.") from error
