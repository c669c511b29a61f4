"""The candidates of a request by search, and the planner's own lookups: `search_apis`, `api_docs`."""

from __future__ import annotations

import asyncio
from typing import Any

from langgraph.types import Overwrite

from toolquiver.catalog import API, ApiId
from toolquiver.contexts import QuiverContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock_at
from toolquiver.nodes.question import candidates_given
from toolquiver.nodes.quiver.functions import Function, docs, functions, line
from toolquiver.nodes.quiver.state import Lookup, QuiverState, Request
from toolquiver.nodes.records import NOT_ENDED
from toolquiver.nodes.run import Run
from toolquiver.nodes.waking import asleep

_EACH = 5  # APIs that one search of the planner's lists
_SEVERAL = 3  # APIs besides the hits, that give at least two inputs of one of them
_SINGLE = 1  # the same for one input, by its name
_RANKED = 100
_FOUND = "Found for {what!r}, the likeliest first; perhaps none fits:"
_KNOWN = "Found too, and listed before: {names}"
_NONE = "Found for {what!r}: nothing. Other words may help, in the language of the descriptions."


async def find(state: QuiverState, run: Run[QuiverContext]) -> Update:
    """Begin a run afresh, with the candidates that are given, or that search finds. No model is asked.

    Raises:
        InputError: the query is empty, a candidate is not in the catalogue, or there is no such time zone.
    """
    given = await candidates_given(state, run)
    apis = await run.apis(given) if given is not None else await found_by_search(state["query"], run)
    return {
        "allowed": given,
        "approval": run.context.approval,
        **{key: [api.id for api in apis] for key in ("pool", "hits")},
        **clock_at(run.context.today, run.context.time_zone),
        "form": "program",
        **{key: Overwrite([]) for key in ("messages", "calls", "lookups", "wakings")},
        **{
            key: []
            for key in (
                "programs",
                "parts",
                "aims",
                "requests",
                "frames",
                "unfilled",
                "banned",
                "set_aside",
                "found",
                "removed",
            )
        },
        **{key: [] for key in ("failures", "levels", "evidence", "missing")},
        **dict.fromkeys(("unrunnable", "reflections", "asked"), 0),
        **dict.fromkeys(("failed", "problem", "wrong", "proposed", "decided", "stopped"), ""),
        "usage": Overwrite({}),
        "histories": Overwrite({}),
        "agents": asleep(),
        "draft": None,
        "best": None,
        **NOT_ENDED,
    }


async def found_by_search(text: str, run: Run[QuiverContext]) -> list[API]:
    """What search finds for a text, then APIs whose outputs are inputs that these require."""
    hits = [hit.api for hit in await run.hits(text)]

    def feeders() -> list[API]:
        several, single = run.catalog.producers(hits), run.catalog.producers_by_name(hits)
        found = run.catalog.search(text, _RANKED) if several or single else []
        ranks = {hit.api.id: rank for rank, hit in enumerate(found)}
        best = [sorted(apis, key=lambda api: ranks.get(api.id, _RANKED)) for apis in (several, single)]
        new = [[api for api in apis if api not in hits] for apis in best]
        return list({api.id: api for api in [*new[0][:_SEVERAL], *new[1][:_SINGLE]]}.values())

    return hits + await asyncio.to_thread(feeders)


async def look_up(state: QuiverState, run: Run[QuiverContext]) -> Update:
    """Answer what the program looks up: `search_apis`, `api_docs`.

    What is found joins the pool, so that the next program can call it (EcoAct: a schema comes when it is asked for).
    """
    found: list[Lookup] = []
    pool = list(state["pool"])
    for request in state["requests"]:
        what = first_of(request)
        text = await (_searched if request["function"] == "search_apis" else _documented)(what, state, pool, run)
        function = request["function"]
        found.append(Lookup(request=request["id"], function=function, asked=str(what), ok=True, text=text))
    return {"lookups": found, "pool": pool, "requests": list[Request]()}


def first_of(request: Request) -> Any:
    """The first argument of one of the planner's own functions, by place or by name."""
    given = request["asked"]
    named = (value for name, value in given.items() if name != "arguments")
    return next(iter(given["arguments"]), None) or next(named, "")


async def _searched(what: Any, state: QuiverState, pool: list[ApiId], run: Run[QuiverContext]) -> str:
    """For each text the lines of what fits; of what the planner knows the names. All of it is in the pool then."""
    told: list[str] = []
    allowed = state["allowed"]
    for text in map(str, what if isinstance(what, list) else [what]):
        hits = [hit.api for hit in await run.hits(text, _EACH) if hit.evidence] if text.strip() else []
        hits = [api for api in hits if (allowed is None or api.id in allowed) and api.id not in state["removed"]]
        if not hits:
            told.append(_NONE.format(what=text))
            continue
        shown = [api.id for api in hits if api.id not in pool]
        pool += shown
        known = {function.api.id: function for function in functions(await run.apis(pool)).values()}
        lines = [line(known[api], failed_before(state, api)) for api in shown]
        before = [_named(known[api.id], failed_before(state, api.id)) for api in hits if api.id not in shown]
        told += [_FOUND.format(what=text), *lines, *([_KNOWN.format(names=", ".join(before))] if before else [])]
    return "\n".join(told)


def _named(function: Function, failed: str) -> str:
    return f"{function.name} (failed before: {failed})" if failed else function.name


async def _documented(name: Any, state: QuiverState, pool: list[ApiId], run: Run[QuiverContext]) -> str:
    known = functions(await run.apis(pool))
    function = known.get(str(name))
    if function is None:
        return f"There is no function {str(name)!r}. There are: {', '.join(known)}."
    failed = failed_before(state, function.api.id)
    as_written = await asyncio.to_thread(run.catalog.shown("raw").get, function.api.id)
    return docs(function._replace(api=as_written)) + (f"\nFailed before: {failed}" if failed else "")


def failed_before(state: QuiverState, api: ApiId) -> str:
    """How the last call of an API failed, where it did; empty where it answered, or was not called."""
    last = next((call for call in reversed(state["calls"]) if call["api"] == api), None)
    return "" if last is None or last["ok"] else f"{last['failure']}: {last['message']}"
