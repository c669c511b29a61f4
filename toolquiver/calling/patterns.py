r"""A validator that cannot hang: schemas come from documents, and what is held to them from a model or a server.

Python's own engine tries all ways that `^(\w+\s?)*$` has, twice as many with each letter, and nothing can stop it. So
does jsonschema where each of a chain of definitions refers twice to the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import monotonic
from typing import Any

import regex
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

_PATIENCE = 0.1  # seconds for a pattern, and for all of one value: what takes longer tries ways without end
_MORE = 0.4  # seconds longer for references
_LONGEST = 500  # characters of a pattern: in longer ones `regex` can stay for minutes where it sees no limit
_FUZZY = re.compile(r"(?<!\\)(?<!\\[pPNuUx])\{(?=[^\d,}])")  # `{e}` of `regex`, which others take as it stands
_ends: ContextVar[float] = ContextVar("ends", default=inf)


class OutOfTimeError(Exception):
    """References led on for longer than a value is worth."""


@contextmanager
def in_time() -> Iterator[None]:
    """Inside, all patterns together take no longer than one may; those for which no time is left are not held to.

    References may take a little longer; then they raise `OutOfTimeError`.
    """
    token = _ends.set(monotonic() + _PATIENCE)
    try:
        yield
    finally:
        _ends.reset(token)


def matches(pattern: str, text: str) -> bool:
    """Whether the pattern is found in the text; also where that cannot be told, so that the other side may judge."""
    left = min(_PATIENCE, _ends.get() - monotonic())
    if left <= 0 or len(pattern) > _LONGEST:
        return True
    try:
        return bool(regex.search(_FUZZY.sub(r"\{", pattern), text, timeout=left))
    except (regex.error, TimeoutError, RecursionError, OverflowError):
        return True


def without_dialects(schema: Any) -> Any:
    """The schema without `$schema` in its parts, which would bring another validator in.

    What says of the unevaluated stands last: jsonschema seeks them in what the other keywords, in time, came through.
    """
    if isinstance(schema, list):
        return [without_dialects(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = sorted(schema.items(), key=lambda part: part[0].startswith("unevaluated"))
    return {key: without_dialects(part) for key, part in parts if not (key == "$schema" and isinstance(part, str))}


def _reference(validator: Any, reference: str, value: Any, schema: Mapping[str, Any]) -> Iterator[ValidationError]:
    if monotonic() > _ends.get() + _MORE:
        raise OutOfTimeError
    yield from Draft202012Validator.VALIDATORS["$ref"](validator, reference, value, schema)


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


def _unevaluated(validator: Any, allowed: Any, value: Any, schema: Mapping[str, Any]) -> Iterator[ValidationError]:
    """The same where no pattern names any; else the other side may judge."""
    if "patternProperties" not in repr(validator.schema):
        yield from Draft202012Validator.VALIDATORS["unevaluatedProperties"](validator, allowed, value, schema)


Validator = extend(
    Draft202012Validator,
    {
        "$ref": _reference,
        "$dynamicRef": _reference,
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional,
        "unevaluatedProperties": _unevaluated,
    },
)
"""JSON Schema 2020-12, with regular expressions and references under a limit of time."""
