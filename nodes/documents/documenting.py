"""The state of a document's way to its instruction: one tool, then its functions one by one (EasyTool, 4)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any, NotRequired

from langgraph.channels import EphemeralValue
from typing_extensions import TypedDict

from toolquiver.catalog import API, ApiId
from toolquiver.catalog.condense import condensed
from toolquiver.catalog.instruction import Proof
from toolquiver.catalog.text import shortened
from toolquiver.models import Usage
from toolquiver.nodes.state import ApprovalState, Budgeted

WHOLE = ""
_LONGEST_TOLD = 1_000  # characters of an API's description that a model is shown
_LONGEST_MEANING = 200
_LONGEST_TYPE = 120  # of an enumeration with hundreds of values a model needs no more
_MOST_PARAMETERS = 60


class Document(TypedDict):
    """What goes in: a tool by its category and name, and optionally how much of it is to be written.

    `apis` are the only functions to write about, maybe none. `whole` is whether to write what the tool as a whole is
    for; it is, unless that is False. `tries` are functions whose stored example is only to be tried.
    """

    category: str
    tool: str
    apis: NotRequired[Annotated[list[ApiId], EphemeralValue]]
    whole: NotRequired[Annotated[bool, EphemeralValue]]
    tries: NotRequired[Annotated[list[ApiId], EphemeralValue]]


class Draft(TypedDict):
    """What the model wrote of one function: when one calls it, with which arguments, what its parameters mean."""

    scenario: str
    arguments: dict[str, Any] | None
    meanings: dict[str, str]


class Function(TypedDict):
    """A function that is written: the draft that holds, what speaks for its example, and what is wrong."""

    api: ApiId
    description: str
    draft: Draft
    proof: Proof
    problem: str


class EasyToolResult(TypedDict):
    """What comes out: the instruction as text, its functions, what it saves in tokens, and what it cost.

    `problem` says why the model did not write what the tool is for; a function has its own.
    """

    purpose: str
    problem: str
    functions: list[Function]
    instruction: str
    tokens_before: int
    tokens_after: int
    usage: Usage


class EasyToolState(Budgeted, ApprovalState, Document):
    """The whole way.

    `documents` are the hashes of what is read, of the tool as a `WHOLE` and of each function. `parts` are the functions
    that are to be described, as many at a time as fit the context; `several` is whether none of them has all,
    `keeps_purpose` whether what the whole is for stays as it is, `asks_purpose` whether a model is asked for that.
    `lines` say what each function is for; `unwritten` says of those that the model was asked for and rules had to make,
    of a function or of the `WHOLE`, why, and of how many inputs of a function nobody has said the meaning. `todo` are
    the functions without a guideline, `drafts` are those of them that were written in one answer with another, or are
    only to be tried. `draft` is the one in work, `said` what is wrong with it or why there is none, `repairs` how often
    it was written anew.
    """

    documents: dict[str, str]
    parts: list[list[ApiId]]
    several: bool
    keeps_purpose: NotRequired[bool]
    asks_purpose: bool
    purpose: str
    problem: str
    lines: dict[ApiId, str]
    unwritten: dict[str, str]
    todo: list[ApiId]
    drafts: dict[ApiId, Draft]
    draft: Draft | None
    said: str
    repairs: int
    proof: Proof
    functions: list[Function]
    decided: str
    instruction: str
    tokens_before: int
    tokens_after: int


def documented(api: API) -> str:
    """One function's documentation as a model is shown it: without markup, with all its parameters."""
    lines = [f"{api.function}: {condensed(api.description, _LONGEST_TOLD, api.name) or 'no description'}"]
    parameters = api.parameter_list()
    for one in parameters[:_MOST_PARAMETERS]:
        optional = "" if one.required else ", optional"
        meaning = condensed(one.description, _LONGEST_MEANING, one.name)
        lines.append(
            f"- {one.name} ({shortened(one.type, _LONGEST_TYPE)}{optional}){f': {meaning}' if meaning else ''}"
        )
    if more := parameters[_MOST_PARAMETERS:]:
        lines.append(f"- also: {', '.join(one.name for one in more)}")
    return "\n".join(lines)


def as_it_is(apis: Sequence[API]) -> str:
    """A tool's documentation as the catalogue has it, as JSON: what an agent would be shown without instructions."""
    functions = [
        {"name": api.name, "description": api.description, "method": api.method, "parameters": api.parameters}
        for api in apis
    ]
    tool = {"tool": apis[0].tool, "description": apis[0].tool_description, "functions": functions}
    return json.dumps(tool, ensure_ascii=False)
