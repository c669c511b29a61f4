"""JSON Schema's keywords: which hold other schemas, and what each of the others may be, in the words of 2020."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from toolquiver.json_texts import is_number

ONE = frozenset(
    "additionalProperties contains else if items not propertyNames then unevaluatedItems unevaluatedProperties".split()
)
"""The keywords that hold a schema."""
SEVERAL = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
"""Those that hold a list of schemas."""
NAMED = frozenset({"dependentSchemas", "patternProperties", "properties"})
"""Those that hold schemas by name."""
VALUES = frozenset({"const", "default", "enum", "example", "examples"})
"""Those that hold values: what looks like a reference there is none."""

_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})


def sound(key: str, value: Any, schema: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The keyword as 2020 writes it; nothing when it is not one, or its value means nothing.

    `schema` is where it stands: before 2020 the limits were exclusive by a `true` beside them.
    """
    if key == "type":
        yield from _type(value)
    elif key in LIMITS:
        exclusive = LIMITS[key]
        if is_number(value):
            yield (exclusive if schema.get(exclusive) is True else key), value
    elif (fits := _FITTING.get(key)) and fits(value):
        yield key, value


def _type(value: Any) -> Iterator[tuple[str, Any]]:
    if value == "file":  # OpenAPI 2.0
        yield from {"type": "string", "format": "binary"}.items()
        return
    kinds = [
        kind for kind in (value if isinstance(value, list) else [value]) if isinstance(kind, str) and kind in _TYPES
    ]
    if kinds:
        yield "type", kinds if isinstance(value, list) else kinds[0]


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_pattern(value: Any) -> bool:
    """Whether Python's regular expressions have it; some that documents use, it has not."""
    try:
        re.compile(value)
    except (re.error, TypeError, OverflowError, RecursionError):
        return False
    return True


def _is_set(value: Any) -> bool:
    """Whether it is a list of at least one value that Python can compare."""
    return isinstance(value, list) and bool(value)


def _is_true(value: Any) -> bool:
    return value is True


def _is_anything(_: Any) -> bool:
    return True


LIMITS = {"maximum": "exclusiveMaximum", "minimum": "exclusiveMinimum"}
"""What a limit is called where the value itself is out; before 2020 that was `true` beside it."""

_FITTING: dict[str, Callable[[Any], bool]] = {
    "const": _is_anything,
    "contentEncoding": _is_text,
    "contentMediaType": _is_text,
    "default": lambda value: value is not None,
    "deprecated": _is_true,
    "description": lambda value: isinstance(value, str) and bool(value.strip()),
    "enum": _is_set,
    "exclusiveMaximum": is_number,
    "exclusiveMinimum": is_number,
    "format": _is_text,
    "maxContains": _is_count,
    "maxItems": _is_count,
    "maxLength": _is_count,
    "maxProperties": _is_count,
    "minContains": _is_count,
    "minItems": _is_count,
    "minLength": _is_count,
    "minProperties": _is_count,
    "multipleOf": lambda value: is_number(value) and value > 0,
    "pattern": _is_pattern,
    "title": _is_text,
    "uniqueItems": _is_true,
}

PLAIN = frozenset({"type", *LIMITS, *_FITTING})
"""The keywords that `sound` knows."""
