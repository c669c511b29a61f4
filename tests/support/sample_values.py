"""Values that fit a schema, awkward where the schema lets them be; for calling operations that nobody filled in."""

from functools import lru_cache
from typing import Any

from hypothesis import Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from jsonschema import Draft202012Validator
from referencing.jsonschema import EMPTY_REGISTRY

AWKWARD = "a b&c=d;é,+%?#"  # all that means something in an address, but the slash, which paths refuse
_FORMATS = {
    "date": "2024-02-29",
    "date-time": "2024-02-29T12:30:00Z",
    "time": "12:30:00Z",
    "uuid": "123e4567-e89b-42d3-a456-426614174000",
    "email": "a@pets.test",
    "uri": "https://pets.test/a?b=c",
    "url": "https://pets.test/a?b=c",
    "ipv4": "192.0.2.1",
    "byte": "YWJj",
    "base64": "YWJj",
}
_DEEPEST = 6


def sample(schema: dict[str, Any], *, optional: bool) -> Any:
    """A value of the schema, with the members that it may lack or without; None where none is found."""
    found = _Sampler(schema, optional=optional).value(schema, 0)
    return found if Draft202012Validator(schema, registry=EMPTY_REGISTRY).is_valid(found) else None


class _Sampler:
    def __init__(self, root: dict[str, Any], *, optional: bool) -> None:
        self._definitions = root.get("$defs", {})
        self._optional = optional

    def value(self, schema: Any, depth: int) -> Any:
        if not isinstance(schema, dict) or depth > _DEEPEST:
            return "x"
        if "$ref" in schema:
            return self.value(self._definitions[schema["$ref"].removeprefix("#/$defs/")], depth + 1)
        fixed = [schema[key] for key in ("const", "default") if key in schema] + schema.get("enum", [])[-1:]
        if fixed:
            return fixed[0]
        for key in ("oneOf", "anyOf"):
            if key in schema:
                return self.value({k: v for k, v in schema.items() if k != key} | schema[key][0], depth)
        if "allOf" in schema:
            parts = [self.value(part, depth + 1) for part in schema["allOf"]]
            return {k: v for part in parts if isinstance(part, dict) for k, v in part.items()} or parts[0]
        kind = schema.get("type", "object" if "properties" in schema else "string")
        kind = kind[0] if isinstance(kind, list) else kind
        return getattr(self, f"_{kind}")(schema, depth)

    def _object(self, schema: dict[str, Any], depth: int) -> Any:
        required = schema.get("required", ())
        wanted = {k: v for k, v in schema.get("properties", {}).items() if self._optional or k in required}
        return {name: self.value(member, depth + 1) for name, member in wanted.items()}

    def _array(self, schema: dict[str, Any], depth: int) -> Any:
        item = self.value(schema.get("items", {}), depth + 1)
        return [item] * max(schema.get("minItems", 1), min(2, schema.get("maxItems", 2 - ("uniqueItems" in schema))))

    def _string(self, schema: dict[str, Any], depth: int) -> Any:
        if "pattern" in schema:
            return _fitting(schema["pattern"], schema.get("minLength", 1))
        text = _FORMATS.get(schema.get("format", ""), AWKWARD)
        least = schema.get("minLength", 0)
        return (text + "x" * (least - len(text)))[: schema.get("maxLength", len(text) + least)]

    def _number(self, schema: dict[str, Any], depth: int) -> Any:
        step = schema.get("multipleOf", 1)
        least = schema.get("minimum", schema.get("exclusiveMinimum", -step) + step)
        most = schema.get("maximum", schema.get("exclusiveMaximum", least + 2 * step) - step)
        return max(least, min(most, 7)) if step == 1 else -(-least // step) * step

    _integer = _number

    def _boolean(self, schema: dict[str, Any], depth: int) -> Any:
        return True

    def _null(self, schema: dict[str, Any], depth: int) -> Any:
        return None


@lru_cache
def _fitting(pattern: str, least: int) -> str | None:
    """Some text of a pattern, at least so long."""
    quick = settings(max_examples=200, database=None, phases=[Phase.generate])
    try:
        return find(st.from_regex(pattern), lambda text: len(text) >= least, settings=quick)
    except NoSuchExample:
        return None
