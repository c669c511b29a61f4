"""A tool's documentation as the model reads it, in parts that fit, and the beginning of a run."""

from __future__ import annotations

import asyncio
import json
import reprlib
from collections.abc import Sequence
from typing import Any, TypeVar

from langchain_core.messages import BaseMessage
from langgraph.types import Overwrite
from pydantic import BaseModel

from toolquiver.catalog import API, ApiId
from toolquiver.catalog.instruction import api_hash, by_rule, purpose_by_rule, tool_hash
from toolquiver.contexts import EasyToolContext
from toolquiver.errors import ContextExceeded, InputError, PromptRefused
from toolquiver.models.tokens import count_tokens, table_loaded
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.costs import refused
from toolquiver.nodes.easytool.state import WHOLE, EasyToolState
from toolquiver.nodes.question import are_texts
from toolquiver.nodes.run import Run

T = TypeVar("T", bound=BaseModel)
_SEE = "`toolquiver catalog list` shows what there is."


async def open_document(state: EasyToolState, run: Run[EasyToolContext]) -> Update:
    """Begin afresh, also on a thread that had another document.

    Raises:
        InputError: no tool is named, the catalogue has no such tool, or the tool has not all of these APIs.
    """
    apis = await _apis_of_input(state, run)
    wanted = [api for api in apis if state.get("apis") is None or api.id in state["apis"]]
    tries = [api for api in apis if api not in wanted and api.id in (state.get("tries") or ())]
    await table_loaded()
    parts, due = split(wanted, run.context.document_tokens), state.get("whole", True)
    instructions = run.catalog.shown("raw").instructions
    known = await asyncio.to_thread(instructions.guidelines, [api for api in apis if api not in wanted])
    purpose = await asyncio.to_thread(instructions.purpose, apis[0].category, apis[0].tool)
    return {
        "approval": run.context.approval,
        "parts": parts,
        "several": [len(part) for part in parts] != [len(apis)],
        "writes_purpose": due,
        "purpose": purpose or purpose_by_rule(apis).purpose,
        "lines": {api.id: (known.get(api.id) or by_rule(api)).description for api in apis},
        "unwritten": {},
        "documents": {WHOLE: tool_hash(apis), **{api.id: api_hash(api) for api in apis}},
        "todo": [api.id for api in (*wanted, *tries)],
        "tried_only": [api.id for api in tries],
        "draft": None,
        "repairs": 0,
        "proof": "none",
        "functions": [],
        **dict.fromkeys(("problem", "wrong", "decided", "stopped"), ""),
        "usage": Overwrite({}),
    }


async def _apis_of_input(state: EasyToolState, run: Run[EasyToolContext]) -> list[API]:
    """The APIs of the tool that is given, when what is given with it can be used; the errors are `open_document`'s."""
    for key in ("category", "tool"):
        if not isinstance(given := state.get(key) or "", str):
            raise InputError(f"The {key} is {reprlib.repr(given)}. Give it as a text.")
    for key in ("apis", "tries"):
        if (given := state.get(key)) is not None and not are_texts(given):
            raise InputError(f"The {key} are {reprlib.repr(given)}. Give a list of ids of APIs, each a text.")
    if not (state.get("category") and state.get("tool")):
        raise InputError(f"No tool is named. Give its `category` and `tool`. {_SEE}")
    apis = await tool_apis(state, run)
    named = f"tool {state['tool']!r} in the category {state['category']!r}"
    if not apis:
        raise InputError(f"The catalogue has no {named}. {_SEE}")
    if unknown := {*(state.get("apis") or ()), *(state.get("tries") or ())} - {api.id for api in apis}:
        raise InputError(f"The {named} has no {', '.join(sorted(unknown))}. {_SEE}")
    return apis


async def tool_apis(state: EasyToolState, run: Run[EasyToolContext]) -> list[API]:
    """The APIs of the document's tool, as their source describes them."""
    catalog = run.catalog.shown("raw")
    return await asyncio.to_thread(catalog.apis, category=state["category"], tool=state["tool"])


async def next_api(state: EasyToolState, run: Run[EasyToolContext]) -> API:
    """The function in work, as its source describes it."""
    return await asyncio.to_thread(run.catalog.shown("raw").get, state["todo"][0])


async def as_read(ids: Sequence[ApiId], run: Run[EasyToolContext]) -> list[API]:
    """These functions as the model reads their documentation: as it is, or without markup."""
    return await asyncio.to_thread(run.catalog.shown(run.context.document).found, list(ids))


def tool_document(apis: Sequence[API]) -> str:
    """The documentation of a tool with these functions, as JSON."""
    functions = [function_parts(api) for api in apis]
    return _json({"tool": apis[0].tool, "description": apis[0].tool_description, "functions": functions})


def function_document(api: API) -> str:
    """The documentation of one function, as JSON."""
    return _json(function_parts(api))


def function_parts(api: API) -> dict[str, Any]:
    """What the documentation of a function says: its parameters as their JSON Schema, with sample values."""
    return {
        "name": api.function or api.name,
        "description": api.description,
        "method": api.method,
        "parameters": api.parameters,
    }


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def split(apis: Sequence[API], tokens: int) -> list[list[ApiId]]:
    """The functions in parts whose documentation has at most so many tokens, or is that of a single function."""
    parts: list[list[ApiId]] = []
    room = 0
    for api in apis:
        needed = count_tokens(function_document(api))
        if not parts or needed > room:
            parts.append([])
            room = tokens
        parts[-1].append(api.id)
        room -= needed
    return parts


async def ask(
    role: str, shape: type[T], messages: list[BaseMessage], state: EasyToolState, run: Run[EasyToolContext]
) -> tuple[T | None, Update, str]:
    """What `role` decides, what that changes in the state, and why the model cannot or may not read this question.

    Such a refusal ends this question and not the tool's others: only the budget sets `stopped`.

    Raises:
        InputError: not even the first call of the run fits the budget.
        ModelError: the model cannot be used.
    """
    try:
        decision, cost = await run.decide(role, shape, messages, state)
    except (ContextExceeded, PromptRefused) as error:
        return None, {}, str(error)
    if why := refused(cost):
        cost.pop("stopped")
    return decision, cost, why
