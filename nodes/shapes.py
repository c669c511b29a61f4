"""Decision types that are made for one call: a choice among names, the arguments of an API."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, Field, RootModel, create_model

from toolquiver.calling import problems
from toolquiver.calling.arguments import closed
from toolquiver.catalog import API
from toolquiver.models import shaped

_MADE = "These inputs were used before and their result is known. What else is needed?"
_MUCH = 10
_WORD = re.compile(r"\w{3,}")


def brief(most: int, least: int | None = None) -> Any:
    """A text of a decision that a model is asked to keep to `most` characters; who says a little more is not refused.

    A grammar keeps to it, a hosted model need not: an answer that was one letter too long was asked for again.
    """
    return Field(min_length=least, max_length=_MUCH * most, json_schema_extra={"maxLength": most})


class Choice(BaseModel):
    """The tool to call next, by its function name."""

    tool: str


def one_of(names: Sequence[str]) -> Any:
    """The type of a field that can only be one of `names`: a name that does not exist cannot come out."""
    return Literal[tuple(names)]


def choice_among(names: Sequence[str]) -> type[Choice]:
    """A `Choice` that can only be one of `names`."""
    return create_model("Choice", __base__=Choice, tool=(one_of(names), ...))


class Some(BaseModel):
    """Tools by their function names."""

    tools: list[str]


def some_of(names: Sequence[str]) -> type[Some]:
    """A `Some` that can only have these names, at least one."""
    name = one_of(names)
    tools = (list[name], Field(min_length=1, max_length=len(names)))  # type: ignore[valid-type]
    return create_model("Some", __base__=Some, tools=tools)


class Arguments(RootModel[dict[str, Any]]):
    """The arguments of one call."""


def arguments_of(api: API, task: str = "", made: Sequence[dict[str, Any]] = ()) -> type[Arguments]:
    """`Arguments` that fit the API's schema, take the option that the task names, and are not those `made` before."""

    def wrong(given: Arguments) -> list[str]:
        found = problems(api, given.root) + _passed_over(api, given.root, task) + _no_values(api, given.root)
        again = not found and given.root and given.root in made
        return [_MADE] if again else found

    return shaped(Arguments, closed(api.parameters), wrong)


def _passed_over(api: API, arguments: dict[str, Any], task: str) -> list[str]:
    """The arguments with an option that the task does not name, where it names another, a sentence each.

    What it names may be another argument's: of two languages one is translated from.
    """
    words = {word.lower() for word in _WORD.findall(task)}
    found = []
    for parameter in api.parameter_list():
        options = parameter.schema_.get("enum", ())
        taken = [value for name, value in arguments.items() if name != parameter.name]
        named = [option for option in options if isinstance(option, str) and option.lower() in words]
        named = [option for option in named if option not in taken]
        if named and arguments.get(parameter.name, named[0]) not in named:
            found.append(f"{parameter.name}: the task names {', '.join(named)}.")
    return found


def _no_values(api: API, arguments: dict[str, Any]) -> list[str]:
    """The arguments that repeat their parameter's description, a sentence each."""
    return [
        f"{parameter.name}: that is what it means, not a value."
        for parameter in api.parameter_list()
        if parameter.description and arguments.get(parameter.name) == parameter.description
    ]
