"""The candidates of a request by search, and the planner's own lookups: `search_apis`, `api_docs`."""

from __future__ import annotations

from datetime import datetime, time
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from langgraph.types import Overwrite

from toolquiver.catalog import API, ApiId
from toolquiver.contexts import QuiverContext
from toolquiver.errors import InputError
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.question import candidates_given
from toolquiver.nodes.quiver.functions import docs, functions, line
from toolquiver.nodes.quiver.state import Lookup, QuiverState, Request
from toolquiver.nodes.records import NOT_ENDED
from toolquiver.nodes.run import Run
from toolquiver.nodes.waking import asleep

_EACH = 5  # APIs that one search of the planner's lists
_FEEDERS = 4  # APIs besides the hits, which give what the first of these need
_NONE = (
    "Nothing in the catalogue fits {what!r}. Try other words, in the language of the descriptions above, or go on"
    " without it."
)


async def find(state: QuiverState, run: Run[QuiverContext]) -> Update:
    """Begin a run afresh, with the candidates that are given, or that search finds. No model is asked.

    Raises:
        InputError: the query is empty, a candidate is not in the catalogue, or there is no such time zone.
    """
    given = await candidates_given(state, run)
    apis = await run.apis(given) if given is not None else await _found(state["query"], run)
    now = _now(run.context)
    return {
        "allowed": given,
        "approval": run.context.approval,
        "pool": [api.id for api in apis],
        "now": now.isoformat(timespec="minutes"),
        "zone": getattr(now.tzinfo, "key", "") or str(now.tzname()),
        "form": "program",
        **{key: Overwrite([]) for key in ("messages", "calls", "lookups", "wakings")},
        **{
            key: [] for key in ("programs", "requests", "frames", "unfilled", "banned", "set_aside", "found", "removed")
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


async def _found(text: str, run: Run[QuiverContext]) -> list[API]:
    """What search finds for a text, then APIs that return what the first of these require."""
    hits = [hit.api for hit in await run.hits(text)]
    return hits + (await run.feeding(hits, text, hits))[:_FEEDERS]


def _now(context: QuiverContext) -> datetime:
    """The run's clock: the setting's day at noon, else the time, in the zone that is set, else the machine's."""
    try:
        zone = ZoneInfo(context.time_zone) if context.time_zone else datetime.now().astimezone().tzinfo
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise InputError(f"There is no time zone {context.time_zone!r}. Name one such as Europe/Vienna.") from error
    if context.today:
        return datetime.combine(datetime.fromisoformat(context.today), time(12), zone)
    return datetime.now(zone)


async def look_up(state: QuiverState, run: Run[QuiverContext]) -> Update:
    """Answer what the program looks up: `search_apis`, `api_docs`.

    What is found joins the pool, so that the next program can call it (EcoAct: a schema comes when it is asked for).
    """
    found: list[Lookup] = []
    pool = list(state["pool"])
    for request in state["requests"]:
        given = request["asked"]
        first: Any = next(iter(given["arguments"]), None) or next(
            (value for name, value in given.items() if name != "arguments"), ""
        )
        text = await (_searched if request["function"] == "search_apis" else _documented)(first, state, pool, run)
        found.append(Lookup(request=request["id"], function=request["function"], ok=True, text=text))
    return {"lookups": found, "pool": pool, "requests": list[Request]()}


async def _searched(what: Any, state: QuiverState, pool: list[ApiId], run: Run[QuiverContext]) -> str:
    """The lines of what fits each text; all of it is in the pool then."""
    texts = what if isinstance(what, list) else [what]
    lines: dict[ApiId, str] = {}
    missed: list[str] = []
    for text in map(str, texts):
        hits = [hit.api for hit in await run.hits(text, _EACH)] if text.strip() else []
        allowed = state["allowed"]
        hits = [api for api in hits if (allowed is None or api.id in allowed) and api.id not in state["removed"]]
        if not hits:
            missed.append(_NONE.format(what=text))
        pool += [api.id for api in hits if api.id not in pool]
        known = {function.api.id: function for function in functions(await run.apis(pool)).values()}
        lines |= {api.id: line(known[api.id], failed_before(state, api.id)) for api in hits}
    return "\n".join([*lines.values(), *missed])


async def _documented(name: Any, state: QuiverState, pool: list[ApiId], run: Run[QuiverContext]) -> str:
    known = functions(await run.apis(pool))
    function = known.get(str(name))
    if function is None:
        return f"There is no function {str(name)!r}. There are: {', '.join(known)}."
    failed = failed_before(state, function.api.id)
    return docs(function) + (f"\nFailed before: {failed}" if failed else "")


def failed_before(state: QuiverState, api: ApiId) -> str:
    """How the last call of an API failed, where it did; empty where it answered, or was not called."""
    last = next((call for call in reversed(state["calls"]) if call["api"] == api), None)
    return "" if last is None or last["ok"] else f"{last['failure']}: {last['message']}"
