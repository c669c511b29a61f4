"""Where a document says that its operations are served."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urljoin, urlsplit, urlunsplit

from toolquiver.catalog.openapi.fetch import is_url
from toolquiver.catalog.openapi.nodes import Node
from toolquiver.catalog.openapi.settings import Settings

_VARIABLE = re.compile(r"\{([^{}]+)\}")
_WAY_OUT = "Import with `--server URL`."


def server_3(places: tuple[Node, ...], settings: Settings) -> str:
    """The first server of the first of `places` (operation, path, document) that names one; without a `/` at its end.

    It is relative when the document's server is and nothing says to what.

    Raises:
        CatalogError: a variable in it has no value, or it is no address.
    """
    if settings.server:
        return settings.server.rstrip("/")
    root = places[-1]
    server = called_server(places)
    if server is None:
        return _served("/", root, root, settings)
    return _served(_filled(server, settings.variables), server.at("url"), root, settings)


def called_server(places: tuple[Node, ...]) -> Node | None:
    """The server that is called, of those that `places` name as in `server_3`."""
    return next((server for place in places for server in place.at("servers").parts()), None)


def variables_of(server: Node) -> dict[str, list[str]]:
    """The variables in a server's URL, each with the values that it can have; none is any."""
    variables = server.at("variables")
    names = dict.fromkeys(_VARIABLE.findall(server.text("url", "/")))
    return {name: [str(value) for value in variables.at(name).at("enum").of(list) or ()] for name in names}


def server_2(root: Node, settings: Settings) -> str:
    """The server of OpenAPI 2.0, by https where it can be; relative as in `server_3`.

    Raises:
        CatalogError: it is no address.
    """
    if settings.server:
        return settings.server.rstrip("/")
    host, base = root.text("host"), root.text("basePath", "/")
    if not host:
        return _served(base, root.at("basePath"), root, settings)
    schemes = root.at("schemes").of(list) or [urlsplit(root.uri).scheme if is_url(root.uri) else "https"]
    scheme = "https" if "https" in schemes else schemes[0]
    return absolute(f"{scheme}://{host}/{base.strip('/')}", "", root.at("host"), _WAY_OUT).rstrip("/")


def absolute(url: str, base: str, node: Node, way_out: str) -> str:
    """The URL that stands at a node, by the address that it is relative to; as it is where that is "".

    Raises:
        CatalogError: it is no address, as `https://[tenant].example.com`; the message ends with `way_out`.
    """
    try:
        found = urljoin(base, url)
        urlsplit(found)  # which `urljoin` does not look at where it has nothing to join
    except ValueError as error:
        raise node.error(f"{url!r} is no address ({error}). {way_out}") from error
    return found


def _filled(server: Node, given: Mapping[str, str]) -> str:
    """The server's URL with the values of its variables: those given, else their defaults."""
    variables = server.at("variables")

    def value(name: str) -> str:
        if name in given:
            return given[name]
        variable = variables.at(name)
        if "default" in variable:
            return variable.text("default")
        if allowed := variable.at("enum").of(list):
            return str(allowed[0])
        raise variable.error(f"the server's variable {name!r} has no default. Give its value when you import.")

    return _VARIABLE.sub(lambda match: value(match[1]), server.text("url", "/"))


def _served(url: str, node: Node, root: Node, settings: Settings) -> str:
    """The server that stands at a node, by what it is relative to: what is said, or the document's own address."""
    base = settings.base or (_without_query(root.uri) if is_url(root.uri) else "")
    return absolute(url, base, node, _WAY_OUT).rstrip("/")


def _without_query(uri: str) -> str:
    """A document's address as servers may have it: a query may hold the key that it was fetched with."""
    return urlunsplit(urlsplit(uri)._replace(query="", fragment=""))
