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
    validator = _validator(json.dumps(closed(api.parameters)))
    if isinstance(validator, str):
        return [f"The catalogue's schema for {api.id} is broken: {validator}."]
    try:
        return [
            _sentence(error.absolute_path, error.message) for error in sorted(validator.iter_errors(arguments), key=str)
        ]
    except Unresolvable as error:
        return [f"The catalogue's schema for {api.id} is broken: it refers to {error.ref!r}, which is not there."]


@lru_cache(maxsize=512)
def _validator(schema: str) -> Draft202012Validator | str:
    """The validator of a schema, or what is wrong with the schema: to find that out takes longer than to validate."""
    loaded = json.loads(schema)
    try:
        Draft202012Validator.check_schema(loaded)
    except SchemaError as error:
        return error.message
    # With a registry of its own the validator fetches no `$ref` over the network.
    return Draft202012Validator(loaded, registry=EMPTY_REGISTRY)


def closed(schema: JsonSchema) -> JsonSchema:
    """The schema with no further properties allowed, unless it says so itself."""
    return {"additionalProperties": False} | schema


def _sentence(path: Any, message: str) -> str:
    place = ".".join(str(part) for part in path)
    return f"{place}: {message}." if place else f"{message}."
