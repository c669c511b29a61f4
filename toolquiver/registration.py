"""Registration on demand: the model sees the names of all APIs, and the full schema of those it asks for.

It works under any solver (EcoAct, section 2.2). An agent that talks is shown `listed`, has `functions` bound, and its
calls of `tool_register` and `tool_unregister` are answered by `register` and `unregister`. An executor that decides is
shown `line` of what is not registered; its choice registers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal

from typing_extensions import TypedDict

from toolquiver.calling.arguments import closed
from toolquiver.catalog import API, ApiId
from toolquiver.catalog.text import shortened
from toolquiver.models import Function, function_with
from toolquiver.models.tokens import count_tokens

Mode = Literal["all", "on_demand", "auto"]
Listing = Literal["names", "descriptions"]
Delivery = Literal["bind", "result"]

_LONGEST_DESCRIPTION = 1_024  # characters, as OpenAI has it
REGISTER, UNREGISTER, CALL = "tool_register", "tool_unregister", "call"


class Registered(TypedDict):
    """When an API became callable and when it no longer was, in turns; `until` is None while it is."""

    api: ApiId
    since: int
    until: int | None


class Grown(TypedDict):
    """How many APIs were registered at the beginning of a turn, out of how many (EcoAct, figure 4)."""

    turn: int
    registered: int
    available: int


@dataclass(frozen=True, kw_only=True)
class Registration:
    """How tools come into the model's sight.

    `mode`: all from the start, or on demand; `auto` is on demand where all together have more than `above` tokens,
    because names, and turns that register, cost more than a short list does. `several`: one call may register more
    than one (else one, as in the paper's main runs). `listing`: names alone, or names and descriptions. `delivery`: the
    schema is bound from the next turn on, or is the result of registering, and all calls go through one function
    `call`; then the beginning of the prompt never changes, and stays cached.
    """

    mode: Mode = "all"
    several: bool = False
    listing: Listing = "names"
    delivery: Delivery = "bind"
    above: int = 1_200

    def over(self, apis: Sequence[API]) -> Registration:
        """The same for an agent that has these tools: `auto` has become one of the others."""
        if self.mode != "auto":
            return self
        length = count_tokens(json.dumps([function_of(api) for api in apis]))
        return replace(self, mode="on_demand" if length > self.above else "all")

    def listed(self, apis: Sequence[API]) -> list[str]:
        """The APIs that can be registered, by provider; none when all are from the start.

        Of names alone a provider's stand on one line; descriptions have a line each.
        """
        if self.mode == "all":
            return []
        if self.listing == "descriptions":
            return [self.line(api) for api in apis]
        by_tool: dict[str, list[str]] = {}
        for api in apis:
            by_tool.setdefault(api.tool, []).append(api.function)
        return [f"{tool}: {', '.join(names)}" for tool, names in by_tool.items()]

    def line(self, api: API) -> str:
        """What is shown of one API that is not registered: its name and its provider, perhaps what it is for."""
        named = f"{api.function} ({api.tool})"
        return named if self.listing == "names" else f"{named}: {shortened(api.description)}"

    def functions(self, apis: Sequence[API], records: Sequence[Registered]) -> list[Function]:
        """What the model can call in the next turn, for finding and using tools."""
        if self.mode == "all":
            return [function_of(api) for api in apis]
        register, live = _REGISTER_SEVERAL if self.several else _REGISTER_ONE, callable_ids(records)
        if self.delivery == "result":
            return [register, _UNREGISTER, _CALL]
        bound = [function_of(api) for api in apis if api.id in live]
        return [register, *([_UNREGISTER] if bound else []), *bound]

    def register(
        self, arguments: Mapping[str, Any], apis: Sequence[API], records: Sequence[Registered] = ()
    ) -> tuple[list[ApiId], str]:
        """The ids that a call of `tool_register` makes callable, and what the model is told."""
        live = callable_ids(records)
        by_name = {api.function: api for api in apis}
        names = names_given(arguments, "names" if self.several else "name")
        if not names:
            return [], f"Give the name of a listed tool: {REGISTER}({'names=[...]' if self.several else 'name=...'})."
        if len(names) > 1 and not self.several:
            return [], f"One call of {REGISTER} registers one tool. Nothing was registered."
        told, added = list[str](), list[ApiId]()
        for name in names:
            api = by_name.get(name)
            if api is None:
                told.append(f"There is no tool {name!r} in the list, so it cannot be registered.")
                continue
            added.append(api.id)
            told.append(self._delivered(api, again=api.id in live))
        return added, "\n".join(told)

    def unregister(self, arguments: Mapping[str, Any], apis: Sequence[API]) -> tuple[list[ApiId], str]:
        """The ids that a call of `tool_unregister` puts away, and what the model is told."""
        by_name = {api.function: api.id for api in apis}
        names = names_given(arguments, "name")
        unknown = [name for name in names if name not in by_name]
        gone = [by_name[name] for name in names if name in by_name]
        if unknown or not names:
            return gone, f"There is no tool {', '.join(map(repr, unknown)) or 'without a name'} in the list."
        return gone, f"{', '.join(names)} is put away."

    def target(self, name: str, arguments: Mapping[str, Any]) -> tuple[str, Any]:
        """The tool that a call means and its arguments: `call` names both, every other function is the tool."""
        if self.mode == "on_demand" and self.delivery == "result" and name == CALL:
            return str(arguments.get("name", "")), arguments.get("arguments", {})
        return name, arguments

    def refusal(self, api: API, records: Sequence[Registered]) -> str:
        """Why this tool cannot be called yet, with what to do; empty when it can."""
        if self.mode == "all" or api.id in callable_ids(records):
            return ""
        value = f'names=["{api.function}"]' if self.several else f'name="{api.function}"'
        return f"{api.function} is not registered. Register it first: {REGISTER}({value})."

    def _delivered(self, api: API, *, again: bool) -> str:
        if self.delivery == "bind":
            can = "is registered already: call it now" if again else "is registered and can be called"
            return f"{api.function} {can}."
        schema = json.dumps(function_of(api), ensure_ascii=False)
        return f'{schema}\nIt is called so: {CALL}(name="{api.function}", arguments={{...}}).'


def function_of(api: API) -> Function:
    """An API as the model calls it: its provider, its schema, and as much of its description as models may have."""
    told = f"{api.tool}: {api.whole_description or api.name}"
    told = told if len(told) <= _LONGEST_DESCRIPTION else shortened(told, _LONGEST_DESCRIPTION - len(" ..."))
    return Function(name=api.function, description=told, parameters=closed(api.parameters))


def callable_ids(records: Sequence[Registered]) -> set[ApiId]:
    """The ids of the APIs that are registered now."""
    return {record["api"] for record in records if record["until"] is None}


def noted(records: Sequence[Registered], ids: Sequence[ApiId], turn: int) -> list[Registered]:
    """The records with these ids callable from this turn on, where they are not yet."""
    live = callable_ids(records)
    return [*records, *(Registered(api=api, since=turn, until=None) for api in ids if api not in live)]


def put_away(records: Sequence[Registered], ids: Sequence[ApiId], turn: int) -> list[Registered]:
    """The records with these ids no longer callable from this turn on."""
    return [
        Registered(**{**record, "until": turn}) if record["api"] in ids and record["until"] is None else record
        for record in records
    ]


def called_names(name: str, arguments: Mapping[str, Any]) -> set[str]:
    """The tools that a call is about: the function itself, and those that it registers or calls by name."""
    about = names_given(arguments, "name") if name in (REGISTER, UNREGISTER, CALL) else []
    return {name, *about}


def names_given(arguments: Mapping[str, Any], key: str) -> list[str]:
    """The names given, each once, whether as text, as a list, or as the text of a list, which some models write."""
    given = arguments.get(key, arguments.get("name", arguments.get("names", [])))
    if isinstance(given, str) and given.lstrip().startswith("["):
        with suppress(ValueError, RecursionError):
            given = json.loads(given)
    given = [given] if isinstance(given, str) else given if isinstance(given, list) else []
    return list(dict.fromkeys(str(name).strip() for name in given if str(name).strip()))


_NAME = {"type": "string", "description": "as it stands in the list"}
_REGISTER_ONE = function_with(REGISTER, "Make a listed tool callable, and learn its inputs.", {"name": _NAME})
_REGISTER_SEVERAL = function_with(
    REGISTER,
    "Make listed tools callable, and learn their inputs.",
    {"names": {"type": "array", "items": _NAME, "minItems": 1}},
)
_UNREGISTER = function_with(UNREGISTER, "Put a registered tool away that is no longer needed.", {"name": _NAME})
_CALL = function_with(
    CALL,
    "Call a registered tool.",
    {"name": _NAME, "arguments": {"type": "object", "description": "the inputs, as its schema says"}},
)
