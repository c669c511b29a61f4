"""The content of a file, as an argument writes it: text as it is, or any bytes as a data URL (RFC 2397).

A path is text like any other: what a model writes never makes a file of this machine leave it.
"""

from __future__ import annotations

import base64
import binascii
import re
from mimetypes import MimeTypes
from typing import Any, NamedTuple
from urllib.parse import unquote

from toolquiver.calling.http.styles import plain
from toolquiver.calling.outcome import CallError
from toolquiver.catalog.records import JsonSchema

ANY_BYTES = "application/octet-stream"

_WORD = r"[A-Za-z0-9!#$&^_.+-]+"
_DATA_URL = re.compile(
    rf"\s*data:(?P<media_type>{_WORD}/{_WORD})?(?P<options>(?:;[^;,]*)*);base64,(?P<data>.*)",
    re.DOTALL | re.IGNORECASE | re.ASCII,
)
_OPTION = re.compile(rf"{_WORD}={_WORD}")
_NAMES = ("name", "filename")
_KNOWN = MimeTypes()  # Python's own table: the machine's would differ from place to place


class File(NamedTuple):
    """The bytes of a file, with its media type and its name where the argument says them, else ""."""

    data: bytes
    media_type: str = ""
    name: str = ""


def file_of(value: Any, schema: JsonSchema) -> File:
    """What an argument for a file stands for: a data URL in base64 its bytes, anything else its text.

    Where the schema says that it is written in base64, it is.

    Raises:
        CallError: `invalid_arguments`: what should be base64 is not.
    """
    text = plain(value)
    if found := _DATA_URL.fullmatch(text):
        kept, name = _sorted_options(found["options"])
        media_type = (found["media_type"] or "") + "".join(f";{option}" for option in kept if found["media_type"])
        return File(_decoded(unquote(found["data"])), media_type, name)
    if schema.get("contentEncoding") == "base64" or schema.get("format") in {"byte", "base64"}:
        return File(_decoded(text))
    return File(text.encode("utf-8", "replace"))


def file_name(name: str, media_type: str) -> str:
    """A name for a file that has none: the part's, with the usual ending of what it is."""
    kind = media_type.partition(";")[0].strip().lower()
    ending = (_KNOWN.guess_extension(kind) or "") if kind != ANY_BYTES else ""
    return name if name.lower().endswith(ending) else name + ending


def _sorted_options(options: str) -> tuple[list[str], str]:
    """The parameters that belong to the media type, and the name of the file, without folders."""
    kept, name = list[str](), ""
    for option in filter(None, options.split(";")):
        key, _, value = option.partition("=")
        if key.strip().lower() in _NAMES:
            name = re.split(r"[/\\]", unquote(value).strip("\"' "))[-1]
        elif _OPTION.fullmatch(option):
            kept.append(option)
    return kept, name


def _decoded(text: str) -> bytes:
    compact = "".join(text.split())
    try:
        return base64.b64decode(compact + "=" * (-len(compact) % 4), validate=True)
    except (binascii.Error, ValueError) as error:
        raise CallError("invalid_arguments", "The content of a file must be written in base64.") from error
