"""Which credentials an operation asks for."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple

from toolquiver.catalog.openapi.nodes import Node
from toolquiver.catalog.openapi.servers import absolute
from toolquiver.catalog.operation import Credential
from toolquiver.errors import CatalogError


def credentials(root: Node, operation: Node, server: str) -> tuple[tuple[Credential, ...], ...]:
    """The alternatives that an operation asks for, its own or the document's.

    Raises:
        CatalogError: one names a scheme that the document does not have.
    """
    asked = operation.at("security") if operation.at("security").value is not None else root.at("security")
    defined = _defined(root)
    found = []
    for alternative in asked.parts():
        needed = []
        for name, scopes in alternative.members():
            if name not in defined:
                raise scopes.error(f"there is no security scheme {name!r}. Define it in {defined.place}.")
            needed.append(_credential(name, scopes, defined.at(name).follow(), server))
        found.append(tuple(needed))
    return tuple(dict.fromkeys(found))


class Schemes(NamedTuple):
    """The names of a document's security schemes, and those of them that are keys; those that it breaks are none."""

    names: frozenset[str] = frozenset()
    api_keys: tuple[Credential, ...] = ()


def schemes(root: Node) -> Schemes:
    """The schemes that the document knows, asked for or not."""
    found = []
    for key, scheme in _defined(root).members():
        with suppress(CatalogError):
            found.append(_credential(key, scheme.at("no scopes"), scheme.follow(), ""))
    return Schemes(frozenset(one.key for one in found), tuple(one for one in found if one.kind == "api_key"))


def _defined(root: Node) -> Node:
    return root.at("securityDefinitions") if "swagger" in root else root.at("components").at("securitySchemes")


def _credential(key: str, scopes: Node, scheme: Node, server: str) -> Credential:
    kind, wanted = scheme.text("type"), tuple(str(scope) for scope in scopes.of(list) or ())
    if kind == "apiKey":
        location: Any = scheme.text("in")
        if location not in {"header", "query", "cookie"} or not scheme.text("name"):
            raise scheme.error("a key needs a 'name', and 'in' must be header, query or cookie. Correct it there.")
        return Credential(key=key, kind="api_key", name=scheme.text("name"), location=location)
    if kind == "oauth2":
        return _oauth2(key, wanted, scheme, server)
    if kind == "basic" or (kind == "http" and scheme.text("scheme").lower() == "basic"):
        return Credential(key=key, kind="basic")
    if kind == "openIdConnect" or (kind == "http" and scheme.text("scheme").lower() == "bearer"):
        return Credential(key=key, kind="bearer", scopes=wanted)
    return Credential(key=key, kind="other")


def _oauth2(key: str, scopes: tuple[str, ...], scheme: Node, server: str) -> Credential:
    """With the client's credentials a token can be fetched; one that a person must ask for is sent as it is."""
    application = scheme.text("flow") == "application"  # OpenAPI 2.0
    flow = scheme if application else scheme.at("flows").at("clientCredentials")
    if token_url := flow.text("tokenUrl"):
        place = absolute(token_url, server, flow.at("tokenUrl"), "Correct it there.")
        return Credential(key=key, kind="oauth2", token_url=place, scopes=scopes)
    return Credential(key=key, kind="bearer", scopes=scopes)
