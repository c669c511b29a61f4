"""The text of a document as plain data: JSON, or the part of YAML that says the same."""

from __future__ import annotations

import gzip
import io
import json
from typing import Any

from toolquiver.catalog.openapi.yaml12 import YamlError, load_yaml
from toolquiver.errors import CatalogError
from toolquiver.surrogates import without_halves

MOST_BYTES = 100_000_000
_HALF = "\\ud"  # how the escape of a surrogate begins
_GZIP = b"\x1f\x8b"


def parse(data: bytes, name: str) -> Any:
    """What the bytes of a document hold; `name` stands in the errors. Gzip is unpacked first.

    Raises:
        CatalogError: it is neither JSON nor YAML, has a part twice, or is too large.
    """
    try:
        data = _unpacked(data, name)
        text = data.decode(json.detect_encoding(data))
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise CatalogError(
            f"{name}: cannot be read as text ({error}). Check that it is an OpenAPI document."
        ) from error
    try:
        return _json(text) if text.lstrip("\ufeff \t\r\n").startswith("{") else _yaml(text, name)
    except RecursionError as error:
        raise CatalogError(f"{name}: is nested too deeply to be read.") from error
    except ValueError as error:
        return _flow_yaml(text, name, error)


def _unpacked(data: bytes, name: str) -> bytes:
    if data.startswith(_GZIP):
        with gzip.open(io.BytesIO(data)) as packed:
            data = packed.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise CatalogError(f"{name}: is larger than {MOST_BYTES:,} bytes. Import a part of it.")
    return data


def _json(text: str) -> Any:
    value = json.loads(text.lstrip("\ufeff"), parse_constant=_refused, object_pairs_hook=_object)
    return without_halves(value) if _HALF in text.lower() else value


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object with these members; of a name that is there twice a part of the document would be lost unsaid.

    Of two texts or numbers the last counts, as everywhere.
    """
    found = dict(members)
    if len(found) < len(members):
        for name, value in members:
            if found[name] != value and isinstance(value, dict | list):
                raise ValueError(f"the key {name!r} is in one object a second time, and differs")
    return found


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def _flow_yaml(text: str, name: str, problem: ValueError) -> Any:
    """What begins like JSON and is not may be YAML, which has such braces too."""
    try:
        return _yaml(text, name)
    except CatalogError:
        raise CatalogError(f"{name}: is no JSON ({problem}). Correct the document there.") from problem


def _yaml(text: str, name: str) -> Any:
    try:
        return load_yaml(text)
    except YamlError as error:
        raise CatalogError(f"{name}: is no YAML that can be read: {error}. Correct the document there.") from error
