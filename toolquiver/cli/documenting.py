"""The documents of a catalogue, several at a time, each stored the moment it is finished; one that fails stops none."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, cast

from langchain_core.runnables import RunnableConfig

from toolquiver.calling import Caller, callers_of
from toolquiver.catalog import API, Catalog
from toolquiver.catalog.attempts import Attempt
from toolquiver.catalog.instruction import Guideline, Stored, api_hash, tool_hash, tool_subject
from toolquiver.catalog.sources import PYTHON
from toolquiver.contexts import EasyToolContext
from toolquiver.errors import CatalogError, InputError
from toolquiver.evaluation.runner import NO_MODEL, together
from toolquiver.graphs import easytool
from toolquiver.models import Usage, add_usage, tokens
from toolquiver.nodes.easytool.guideline import may_try
from toolquiver.nodes.easytool.state import Document
from toolquiver.nodes.easytool.store import prompt_version
from toolquiver.nodes.run import Resources, Run

_STEPS = 20  # supersteps that one function may take at most, repairs too


@dataclass(frozen=True)
class Work:
    """A tool whose instruction is missing, or was written from another document, by other prompts or another model.

    `apis` are those functions of it that are to be written, `whole` is whether to write what it is for, and `tries` are
    the functions whose examples are only to be called. `every` are all of its functions.
    """

    category: str
    tool: str
    apis: Sequence[API]
    whole: bool = True
    tries: Sequence[API] = ()
    every: Sequence[API] = ()


@dataclass
class Done:
    """What came of a tool: what the graph returned, and the seconds that it took.

    `failed` says why the tool is not finished; then `result` is what was reached.
    """

    work: Work
    result: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    failed: str = ""

    @property
    def marked(self) -> bool:
        """Whether something of it has a problem, and `again` writes it anew."""
        return bool(self.result["problem"]) or any(one["problem"] for one in self.result["functions"])


def left_to_write(
    catalog: Catalog,
    model: str,
    *,
    category: str | None = None,
    again: bool = False,
    limit: int | None = None,
    can_try: Callable[[API], bool] | None = None,
) -> list[Work]:
    """The tools that lack an instruction of this model by the prompts as they are; `again`: those marked too.

    With `can_try`, which says what may be called now, the stored examples that no call has proven are to be tried:
    those that were never called, and `again` those whose call was not answered. What failed in its last attempt comes
    last, so that with a `limit` it does not keep the others waiting.
    """
    tools = dict[tuple[str, str], list[API]]()
    for api in catalog.apis(category=category):
        tools.setdefault((api.category, api.tool), []).append(api)
    by = (prompt_version(), model)
    last = {(one.subject, one.document): one for one in catalog.instructions.versions()}
    written = {key: one for key, one in last.items() if (one.prompt, one.model) == by}
    failed = {one.subject for one in catalog.instructions.attempts(model) if one.failed}
    found = []
    for (of, tool), apis in tools.items():
        kept = {api.id: written.get((api.id, api_hash(api))) for api in apis}
        tries = [api for api in apis if can_try and _untried(kept[api.id], again=again) and can_try(api)]
        left = [api for api in apis if api not in tries and _lacks(kept[api.id], again=again)]
        whole = _lacks(written.get((tool_subject(of, tool), tool_hash(apis))), again=again)
        if left or whole or tries:
            found.append(Work(of, tool, left, whole, tries, apis))
    found.sort(key=lambda work: tool_subject(work.category, work.tool) in failed)
    return found[:limit]


def _is_there(catalog: Catalog, work: Work) -> bool:
    """Whether the catalogue has all that is to be written: a source can have changed meanwhile."""
    wanted = {api.id for api in (*work.apis, *work.tries)}
    there = {api.id for api in catalog.apis(category=work.category, tool=work.tool)}
    return wanted <= there and bool(there)


def _lacks(one: Stored | None, *, again: bool) -> bool:
    return one is None or (again and bool(one.content.problem))


def _untried(one: Stored | None, *, again: bool) -> bool:
    """Whether this is a function whose example could still be proven."""
    content = one.content if one else None
    return isinstance(content, Guideline) and content.unproven and (again or not content.problem)


async def _noted(done: Done, run: Run[EasyToolContext]) -> None:
    """Keep how long the tool took, for what the others will take, and why it failed."""
    attempt = Attempt(
        subject=tool_subject(done.work.category, done.work.tool),
        model=run.model_name("write_guideline"),
        seconds=done.seconds,
        tokens=tokens(done.result.get("usage", Usage())),
        failed=done.failed,
    )
    await asyncio.to_thread(run.catalog.instructions.note, attempt)


def callable_now(
    catalog: Catalog, context: EasyToolContext, callers: Mapping[str, Caller] | None = None
) -> Callable[[API], bool]:
    """Which examples may be called: those that the settings allow, where there is somebody to call."""
    there = callers_of(catalog).keys() - {PYTHON} | dict(callers or {}).keys()

    def can_try(api: API) -> bool:
        return (api.source in there or api.id in catalog.tools) and may_try(api, context.try_examples)

    return can_try


async def write_all(
    catalog: Catalog,
    works: Sequence[Work],
    context: EasyToolContext,
    *,
    concurrency: int,
    progress: Callable[[Done, Usage], None],
    **bound: Any,
) -> list[Done]:
    """Write the instructions, `concurrency` tools at a time; what is finished is in the catalogue, come what may.

    What a tool ends in, such as a document that the model refuses, is said of it, and the others go on. What it lacks
    is still left to write.

    Raises:
        ModelError: the model cannot be reached, loaded or used at all.
        InputError: the budget is too small for a single call.
    """
    graph = easytool.build(catalog=catalog, **bound)
    run = Run(context=context, catalog=catalog, bound=cast("Resources", bound))
    finished, spent = list[Done](), Usage()

    async def finish(work: Work) -> None:
        nonlocal spent
        began, done = time.perf_counter(), Done(work)
        given = Document(category=work.category, tool=work.tool, apis=[api.id for api in work.apis], whole=work.whole)
        given["tries"] = [api.id for api in work.tries]
        config: RunnableConfig = {"recursion_limit": _STEPS * (len(work.apis) + len(work.tries) + 1)}
        try:
            async for reached in graph.astream(given, config, context=context, stream_mode="values"):
                done.result = reached  # the last is the whole; where something fails, what was spent until then
        except NO_MODEL:
            raise
        except Exception as error:  # one document that cannot be written must not stop the others
            if isinstance(error, InputError) and await asyncio.to_thread(_is_there, catalog, work):
                raise
            await run.model("write_guideline")  # one that cannot be loaded ends it all
            done.failed = f"{type(error).__name__}: {error}"
        done.seconds = time.perf_counter() - began
        with suppress(CatalogError):  # another process writes for long: only the pace of this tool is not known then
            await _noted(done, run)
        finished.append(done)
        spent = add_usage(spent, done.result.get("usage", Usage()))
        progress(done, spent)

    await together(works, finish, concurrency)
    return finished
