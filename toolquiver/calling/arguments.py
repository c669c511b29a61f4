"""Arguments against an API's schema, before anything leaves."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from referencing.exceptions import Unresolvable
from referencing.jsonschema import EMPTY_REGISTRY

if TYPE_CHECKING:
    from toolquiver.catalog.records import API, JsonSchema


def problems(api: API, arguments: dict[str, Any]) -> list[str]:
    """What is wrong with the arguments, a sentence each; empty when they fit.

    A parameter that the API does not have is a problem too, unless its schema allows more.
    """
    try:
        return misfits(closed(api.parameters), arguments)
    except SchemaError as error:
        return [f"The catalogue's schema for {api.id} is broken: {error.message}."]
    except Unresolvable as error:
        return [f"The catalogue's schema for {api.id} is broken: it refers to {error.ref!r}, which is not there."]


def misfits(schema: JsonSchema, value: Any) -> list[str]:
    """What is wrong with a value of any schema, a sentence each; empty when it fits.

    Raises:
        SchemaError, Unresolvable: the schema is broken.
    """
    errors = _validator(json.dumps(schema)).iter_errors(value)
    # The text of an error holds its whole schema: one of 60 deep parameters took seconds to sort.
    found = sorted(errors, key=lambda error: (error.message, error.json_path))
    return [_sentence(error.absolute_path, error.message) for error in found]


@lru_cache(maxsize=512)
def _validator(schema: str) -> Draft202012Validator:
    """The validator of a schema that was checked: to check it takes longer than to validate."""
    loaded = json.loads(schema)
    Draft202012Validator.check_schema(loaded)
    # With a registry of its own the validator fetches no `$ref` over the network.
    return Draft202012Validator(loaded, registry=EMPTY_REGISTRY)


def closed(schema: JsonSchema) -> JsonSchema:
    """The schema with no further properties allowed, unless it says so itself."""
    return {"additionalProperties": False} | schema


def _sentence(path: Any, message: str) -> str:
    place = ".".join(str(part) for part in path)
    return f"{place}: {message}." if place else f"{message}."
