r"""A validator whose regular expressions cannot hang: they come from documents, and what they are held to from a model.

Python's own engine tries all ways that `^(\w+\s?)*$` has, twice as many with each letter, and nothing can stop it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import regex
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

_PATIENCE = 0.1  # seconds: what takes longer tries ways without end


def matches(pattern: str, text: str) -> bool:
    """Whether the pattern is found in the text; also where that cannot be told, so that the other side may judge."""
    try:
        return bool(regex.search(pattern, text, timeout=_PATIENCE))
    except (regex.error, TimeoutError, RecursionError, OverflowError):
        return True


def _pattern(validator: Any, pattern: str, value: Any, _: Any) -> Iterator[ValidationError]:
    if validator.is_type(value, "string") and not matches(pattern, value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


def _pattern_properties(validator: Any, patterns: Mapping[str, Any], value: Any, _: Any) -> Iterator[ValidationError]:
    if validator.is_type(value, "object"):
        for pattern, schema in patterns.items():
            for name, member in value.items():
                if matches(pattern, name):
                    yield from validator.descend(member, schema, path=name, schema_path=pattern)


def _additional(validator: Any, allowed: Any, value: Any, schema: Mapping[str, Any]) -> Iterator[ValidationError]:
    """What the validator does of itself, without the properties that a pattern names."""
    if validator.is_type(value, "object"):
        patterns = schema.get("patternProperties", {})
        value = {name: one for name, one in value.items() if not any(matches(pattern, name) for pattern in patterns)}
        schema = {key: part for key, part in schema.items() if key != "patternProperties"}
    yield from Draft202012Validator.VALIDATORS["additionalProperties"](validator, allowed, value, schema)


Validator = extend(
    Draft202012Validator,
    {"pattern": _pattern, "patternProperties": _pattern_properties, "additionalProperties": _additional},
)
"""JSON Schema 2020-12, with regular expressions under a limit of time."""
