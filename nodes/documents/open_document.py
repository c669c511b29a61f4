"""The beginning: which functions of a tool lack an instruction, in parts that fit the context."""

from __future__ import annotations

import asyncio
import reprlib
from collections.abc import Callable, Sequence

from langgraph.types import Overwrite

from toolquiver.bounds import Described
from toolquiver.catalog import API, ApiId
from toolquiver.catalog.instruction import api_hash, by_rule, purpose_by_rule, told_in_a_line, tool_hash
from toolquiver.errors import InputError
from toolquiver.models.tokens import count_tokens
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.documents.documenting import WHOLE, EasyToolState, documented
from toolquiver.nodes.documents.stored_examples import stored_examples
from toolquiver.nodes.question import are_texts
from toolquiver.nodes.run import Run

_MOST = 8  # functions described at a time: of more a small model loses some


async def open_document(state: EasyToolState, run: Run) -> Update:
    """Begin afresh, also on a thread that had another document.

    Raises:
        InputError: no tool is named, the catalogue has no such tool, or the tool has not all of these APIs.
    """
    apis = await _apis_of_input(state, run)
    named = {api.id for api in apis} if state.get("apis") is None else set(state["apis"])
    wanted = [api for api in apis if api.id in named]
    describe, tries = run.context.describe, await stored_examples(apis, state, run)
    parts = split(to_describe(wanted, describe), run.context.document_tokens)
    others = [api for api in apis if api not in wanted]
    due = state.get("whole", True)
    purpose = settled_purpose(apis, describe) if due else await _known_purpose(apis, run)
    return {
        "approval": run.context.approval,
        "parts": parts,
        "several": in_several_parts(parts, apis),
        "keeps_purpose": not due,
        "asks_purpose": due and not purpose,
        "purpose": purpose,
        "lines": {**{api.id: by_rule(api).description for api in wanted}, **await _known_lines(others, run)},
        "unwritten": {},
        "problem": "",
        "documents": {WHOLE: tool_hash(apis), **{api.id: api_hash(api) for api in apis}},
        "todo": [*(api.id for api in wanted), *tries],
        "drafts": tries,
        "draft": None,
        "said": "",
        "repairs": 0,
        "proof": "none",
        "functions": [],
        "decided": "",
        "usage": Overwrite({}),
        "stopped": "",
    }


async def _apis_of_input(state: EasyToolState, run: Run) -> list[API]:
    """The APIs of the tool that is given, when what is given with it can be used; the errors are `open_document`'s."""
    for key in ("category", "tool"):
        if not isinstance(given := state.get(key) or "", str):
            raise InputError(f"The {key} is {reprlib.repr(given)}. Give it as a text.")
    for key in ("apis", "tries"):
        if (given := state.get(key)) is not None and not are_texts(given):
            raise InputError(f"The {key} are {reprlib.repr(given)}. Give a list of ids of APIs, each a text.")
    if not (state.get("category") and state.get("tool")):
        raise InputError("No tool is named. Give its `category` and `tool`; `toolquiver catalog list` shows them.")
    apis, more = await tool_apis(state, run), "`toolquiver catalog list` shows what there is."
    named = f"tool {state['tool']!r} in the category {state['category']!r}"
    if not apis:
        raise InputError(f"The catalogue has no {named}. {more}")
    if unknown := {*(state.get("apis") or ()), *(state.get("tries") or ())} - {api.id for api in apis}:
        raise InputError(f"The {named} has no {', '.join(sorted(unknown))}. {more}")
    return apis


async def _known_lines(apis: list[API], run: Run) -> dict[ApiId, str]:
    """What is known already of the functions that are not written about."""
    found = await asyncio.to_thread(run.catalog.shown("raw").instructions.guidelines, apis)
    return {api.id: (found.get(api.id) or by_rule(api)).description for api in apis}


async def _known_purpose(apis: list[API], run: Run) -> str:
    """What the tool is for where that is not written now."""
    instructions = run.catalog.shown("raw").instructions
    return (
        await asyncio.to_thread(instructions.purpose, apis[0].category, apis[0].tool) or purpose_by_rule(apis).purpose
    )


async def tool_apis(state: EasyToolState, run: Run) -> list[API]:
    """The APIs of the document's tool, as their source describes them."""
    catalog = run.catalog.shown("raw")
    return await asyncio.to_thread(catalog.apis, category=state["category"], tool=state["tool"])


async def next_api(state: EasyToolState, run: Run) -> API:
    """The function in work, as its source describes it: an instruction is never written from an instruction."""
    return await asyncio.to_thread(run.catalog.shown("raw").get, state["todo"][0])


def to_describe(apis: Sequence[API], describe: Described) -> list[API]:
    """The functions that a model is asked about: those whose documentation is not a line already, or all."""
    return [api for api in apis if describe == "all" or not told_in_a_line(api.description, api.name)]


def settled_purpose(apis: Sequence[API], describe: Described) -> str:
    """What the documentation says in a line that the tool is for; empty where a model is asked."""
    return "" if describe == "all" else told_in_a_line(apis[0].tool_description, apis[0].tool)


def in_several_parts(parts: Sequence[Sequence[ApiId]], apis: Sequence[API]) -> bool:
    """Whether no single part has all of a tool's functions, so that its purpose is said from all their lines."""
    return [len(part) for part in parts] != [len(apis)]


def _documentation(api: API) -> int:
    return count_tokens(documented(api))


def split(
    apis: Sequence[API], tokens: int, most: int = _MOST, needs: Callable[[API], int] = _documentation
) -> list[list[ApiId]]:
    """The functions in parts, at most so many each, that need at most so many tokens together, or of a single one.

    What a function `needs` is what its documentation has, unless told otherwise.
    """
    parts: list[list[ApiId]] = []
    room = 0
    for api in apis:
        needed = needs(api)
        if not parts or needed > room or len(parts[-1]) == most:
            parts.append([])
            room = tokens
        parts[-1].append(api.id)
        room -= needed
    return parts
