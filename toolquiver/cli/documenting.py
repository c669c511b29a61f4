"""The documents of a catalogue one after the other, several at a time, each stored the moment it is finished."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from toolquiver.catalog import API, Catalog
from toolquiver.catalog.instruction import Stored, api_hash, tool_hash, tool_subject
from toolquiver.context import Context
from toolquiver.evaluation.runner import together
from toolquiver.graphs import easytool
from toolquiver.models import Usage, add_usage
from toolquiver.nodes.write_guideline import prompt_version

_STEPS = 20  # supersteps that one function may take at most, repairs too


@dataclass(frozen=True)
class Work:
    """A tool whose instruction is missing, or was written from another document, by other prompts or another model.

    `apis` are those functions of it that are to be written.
    """

    category: str
    tool: str
    apis: Sequence[API]


@dataclass
class Done:
    """What came of a tool: what the graph returned, and the seconds that it took."""

    work: Work
    result: dict[str, Any]
    seconds: float


def left_to_write(
    catalog: Catalog, model: str, *, category: str | None = None, again: bool = False, limit: int | None = None
) -> list[Work]:
    """The tools that lack an instruction of this model by the prompts as they are; `again`: those marked too."""
    tools = dict[tuple[str, str], list[API]]()
    for api in catalog.apis(category=category):
        tools.setdefault((api.category, api.tool), []).append(api)
    by = (prompt_version(), model)
    written = {
        (one.subject, one.document): one for one in catalog.instructions.versions() if (one.prompt, one.model) == by
    }
    found = []
    for (of, tool), apis in tools.items():
        left = [api for api in apis if _lacks(written.get((api.id, api_hash(api))), again=again)]
        if left or (tool_subject(of, tool), tool_hash(apis)) not in written:
            found.append(Work(of, tool, left or apis[:1]))
    return found[:limit]


def _lacks(one: Stored | None, *, again: bool) -> bool:
    return one is None or (again and bool(one.content.problem))


async def write_all(
    catalog: Catalog,
    works: Sequence[Work],
    context: Context,
    *,
    concurrency: int,
    progress: Callable[[Done, Usage], None],
    **bound: Any,
) -> list[Done]:
    """Write the instructions, `concurrency` tools at a time; what is finished is in the catalogue, come what may.

    Raises:
        ModelError: the model cannot be reached or used.
        InputError: the budget is too small for a single call.
    """
    graph = easytool.build(catalog=catalog, **bound)
    finished, spent = list[Done](), Usage()

    async def finish(work: Work) -> None:
        nonlocal spent
        began = time.perf_counter()
        given = {"category": work.category, "tool": work.tool, "apis": [api.id for api in work.apis]}
        config = {"recursion_limit": _STEPS * (len(work.apis) + 1)}
        result = await graph.ainvoke(given, config, context=context)  # type: ignore[call-overload]
        finished.append(Done(work, result, time.perf_counter() - began))
        spent = add_usage(spent, result["usage"])
        progress(finished[-1], spent)

    await together(works, finish, concurrency)
    return finished
