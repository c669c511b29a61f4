"""Settings that name what a document does not have: a slip is told, not taken for something that was said."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import nullcontext, suppress

from toolquiver.catalog.openapi.document import Document
from toolquiver.catalog.openapi.security import schemes
from toolquiver.catalog.openapi.servers import called_server, variables_of
from toolquiver.catalog.openapi.settings import Settings
from toolquiver.catalog.records import API
from toolquiver.errors import CatalogError

_MOST = 20  # names that an error lists
_AGAIN = "or, where an earlier import said so, import the document by its file or URL"


def require_variables(document: Document, settings: Settings) -> None:
    """Refuse a variable that is in the URL of no server that is called, and a value that it cannot have.

    Raises:
        CatalogError: there is one; the message lists the variables and the values that they can have.
    """
    there = _variables(document, settings) if settings.variables else {}
    for name, value in settings.variables.items():
        if name not in there:
            shown = [f"{known} ({_listed(values)})" if values else known for known, values in there.items()]
            what = f"The variables are: {_listed(shown)}." if there else "No server has a variable."
            raise document.root.error(
                f"no server that is called has a variable {name!r}. {what} Correct `--variable`, {_AGAIN}."
            )
        if (values := there[name]) and value not in values:
            raise document.root.error(
                f"the variable {name!r} of its servers cannot be {value!r}. It can be: {_listed(values)}. Correct "
                f"`--variable`, {_AGAIN}."
            )


def without_slips(apis: Iterable[API], document: Document, settings: Settings) -> Iterator[API]:
    """The document's APIs as they come; at their end every credential and argument that is named must have been there.

    Raises:
        CatalogError: one was not; the message lists what there is.
    """
    keys, hidden, shown = set(schemes(document.root).names), set[str](), set[str]()
    for api in apis:
        keys |= {key["key"] for key in api.binding["keys"]}
        hidden |= {key["name"] for key in api.binding["keys"]}
        shown |= {place["name"] for place in api.binding["placements"]}
        yield api
    for name in settings.calling.get("credentials", ()):
        if name not in keys:
            raise document.root.error(
                f"has no security scheme {name!r}, and no parameter that is a credential of this name. "
                f"{_there(keys)} Correct `--credential`, {_AGAIN}."
            )
    for name in settings.arguments:
        if name not in shown and name not in document.members:
            raise document.root.error(
                f"has no parameter {name!r}. Of those that look like credentials {_there(hidden, 'there')} Correct "
                f"`--argument`, {_AGAIN}."
            )


def _variables(document: Document, settings: Settings) -> dict[str, list[str]]:
    """The variables of the servers that are called, each with the values that one of these allows; none is any."""
    found, seen = dict[str, list[str]](), set[str]()
    for operation in document.operations():
        # One that is broken is left out later on, where that is wanted; else it is told here.
        with suppress(CatalogError) if settings.skip_broken else nullcontext():
            server = called_server((operation.node, *operation.items, document.root))
            if server and server.place not in seen:
                seen.add(server.place)
                for name, values in variables_of(server).items():
                    free = name in found and not (found[name] and values)
                    found[name] = [] if free else list(dict.fromkeys([*found.get(name, ()), *values]))
    return found


def _there(names: Collection[str], start: str = "There") -> str:
    return f"{start} are: {_listed(sorted(names))}." if names else f"{start} is none."


def _listed(names: Collection[str]) -> str:
    shown = ", ".join([*names][:_MOST])
    return f"{shown} and {len(names) - _MOST:,} more" if len(names) > _MOST else shown
