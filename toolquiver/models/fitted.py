"""Schemas as the clients of single providers take them: some of these raise over what the providers would read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from toolquiver.models.bare import bare

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from toolquiver.catalog import JsonSchema

_TELLING = {"type", "anyOf", "oneOf", "allOf", "const", "enum", "$ref"}
_NAMED = ("properties", "$defs")
_LISTED = ("anyOf", "oneOf", "allOf")


def fitted(schema: JsonSchema, model: BaseChatModel) -> JsonSchema:
    """The schema as this model's client takes it: Gemini's takes no values but texts in an enumeration."""
    return _of_texts(schema) if _is_of(model, "langchain_google_genai") else schema


def decided_by_call(schema: JsonSchema, model: BaseChatModel) -> bool:
    """Whether a model that takes schemas is asked for a call with this one instead.

    Claude's client raises over a part that may be of several types or of any, and sends an object of any fields as one
    without fields.
    """
    return _is_of(model, "langchain_anthropic") and _is_free(schema)


def _is_of(model: BaseChatModel, package: str) -> bool:
    return any(kind.__module__.partition(".")[0] == package for kind in type(bare(model)).__mro__)


def _is_free(part: Any) -> bool:
    if not isinstance(part, dict) or isinstance(part.get("type"), list) or not _TELLING & part.keys():
        return True
    more = part.get("additionalProperties", False) is not False
    if part.get("type") == "object" and (more or not part.get("properties")):
        return True
    items = [part["items"]] if "items" in part else []
    return any(map(_is_free, [*items, *_inner(part)]))


def _inner(part: dict[str, Any]) -> list[Any]:
    named = [one for name in _NAMED for one in part.get(name, {}).values()]
    return named + [one for name in _LISTED for one in part.get(name, ())]


def _of_texts(part: Any) -> Any:
    if isinstance(part, list):
        return [_of_texts(one) for one in part]
    if not isinstance(part, dict):
        return part
    made = part | {name: _of_texts(part[name]) for name in (*_LISTED, "items") if name in part}
    made |= {name: {key: _of_texts(one) for key, one in part[name].items()} for name in _NAMED if name in part}
    values = made.get("enum")
    if not isinstance(values, list) or all(isinstance(value, str) for value in values):
        return made
    rest = {name: value for name, value in made.items() if name != "enum"}
    return rest | {"description": f"{made.get('description', '')} One of {json.dumps(values)}.".strip()}
