"""What a catalogue holds: APIs, the tools they belong to, the categories of those."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Literal, NewType

from pydantic import BaseModel, ConfigDict, Field, field_validator

ApiId = NewType("ApiId", str)
"""Names one API for ever: `category/tool/name`, lower case, made once by `api_id`."""

JsonSchema = dict[str, Any]

Effect = Literal["read", "write", "unknown"]
"""What a call does: it only reads, it may write, or nobody has said."""

_SAID_ONCE = frozenset({"items", "properties", "required"})  # of two, one would be lost

_APART = re.compile(r"[\W_]+")


@lru_cache(maxsize=1_024)  # a tool's APIs come one after the other
def slug(text: str) -> str:
    """Lower-case `text` with every run of other characters than letters and digits as one `_`."""
    return _APART.sub("_", text.lower()).strip("_") or "_"


def api_id(category: str, tool: str, name: str) -> ApiId:
    """The id of an API, the same in every run and every process.

    It is `category/tool/name`, each as a slug: `api_id("Shop", "Orders", "find order")` is `shop/orders/find_order`.
    """
    return ApiId("/".join(slug(part) for part in (category, tool, name)))


class Parameter(BaseModel):
    """One parameter of an API, read out of its JSON Schema.

    `schema_` is the parameter's own JSON Schema, `definitions` those of its API that it may refer to; `type` is its
    readable short form.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    type: str
    required: bool
    description: str = ""
    schema_: JsonSchema = Field(default_factory=dict, repr=False)
    definitions: JsonSchema = Field(default_factory=dict, repr=False)

    @property
    def whole_schema(self) -> JsonSchema:
        """The parameter's schema with what it refers to, so that a value can be checked against it alone."""
        return self.definitions | self.schema_

    def inner_list(self) -> list[Parameter]:
        """What an object holds, or each object of a list, as parameters; the required ones first."""
        held: Any = without_null(self.schema_)
        if held.get("type") == "array":
            held = held.get("items")
        held = without_null(held) if isinstance(held, dict) else {}
        return _parameters(held) if isinstance(held.get("properties"), dict) else []


class API(BaseModel):
    """One callable operation.

    `effect` says what a call does. `parameters` is a JSON Schema of type object, `output` the JSON Schema of what a
    call returns where the source states it, `source` the key of the caller that can call it ("" when nothing here can)
    and `binding` what that caller needs besides, as plain JSON. `tool_description` says what the tool is for; a tool
    has one, that of the API stored last which says any. `function` is the name shown to models; the catalogue gives it
    when the API is stored. `example` is a call as an instruction shows it; only a catalogue as models see it
    (`Catalog.shown`) has it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: ApiId
    name: str
    description: str = ""
    method: str = "CALL"
    effect: Effect = "unknown"
    parameters: JsonSchema = Field(default_factory=lambda: {"type": "object", "properties": {}})
    output: JsonSchema | None = None
    tool: str
    tool_description: str = ""
    category: str
    source: str = ""
    binding: dict[str, Any] = Field(default_factory=dict)
    function: str = ""
    example: str = ""

    @field_validator("parameters")
    @classmethod
    def _is_an_object(cls, schema: JsonSchema) -> JsonSchema:
        if schema.get("type", "object") != "object" or not isinstance(schema.get("properties", {}), dict):
            raise ValueError("parameters must be a JSON Schema of type object")
        return schema

    @property
    def whole_description(self) -> str:
        """The description, and the example where there is one to be shown."""
        return f"{self.description}\nExample, {self.example}".strip() if self.example else self.description

    def parameter_list(self) -> list[Parameter]:
        """The parameters, the required ones first, otherwise in the order of the schema."""
        return _parameters(self.parameters)

    def required_list(self) -> list[Parameter]:
        """The parameters that a call must have, in the order of the schema."""
        return [parameter for parameter in self.parameter_list() if parameter.required]


class Tool(BaseModel):
    """A named group of APIs, with how many it has."""

    model_config = ConfigDict(frozen=True)

    name: str
    category: str
    description: str = ""
    apis: int = 0


class Category(BaseModel):
    """A named group of tools, with how many tools and APIs it has."""

    model_config = ConfigDict(frozen=True)

    name: str
    tools: int
    apis: int


def _parameters(schema: JsonSchema) -> list[Parameter]:
    """The properties of an object's schema, the required ones first."""
    demanded = schema.get("required", ())
    required = set(demanded) if isinstance(demanded, list | tuple) else set()  # some write `true` in a property
    definitions = {key: held for key, held in schema.items() if key in ("$defs", "definitions")}
    found = [
        Parameter(
            name=name,
            type=type_text(one),
            required=name in required,
            description=one.get("description") or "",
            schema_=one,
            definitions=definitions,
        )
        for name, one in _properties(schema).items()
    ]
    return sorted(found, key=lambda parameter: not parameter.required)


def _properties(schema: JsonSchema) -> dict[str, JsonSchema]:
    """The properties' schemas; `true`, which JSON Schema allows for "anything", as the same in long."""
    found = schema.get("properties", {}).items()
    return {name: one if isinstance(one, dict) else {} for name, one in found}


def type_text(schema: JsonSchema | bool) -> str:
    """A JSON Schema's type in a few characters: `string`, `integer`, `list of number`, `a | b`."""
    if isinstance(schema, bool):
        return "any"
    schema = without_null(schema)
    if "enum" in schema or "const" in schema:
        return " | ".join(str(value) for value in schema.get("enum", [schema.get("const")]))
    for key in ("anyOf", "oneOf"):
        if schema.get(key):
            return " or ".join(text for part in schema[key] if (text := type_text(part)) != "null")
    kind = schema.get("type", "any")
    if isinstance(kind, list):
        return " or ".join(type_text(schema | {"type": one}) for one in kind)
    if kind == "array":
        return f"list of {type_text(schema.get('items', {}))}"
    return str(kind)


def without_null(schema: JsonSchema) -> JsonSchema:
    """The schema of what is not null; what stands alone in an `allOf`, or beside null in a choice, is written out."""
    kinds = schema.get("type")
    if isinstance(kinds, list) and (others := [kind for kind in kinds if kind != "null"]):
        schema = schema | {"type": others[0] if len(others) == 1 else others}
    for key in ("anyOf", "oneOf", "allOf"):
        parts = [part for part in schema.get(key) or () if not (isinstance(part, dict) and part.get("type") == "null")]
        if len(parts) == 1 and isinstance(parts[0], dict) and _SAID_ONCE.isdisjoint(parts[0].keys() & schema.keys()):
            return without_null(parts[0] | {name: value for name, value in schema.items() if name != key})
    return schema
