"""Arguments against an API's schema, before anything leaves."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from referencing.exceptions import Unresolvable
from referencing.jsonschema import EMPTY_REGISTRY

from toolquiver.calling.patterns import OutOfTimeError, Validator, in_time, without_dialects

if TYPE_CHECKING:
    from toolquiver.catalog.records import API, JsonSchema


_PARTS = frozenset({"$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"})


def problems(api: API, arguments: dict[str, Any]) -> list[str]:
    """What is wrong with the arguments, a sentence each; empty when they fit.

    A parameter that the API does not have is a problem too, unless its schema allows more. Of a schema that is broken
    the other side judges.
    """
    return misfits(closed(api.parameters), arguments)


def misfits(schema: JsonSchema, value: Any) -> list[str]:
    """What is wrong with a value of any schema, a sentence each; empty when it fits, or the schema is broken.

    Where nobody can say what fits, everything does, until it is called.
    """
    try:
        return _misfits(schema, value)
    except _BrokenSchemaError:
        return []


def is_sound(schema: JsonSchema) -> bool:
    """Whether a value can be held to the schema; in no time that is waited for, it cannot."""
    try:
        _errors(schema, {})
    except (_BrokenSchemaError, OutOfTimeError):
        return False
    return True


class _BrokenSchemaError(Exception):
    """A schema that nothing can be held to."""


def _misfits(schema: JsonSchema, value: Any) -> list[str]:
    try:
        return _errors(schema, value)
    except OutOfTimeError:
        return []  # the other side may judge


def _errors(schema: JsonSchema, value: Any) -> list[str]:
    """As `_misfits`, but for the time.

    Raises:
        OutOfTimeError: it takes longer than is waited for.
    """
    try:
        validator = _validator(json.dumps(schema))
        with in_time():
            found = list(validator.iter_errors(value))
    except OutOfTimeError:
        raise
    except SchemaError as error:
        raise _BrokenSchemaError(error.message) from error
    except Unresolvable as error:
        raise _BrokenSchemaError(f"it refers to {error.ref!r}, which is not there") from error
    except RecursionError as error:
        raise _BrokenSchemaError("it is made of itself, without end") from error
    except Exception as error:  # what a reference leads to was not checked, and may be anything
        raise _BrokenSchemaError(f"it cannot be read ({type(error).__name__}: {error})") from error
    # The text of an error holds its whole schema: one of 60 deep parameters took seconds to sort.
    found.sort(key=lambda error: (error.message, error.json_path))
    return [_sentence(error.absolute_path, error.message) for error in found]


@lru_cache(maxsize=512)
def _validator(schema: str) -> Draft202012Validator:
    """The validator of a schema that was checked: to check it takes longer than to validate."""
    loaded = without_dialects(json.loads(schema))
    Validator.check_schema(loaded, format_checker=None)  # a pattern that Python cannot read is no reason to refuse it
    # With a registry of its own the validator fetches no `$ref` over the network.
    return Validator(loaded, registry=EMPTY_REGISTRY)


def closed(schema: JsonSchema) -> JsonSchema:
    """The schema with no further properties allowed, unless it says so itself; its parts name some, too."""
    if "additionalProperties" in schema:
        return schema
    return {"additionalProperties" if _PARTS.isdisjoint(schema) else "unevaluatedProperties": False} | schema


def _sentence(path: Any, message: str) -> str:
    place = ".".join(str(part) for part in path)
    return f"{place}: {message}." if place else f"{message}."
