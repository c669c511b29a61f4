"""The state of a document's way to its instruction: one tool, then its functions one by one (EasyTool, 4)."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from langgraph.channels import EphemeralValue
from typing_extensions import TypedDict

from toolquiver.catalog import ApiId
from toolquiver.catalog.instruction import Proof
from toolquiver.models import Usage
from toolquiver.nodes.state import ApprovalState, Budgeted

WHOLE = ""
"""Stands for the tool as a whole where others are named by the id of a function."""

AfterDescribe = Literal["another part", "in several parts", "described", "no function"]
AfterJoin = Literal["described", "no function"]
AfterCheck = Literal["can be called", "does not hold", "settled"]
AfterTry = Literal["failed", "settled"]
AfterRepair = Literal["written again", "settled"]
AfterKeep = Literal["next function", "all written"]
Next = Literal[""] | AfterCheck | AfterTry | AfterRepair
"""What a node came to: the label of the edge that the run takes."""


class Document(TypedDict):
    """What goes in: a tool by its category and name, and optionally how much of it is to be written.

    `apis` are the only functions to write about, maybe none. `whole` is whether to write what the tool as a whole is
    for; it is, unless that is False. `tries` are functions whose stored example is only to be called, unasked.
    """

    category: str
    tool: str
    apis: NotRequired[Annotated[list[ApiId], EphemeralValue]]
    whole: NotRequired[Annotated[bool, EphemeralValue]]
    tries: NotRequired[Annotated[list[ApiId], EphemeralValue]]


class Draft(TypedDict):
    """An example of a call: when one makes it, and its arguments. They are None where no example holds."""

    scenario: str
    arguments: dict[str, Any] | None


class Function(TypedDict):
    """A function that is written: its line, its example, what speaks for the example, and what is wrong."""

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
    that are still to be described, as many at a time as fit. `several` is whether no part has them all,
    `writes_purpose` whether it is to be said what the whole is for. `purpose` and `lines` are the descriptions,
    `unwritten` says of each that is not the model's why. `todo` are the functions without a guideline. `draft` is
    the example in work, `wrong` what is wrong with it or why there is none, `repairs` how often it was written
    again.
    """

    documents: dict[str, str]
    parts: list[list[ApiId]]
    several: bool
    writes_purpose: bool
    purpose: str
    problem: str
    lines: dict[ApiId, str]
    unwritten: dict[str, str]
    todo: list[ApiId]
    tried_only: list[ApiId]
    draft: Draft | None
    wrong: str
    repairs: int
    proof: Proof
    functions: list[Function]
    decided: Next
    instruction: str
    tokens_before: int
    tokens_after: int
