"""The text of a document as plain data: JSON, or the part of YAML that says the same."""

from __future__ import annotations

import gzip
import io
import json
import re
from typing import TYPE_CHECKING, Any

import yaml

from toolquiver.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_BYTES = 100_000_000
_MOST_VALUES = 10_000_000  # with every alias of YAML written out; the largest real documents have a tenth
_GZIP = b"\x1f\x8b"


def parse(data: bytes, name: str) -> Any:
    """What the bytes of a document hold; `name` stands in the errors. Gzip is unpacked first.

    Raises:
        CatalogError: it is neither JSON nor YAML, or too large.
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
    return json.loads(text.lstrip("\ufeff"))


def _flow_yaml(text: str, name: str, problem: ValueError) -> Any:
    """What begins like JSON and is none may be YAML, which has such braces too."""
    try:
        return _yaml(text, name)
    except CatalogError:
        raise CatalogError(f"{name}: is no JSON ({problem}). Correct the document there.") from problem


def _yaml(text: str, name: str) -> Any:
    try:
        value = yaml.load(text, Loader=_Loader)  # noqa: S506 - it makes nothing but plain data
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        raise CatalogError(f"{name}: {place}is no YAML: {error.problem}. Correct the document there.") from error
    except (yaml.YAMLError, ValueError) as error:
        raise CatalogError(f"{name}: is no YAML: {' '.join(str(error).split())}. Correct the document.") from error
    if _values(value, {}) > _MOST_VALUES:
        raise CatalogError(f"{name}: holds more than {_MOST_VALUES:,} values once its aliases are written out.")
    return value


def _values(value: Any, known: dict[int, int]) -> int:
    """How many values there are, those behind aliases once for each alias."""
    if not isinstance(value, dict | list):
        return 1
    if id(value) not in known:
        parts = value.values() if isinstance(value, dict) else value
        known[id(value)] = 1 + sum(_values(part, known) for part in parts)
    return known[id(value)]


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """YAML 1.2's core: `on` and `2020-01-01` are text, `010` is ten; and keys are always text."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - as PyYAML has them
    yaml_constructors: dict[str, Any] = {}  # noqa: RUF012


def _mapping(loader: Any, node: Any) -> dict[str, Any]:
    if not isinstance(node, yaml.MappingNode):
        raise yaml.constructor.ConstructorError(None, None, "this is no mapping", node.start_mark)
    loader.flatten_mapping(node)
    return {_key(key): loader.construct_object(value, deep=True) for key, value in node.value}


def _key(node: Any) -> str:
    if not isinstance(node, yaml.ScalarNode):
        raise yaml.constructor.ConstructorError(None, None, "a key must be text", node.start_mark)
    return str(node.value)


def _sequence(loader: Any, node: Any) -> list[Any]:
    # Built at once, so that an alias inside of what it names is an error and no endless value.
    return [loader.construct_object(part, deep=True) for part in node.value]


def _integer(text: str) -> int:
    return int(text, 0) if text[:2] in {"0x", "0o"} else int(text)


def _scalar(made: Callable[[str], Any]) -> Callable[[Any, Any], Any]:
    return lambda loader, node: made(loader.construct_scalar(node))


_TAG = "tag:yaml.org,2002:"
for _name, _pattern, _first in (
    ("null", r"~|null|Null|NULL|", "~nN"),
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    ("float", r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", "-+.0123456789"),
    ("merge", "<<", "<"),
):
    _Loader.add_implicit_resolver(_TAG + _name, re.compile(rf"(?:{_pattern})\Z"), [*_first] + [""] * (_name == "null"))
for _name, _made in {
    "null": _scalar(lambda _: None),
    "bool": _scalar(lambda text: text.lower() == "true"),
    "int": _scalar(_integer),
    "float": _scalar(float),
    "str": _scalar(str),
    "map": _mapping,
    "seq": _sequence,
}.items():
    _Loader.add_constructor(_TAG + _name, _made)
