"""EasyTool's instructions: what a tool is for, and for each function a guideline with a proven example (4.1, 4.2)."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Container, Sequence
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from toolquiver.catalog.condense import LONGEST_MEANING, condensed, without_default
from toolquiver.catalog.records import API, Parameter, slug
from toolquiver.catalog.stems import stems

LONGEST_LINE = 160
"""Characters of what a tool or a function is for."""
LONGEST_SCENARIO = 100
LONGEST_WORDS = 80
"""Characters of what a model says that a parameter means."""
LONGEST_EXAMPLE = 400
"""Characters of an example's arguments, written as JSON."""
_INNER_OPTIONAL = 8  # optional properties of an object that are told
_CRYPTIC = 2  # letters of a name that says nothing itself, such as `q`
_WHOLE = 10_000  # characters: more than a condensed text has

_SAYS_NOTHING = stems("get give given id identifier pass provide query retrieve specify specific unique use used want")
_BOUND = re.compile(r"\b(?:after|before|if|must|no|not|only|unless|when|without)\b", re.IGNORECASE)
"""Words that say more than the names beside them."""

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

    def meaning(self, name: str) -> str:
        """What a parameter means."""
        return next((kept.meaning for kept in self.parameters if kept.name == name), "")


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


def parameters_of(api: API, meanings: dict[str, str] | None = None) -> tuple[Kept, ...]:
    """An API's parameters, kept exactly; what each means by its documentation, else as `meanings` say."""
    return tuple(
        Kept(
            name=one.name,
            type=type_with_inner(one),
            required=one.required,
            meaning=_meaning(one) or (meanings or {}).get(one.name, ""),
        )
        for one in api.parameter_list()
    )


def _meaning(parameter: Parameter) -> str:
    """What a parameter means by its documentation; its default stands in the schema, if anywhere."""
    said, schema = condensed(parameter.description, LONGEST_MEANING, parameter.name), parameter.schema_
    return without_default(said, schema["default"]) if "default" in schema else said


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
    return f"{guideline.scenario}: {_arguments(guideline)}"


def _arguments(guideline: Guideline) -> str:
    return json.dumps(guideline.arguments, ensure_ascii=False)


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


def told_in_a_line(text: str, name: str) -> str:
    """The line that a documentation is, condensed; empty where it says nothing, or more than a line has room for."""
    line = condensed(text, LONGEST_LINE, name)
    return line if line == condensed(text, _WHOLE, name) else ""


def rendered(tool: str, purpose: str, functions: Sequence[tuple[str, Guideline]]) -> str:
    """A tool's instruction as text: a line for the tool, one for each function with all its parameters, and examples.

    A meaning that an earlier function gave the same parameter is not said again, and one that only repeats names
    (`year`: the year of the movie) not at all, nor is a scenario that does. A function without inputs has no example. A
    tool that is nothing but its one function has no line of its own.
    """
    alone = not purpose and [name for name, _ in functions] == [tool]
    lines = [] if alone else [f"{tool}: {purpose}" if purpose else tool]
    told = set[tuple[str, str]]()
    for name, guideline in functions:
        lines.append(_signature(name, guideline))
        known = {*stems(f"{name} {guideline.description}"), *_SAYS_NOTHING}
        meanings = [(one.name, one.meaning) for one in guideline.parameters if _says_more(one, known)]
        new = [f"{parameter}: {meaning}" for parameter, meaning in meanings if (parameter, meaning) not in told]
        told.update(meanings)
        if new:
            lines.append(f"  {'; '.join(new)}")
        if guideline.parameters and guideline.arguments is not None:  # `{}` of a function without inputs shows nothing
            lines.append(f"  e.g. {_example(guideline, known)}")
    return "\n".join(lines)


def _example(guideline: Guideline, known: Container[str]) -> str:
    """The example, with its scenario where that has a word that neither what is known nor the arguments have."""
    arguments = _arguments(guideline)
    return example_of(guideline) if _tells_more(guideline.scenario, known, stems(arguments)) else arguments


def _says_more(parameter: Kept, known: Container[str]) -> bool:
    """Whether a parameter's meaning has a word that neither its name nor what is known has."""
    name, meaning = parameter.name, parameter.meaning
    if len(name) <= _CRYPTIC or not stems(meaning):  # `how many` has only words that search passes over
        return bool(meaning)
    return _tells_more(meaning, known, stems(name))


def _tells_more(text: str, *known: Container[str]) -> bool:
    """Whether a text has a word that binds, or one that nothing of what is known has."""
    return bool(_BOUND.search(text)) or any(all(stem not in one for one in known) for stem in stems(text))


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
