"""Media types, and what a document says of each."""

from __future__ import annotations

from toolquiver.catalog.openapi.nodes import Node

JSON = "application/json"
URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
ANY = "*/*"
ANY_BYTES = "application/octet-stream"

_MERGE_PATCH = "application/merge-patch+json"
_JSON_PATCH = "application/json-patch+json"
_PREFERRED = (JSON, _MERGE_PATCH, "+json", _JSON_PATCH, ANY, MULTIPART, URLENCODED, "text/plain", "text/")


def media_types(holder: Node) -> dict[str, Node]:
    """What stands under the `content` of a parameter, a body or a response, by media type.

    Raises:
        CatalogError: it is no object, or refers to what is not there.
    """
    return {name: media.follow() for name, media in holder.at("content").members() if "/" in name}


def is_json(media_type: str) -> bool:
    """Whether a media type is JSON or a kind of it, or any."""
    plain = _plain(media_type)
    return plain in {JSON, ANY} or plain.endswith("+json")


def is_patch(media_type: str) -> bool:
    """Whether a media type of JSON is one of changes, and not of the thing itself."""
    return _plain(media_type).endswith("patch+json")


def is_xml(media_type: str) -> bool:
    """Whether a media type is XML or a kind of it."""
    return _plain(media_type).endswith(("/xml", "+xml"))


def preference(media_type: str) -> int:
    """The lower the better to send: JSON first, of patches the easiest, then forms, then what a text can be."""
    plain = _plain(media_type)
    kind = "+json" if plain.endswith("+json") else plain.partition("/")[0] + "/"
    return next((_PREFERRED.index(one) for one in (plain, kind) if one in _PREFERRED), len(_PREFERRED))


def named(media_type: str) -> str:
    """The media type to name in a request; where any will do it is JSON."""
    return JSON if _plain(media_type) == ANY else media_type


def _plain(media_type: str) -> str:
    return media_type.partition(";")[0].strip().lower()
