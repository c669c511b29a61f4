"""A request out of an API's record and arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import httpx

from toolquiver.calling.http.body import body
from toolquiver.calling.http.inside import Inside, Placed, with_keys
from toolquiver.calling.http.paths import climbs, decoded, in_path
from toolquiver.calling.http.styles import header_text, is_json, query_pairs
from toolquiver.calling.outcome import CallError
from toolquiver.catalog.operation import HttpOperation, Placement
from toolquiver.catalog.records import API

Header = tuple[str, str]

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
_OURS = {  # what says where a request goes, where it ends, and what it does in place of its method
    "connection",
    "content-encoding",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "x-http-method",
    "x-http-method-override",
    "x-method-override",
}
_LONGEST = 50_000  # characters; httpx takes a few more
_LITERAL = "/%:@!$&'()*+,;=~-._"


@dataclass(frozen=True, kw_only=True)
class Outgoing:
    """A request before anything is sent. `cookies` are `name=value` texts.

    Keys are no part of it yet but for those in its body; then `is_secret`.
    """

    method: str
    url: httpx.URL
    headers: tuple[Header, ...] = ()
    cookies: tuple[str, ...] = ()
    content: bytes = field(default=b"", repr=False)
    content_type: str = ""
    is_secret: bool = False


def outgoing(
    operation: HttpOperation, api: API, arguments: dict[str, Any], server: str = "", keys: Sequence[Inside] = ()
) -> Outgoing:
    """The request that calls `api`, to `server` where that is given, else to the operation's own.

    `keys` are the credentials that its body carries.

    Raises:
        CallError: `invalid_arguments` for one that cannot stand where it belongs, or is missing from the path;
            `unknown_api` when the record cannot be called.
    """
    placed = [(place, arguments[place.argument]) for place in operation.placements if place.argument in arguments]
    placed += _more(operation, api, arguments)
    content, content_type = body(operation, with_keys(operation, placed, keys), api.parameters.get("properties", {}))
    return Outgoing(
        method=operation.method.upper(),
        url=_url(server or operation.server, operation, placed),
        headers=tuple(_headers(placed)),
        cookies=tuple(_cookies(placed)),
        content=content,
        content_type=content_type,
        is_secret=bool(keys),
    )


def address(text: str) -> httpx.URL:
    """A URL.

    Raises:
        CallError: `unknown_api`: it is not one.
    """
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL:
        url = httpx.URL()
    if not url.scheme or not url.host:
        raise CallError("unknown_api", f"{text[:80]!r} is no address. Set server in the source's settings.")
    return url


def header(name: str, value: str) -> Header:
    """A header that can be sent.

    Raises:
        CallError: `invalid_arguments`: the name is not valid, or the value holds a newline or control character.
    """
    if not _TOKEN.fullmatch(name):
        raise CallError("invalid_arguments", f"{name!r} is no name of a header.")
    if _CONTROLS.search(value):
        raise CallError("invalid_arguments", f"{name}: a header's value is one line without control characters.")
    return name, value.strip(" ").encode("utf-8", "replace").decode()


def _more(operation: HttpOperation, api: API, arguments: dict[str, Any]) -> Placed:
    """The arguments beside those of the document, which are further members of a body that says it takes them.

    What has the name of a credential in the body does not count.
    """
    if not api.parameters.get("additionalProperties") or not is_json(operation.body_media_type):
        return []
    known = {place.argument for place in operation.placements}
    known |= {name for key in operation.keys for name in (key.name, *key.path[:1]) if key.location == "body"}
    more = ((name, value) for name, value in arguments.items() if name not in known)
    return [(Placement(argument=name, name=name, location="body"), value) for name, value in more]


def _headers(placed: Placed) -> Iterator[Header]:
    """The headers that arguments may set; some documents list others, which are ours to set."""
    for place, value in placed:
        ours = place.name.lower() in _OURS or place.name.lower().startswith("proxy-")
        if place.location == "header" and value is not None and not ours:
            yield header(place.name, header_text(place, value))


def _cookies(placed: Placed) -> list[str]:
    return [pair for place, value in placed if place.location == "cookie" for pair in query_pairs(place, value)]


def _url(server: str, operation: HttpOperation, placed: Placed) -> httpx.URL:
    start, _, fixed = server.partition("#")[0].partition("?")
    if "{" in start:
        raise CallError("unknown_api", f"The server {start} has a blank in it. Set server in the source's settings.")
    path, _, query = operation.path.partition("#")[0].partition("?")
    path, query = _filled(path, placed), _filled(query, placed)
    if climbs(decoded(path)):
        raise CallError("invalid_arguments", "A part of the path may not be . or .. alone.")
    pairs = [pair for place, value in placed if place.location == "query" for pair in query_pairs(place, value)]
    question = "&".join(filter(None, [fixed, query, *pairs]))
    if len(path) + len(question) > _LONGEST:
        raise CallError("invalid_arguments", "The arguments are too long for an address. Use shorter ones.")
    place = f"{start.rstrip('/')}/{path.removeprefix('/')}"
    return address(f"{place}?{question}" if question else place)


def _filled(template: str, placed: Placed) -> str:
    """A part of the path's template, percent-encoded, with the arguments in their places."""
    texts = {place.name: in_path(place, value) for place, value in placed if place.location == "path"}
    pieces = re.split(r"\{([^{}]*)\}", template)
    for number, piece in enumerate(pieces):
        if number % 2 == 0:
            pieces[number] = quote(piece, safe=_LITERAL)
        elif piece in texts:
            pieces[number] = texts[piece]
        else:
            raise CallError("invalid_arguments", f"{piece}: it belongs in the path and is missing.")
    return "".join(pieces)
