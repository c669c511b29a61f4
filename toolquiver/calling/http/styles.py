"""Arguments as text in a URL, a header or a form: OpenAPI's styles, which are RFC 6570's templates."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from urllib.parse import quote

from toolquiver.catalog.operation import Placement

_DELIMITERS = {"spaceDelimited": " ", "pipeDelimited": "|", "tabDelimited": "\t"}
_RESERVED = "/:?@!$'()*,="  # those that end neither a value nor a query, for any server
_LARGEST_WHOLE = 2.0**53


def query_pairs(placement: Placement, value: Any) -> list[str]:
    """An argument as percent-encoded `name=value` parts of a query, a form or a cookie; none for null or nothing."""
    name, safe = encoded(placement.name), _RESERVED if placement.allow_reserved else ""
    if value is None:
        return []
    if placement.media_type or not isinstance(value, dict | list):
        text = _of_media_type(placement, value)
        return [f"{name}={encoded(text, safe)}"] if name else [encoded(text, _RESERVED + "&")]
    if placement.style == "deepObject":
        return [f"{name}{encoded(path)}={encoded(text, safe)}" for path, text in _deep(value)]
    if placement.explode or not name:
        pairs = [(name if key is None else encoded(key), text) for key, text in _members(value)]
        return [f"{key}={encoded(text, safe)}" for key, text in pairs]
    texts = [encoded(text, safe) for text in _flat(value)]
    return [f"{name}={_separator(placement, encoded).join(texts)}"] if texts else []


def plain_pairs(placement: Placement, value: dict[str, Any] | list[Any]) -> list[tuple[str, str]]:
    """A list or an object that is not exploded, or in brackets, as names and texts that are not encoded."""
    if placement.style == "deepObject":
        return [(placement.name + path, text) for path, text in _deep(value)]
    texts = _flat(value)
    return [(placement.name, _separator(placement, str).join(texts))] if texts else []


def path_text(placement: Placement, value: Any) -> str:
    """An argument as percent-encoded text for its place in a path."""
    if placement.media_type:
        return encoded(_of_media_type(placement, value))
    separator = _separator(placement, encoded)
    parts = _exploded(value, encoded) if placement.explode else [separator.join(encoded(text) for text in _flat(value))]
    if placement.style == "matrix":
        name = encoded(placement.name)
        named = isinstance(value, dict) and placement.explode
        return "".join(f";{part}" if named else f";{name}={part}".removesuffix("=") for part in parts)
    if placement.style == "label":
        return "." + ".".join(parts)
    return separator.join(parts)


def header_text(placement: Placement, value: Any) -> str:
    """An argument as a header's value, which is not percent-encoded."""
    if placement.media_type:
        return _of_media_type(placement, value)
    return _separator(placement, str).join(_exploded(value, str) if placement.explode else _flat(value))


def is_json(media_type: str) -> bool:
    """Whether a media type is JSON, a kind of it, or any."""
    kind = media_type.partition(";")[0].strip().lower()
    return kind == "*/*" or kind.endswith(("/json", "+json"))


def plain(value: Any) -> str:
    """A single value as text: numbers without an empty fraction, `true` and `false`, what is nested as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) < _LARGEST_WHOLE:
        value = int(value)
    return as_json(value)


def as_json(value: Any) -> str:
    """A value as compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def encoded(text: str, safe: str = "") -> str:
    """Percent-encode all but RFC 3986's unreserved characters and those in `safe`."""
    return quote(text, safe=safe, errors="replace")


def _of_media_type(placement: Placement, value: Any) -> str:
    return as_json(value) if is_json(placement.media_type) else plain(value)


def _separator(placement: Placement, encode: Callable[[str], str]) -> str:
    """What stands between the values of a list; a comma is never encoded."""
    delimiter = _DELIMITERS.get(placement.style)
    return encode(delimiter) if delimiter else ","


def _members(value: Any) -> Iterator[tuple[str | None, str]]:
    """Key and text of an object's members, no key and text of a list's; nulls are nothing."""
    pairs: Iterable[tuple[str | None, Any]]
    pairs = value.items() if isinstance(value, dict) else ((None, item) for item in value)
    return ((key, plain(item)) for key, item in pairs if item is not None)


def _flat(value: Any) -> list[str]:
    """Keys and values one after the other."""
    if not isinstance(value, dict | list):
        return [plain(value)]
    return [text for member in _members(value) for text in member if text is not None]


def _exploded(value: Any, encode: Callable[[str], str]) -> list[str]:
    """Every value by itself, that of an object as `key=value`."""
    if not isinstance(value, dict | list):
        return [encode(plain(value))]
    return [encode(text) if key is None else f"{encode(key)}={encode(text)}" for key, text in _members(value)]


def _deep(value: Any) -> Iterator[tuple[str, str]]:
    """The path to every value in brackets, those of lists by their number, and the value; neither is encoded."""
    pairs: Iterable[tuple[Any, Any]] = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in pairs:
        path = f"[{key}]"
        if isinstance(item, dict | list):
            yield from ((path + rest, text) for rest, text in _deep(item))
        elif item is not None:
            yield path, plain(item)
