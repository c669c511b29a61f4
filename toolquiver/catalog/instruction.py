"""EasyTool's instructions: what a tool is for, and for each function a guideline with a proven example (4.1, 4.2)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from toolquiver.catalog.condense import condensed
from toolquiver.catalog.records import API, Parameter, slug

LONGEST_LINE = 160
"""Characters of what a tool or a function is for, where rules condense it; a model is asked for as many."""
LONGEST_SCENARIO = 200
LONGEST_EXAMPLE = 2_000
"""Characters of an example's arguments, written as JSON."""
_INNER_OPTIONAL = 8  # optional properties of an object that are told

Proof = Literal["none", "valid", "called"]
"""What speaks for an example: there is none, it fits the schema, a call with it was answered."""

UNPROVEN = "The example was not proven:"
"""What the problem of a guideline begins with whose example was called, and not answered for another reason."""


class Kept(BaseModel):
    """A parameter as an instruction keeps it: its exact name and type, and a short meaning, which may be empty."""

    model_config = ConfigDict(frozen=True)

    name: str
    type: str
    required: bool
    meaning: str = ""


class Guideline(BaseModel):
    """What an instruction says of one function.

    `scenario` says when one would make the call `arguments`. `problem` says why a part is missing, or was not proven.
    """

    model_config = ConfigDict(frozen=True)

    description: str
    parameters: tuple[Kept, ...] = ()
    scenario: str = ""
    arguments: dict[str, Any] | None = None
    proof: Proof = "none"
    problem: str = ""

    @property
    def unproven(self) -> bool:
        """Whether nothing is wrong but that no call has shown the example to work."""
        return self.proof == "valid" and (not self.problem or self.problem.startswith(UNPROVEN))


class Purpose(BaseModel):
    """What an instruction says of a tool as a whole."""

    model_config = ConfigDict(frozen=True)

    purpose: str
    problem: str = ""


class Stored(BaseModel):
    """An instruction as the catalogue keeps it, of a tool (`content` is a `Purpose`) or of an API (a `Guideline`).

    `subject` is the API's id, or `tool_subject` of the tool. `document` is the hash of the documentation that it was
    written from, `prompt` the version of the prompts, `model` who wrote it. `version` counts those of one subject.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    subject: str
    document: str
    prompt: str
    model: str
    version: int = Field(default=0, ge=0)
    made: datetime
    content: Guideline | Purpose


def tool_subject(category: str, tool: str) -> str:
    """What the instruction of a tool is kept under: the beginning of its APIs' ids."""
    return f"{slug(category)}/{slug(tool)}"


def api_hash(api: API) -> str:
    """A hash of an API's documentation: name, method, description and schema; where it is called does not count."""
    return _hash([api.name, api.method, api.description, _untitled(api.parameters)])


def tool_hash(apis: Sequence[API]) -> str:
    """A hash of a tool's documentation: its own description, and what it says of its APIs in a line."""
    said = sorted([api.id, api.name, api.description] for api in apis)
    return _hash([apis[0].tool, apis[0].tool_description, said])


def parameters_of(api: API) -> tuple[Kept, ...]:
    """An API's parameters, kept exactly, and what its documentation says of each, without markup."""
    return tuple(
        Kept(
            name=one.name,
            type=type_with_inner(one),
            required=one.required,
            meaning=condensed(one.description, name=one.name),
        )
        for one in api.parameter_list()
    )


def type_with_inner(parameter: Parameter) -> str:
    """A parameter's type, with what an object in it holds: all that is required of that, and some of the rest."""
    inner = parameter.inner_list()
    required = sum(one.required for one in inner)
    told = [f"{one.name}{'' if one.required else '?'}: {one.type}" for one in inner[: required + _INNER_OPTIONAL]]
    more = ["..."] if len(told) < len(inner) else []
    return f"{parameter.type} {{{', '.join([*told, *more])}}}" if told else parameter.type


def differing(api: API, guideline: Guideline) -> list[str]:
    """The parameters that the guideline lost, invented or changed, a sentence each; empty when it kept them all.

    What an object holds counts as well, unless the guideline says nothing of that: those written earlier do not.
    """
    kept = {one.name: (one.type, one.required) for one in guideline.parameters}
    there = {one.name: (_as_told(one, kept.get(one.name)), one.required) for one in api.parameter_list()}
    found = [f"The parameter {name!r} is missing." for name in there.keys() - kept.keys()]
    found += [f"The parameter {name!r} does not exist." for name in kept.keys() - there.keys()]
    found += [f"The parameter {name!r} is changed." for name in kept.keys() & there.keys() if kept[name] != there[name]]
    return sorted(found)


def _as_told(parameter: Parameter, kept: tuple[str, bool] | None) -> str:
    """The parameter's type, with what it holds unless the kept one has the type alone."""
    return parameter.type if kept and kept[0] == parameter.type else type_with_inner(parameter)


def example_of(guideline: Guideline) -> str:
    """The example as one line, empty where there is none."""
    if guideline.arguments is None:
        return ""
    return f"{guideline.scenario}: {json.dumps(guideline.arguments, ensure_ascii=False)}"


def searchable(api: API, guideline: Guideline) -> str:
    """What an API is found by: what the instruction says of it, and its own words, which a model may have left out."""
    return f"{guideline.description}\n{guideline.scenario}\n{api.description}"


def by_rule(api: API, problem: str = "") -> Guideline:
    """What rules alone make of an API's documentation, without an example."""
    described = condensed(api.description, LONGEST_LINE, api.name)
    return Guideline(description=described, parameters=parameters_of(api), problem=problem)


def purpose_by_rule(apis: Sequence[API], problem: str = "") -> Purpose:
    """What rules alone make of a tool's description."""
    return Purpose(purpose=condensed(apis[0].tool_description, LONGEST_LINE, apis[0].tool), problem=problem)


def rendered(tool: str, purpose: str, functions: Sequence[tuple[str, Guideline]]) -> str:
    """A tool's instruction as text: what it is for, then each function with its parameters and its example.

    A meaning that an earlier function gave the same parameter is not said again. A tool that is nothing but its one
    function has no line of its own.
    """
    alone = not purpose and [name for name, _ in functions] == [tool]
    lines = [] if alone else [f"{tool}: {purpose}" if purpose else tool]
    told = set[tuple[str, str]]()
    for name, guideline in functions:
        lines.append(_signature(name, guideline))
        meanings = [(one.name, one.meaning) for one in guideline.parameters if one.meaning]
        new = [f"{parameter}: {meaning}" for parameter, meaning in meanings if (parameter, meaning) not in told]
        told.update(meanings)
        if new:
            lines.append(f"  {'; '.join(new)}")
        if example := example_of(guideline):
            lines.append(f"  e.g. {example}")
    return "\n".join(lines)


def _signature(name: str, guideline: Guideline) -> str:
    inputs = ", ".join(f"{one.name}{'' if one.required else '?'}: {one.type}" for one in guideline.parameters)
    return f"{name}({inputs}) {guideline.description}".rstrip()


def _hash(said: Any) -> str:
    return hashlib.sha256(json.dumps(said, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _untitled(schema: Any) -> Any:
    """A schema without titles: libraries make those up, each release its own."""
    if isinstance(schema, list):
        return [_untitled(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: _untitled(one) for key, one in schema.items() if key != "title" or not isinstance(one, str)}
