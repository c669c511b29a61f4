"""The candidates of a request by search, and the planner's own lookups: `search_apis`, `api_docs`."""

from __future__ import annotations

import asyncio
from typing import Any

from langgraph.types import Overwrite

from toolquiver.catalog import ApiId
from toolquiver.contexts import QuiverContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock_at
from toolquiver.nodes.finder import found_by_search
from toolquiver.nodes.question import candidates_given
from toolquiver.nodes.quiver.state import Lookup, QuiverState, failed_before
from toolquiver.nodes.records import NOT_ENDED
from toolquiver.nodes.run import Run
from toolquiver.nodes.waking import asleep
from toolquiver.programs import docs, functions, line, subject

_EACH = 5  # APIs that one search of the planner's lists
_FOUND = "Found for {what!r}, the likeliest first; perhaps none fits:"
_KNOWN = "Found too, and listed before: {names}"
_NONE = "Found for {what!r}: nothing. Other words may help, in the language of the descriptions."
_COLLECTED = ("messages", "calls", "lookups", "wakings")
_LISTS = "programs parts aims requests frames unfilled banned set_aside found removed failures levels evidence missing"
_TEXTS = ("failed", "problem", "wrong", "proposed", "decided", "stopped")


async def find(state: QuiverState, run: Run[QuiverContext]) -> Update:
    """Begin a run afresh, with the candidates that are given, or that search finds. No model is asked.

    Raises:
        InputError: the query is empty, a candidate is not in the catalogue, or there is no such time zone.
    """
    given = await candidates_given(state, run)
    apis = await run.apis(given) if given is not None else await found_by_search(state["query"], run)
    return {
        **{key: Overwrite([]) for key in _COLLECTED},
        **{key: Overwrite({}) for key in ("usage", "histories")},
        **{key: [] for key in _LISTS.split()},
        **dict.fromkeys(_TEXTS, ""),
        **dict.fromkeys(("unrunnable", "reflections", "asked"), 0),
        **dict.fromkeys(("draft", "best")),
        **NOT_ENDED,
        **clock_at(run.context.today, run.context.time_zone),
        **{key: [api.id for api in apis] for key in ("pool", "hits")},
        "allowed": given,
        "approval": run.context.approval,
        "form": "program",
        "agents": asleep(),
    }


async def look_up(state: QuiverState, run: Run[QuiverContext]) -> Update:
    """Answer what the program looks up: `search_apis`, `api_docs`.

    What is found joins the pool, so that the next program can call it (EcoAct: a schema comes when it is asked for).
    """
    found: list[Lookup] = []
    pool = list(state["pool"])
    for request in state["requests"]:
        what, function = subject(request), request["function"]
        text = await (_searched if function == "search_apis" else _documented)(what, state, pool, run)
        found.append(Lookup(request=request["id"], function=function, asked=str(what), ok=True, text=text))
    return {"lookups": found, "pool": pool, "requests": []}


async def _searched(what: Any, state: QuiverState, pool: list[ApiId], run: Run[QuiverContext]) -> str:
    """For each text the lines of what fits; of what the planner knows the names. All of it is in the pool then."""
    told: list[str] = []
    allowed = state["allowed"]
    for text in map(str, what if isinstance(what, list) else [what]):
        hits = [hit.api.id for hit in await run.hits(text, _EACH) if hit.evidence] if text.strip() else []
        hits = [api for api in hits if (allowed is None or api in allowed) and api not in state["removed"]]
        if not hits:
            told.append(_NONE.format(what=text))
            continue
        told.append(_FOUND.format(what=text))
        new = [api for api in hits if api not in pool]
        pool += new
        known = {one.api.id: one for one in functions(await run.apis(pool)).values()}
        told += [line(known[api], failed_before(state, api)) for api in new]
        failed = {known[api].name: failed_before(state, api) for api in hits if api not in new}
        names = [f"{name} (failed before: {how})" if how else name for name, how in failed.items()]
        told += [_KNOWN.format(names=", ".join(names))] if names else []
    return "\n".join(told)


async def _documented(name: Any, state: QuiverState, pool: list[ApiId], run: Run[QuiverContext]) -> str:
    known = functions(await run.apis(pool))
    function = known.get(str(name))
    if function is None:
        return f"There is no function {str(name)!r}. There are: {', '.join(known)}."
    failed = failed_before(state, function.api.id)
    as_written = await asyncio.to_thread(run.catalog.shown("raw").get, function.api.id)
    return docs(function._replace(api=as_written)) + (f"\nFailed before: {failed}" if failed else "")
