"""The beginning of a run: the APIs that it may use, those given, handed over, or found by search."""

from __future__ import annotations

from typing import cast

from langgraph.types import Overwrite

from toolquiver.catalog import API, ApiId
from toolquiver.contexts import SolverContext
from toolquiver.models.tokens import table_loaded
from toolquiver.nodes.approve import approval_of
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock_at
from toolquiver.nodes.dialogue import as_messages
from toolquiver.nodes.question import candidates_given
from toolquiver.nodes.records import NOT_ENDED
from toolquiver.nodes.run import Run
from toolquiver.nodes.solver.state import AfterBegin, SolverState
from toolquiver.nodes.solver_io import Handed, SolverInput, TreeNode
from toolquiver.nodes.state import Query
from toolquiver.registration import Registered, Registration


async def begin(state: SolverInput, run: Run[SolverContext]) -> Update:
    """Begin afresh, also on a thread that had a run before, with the candidates given, or those that search finds.

    Raises:
        InputError: the query is empty, a candidate is not in the catalogue, or there is no such time zone.
    """
    given = await candidates_given(state, run)
    apis = await run.apis(given) if given is not None else [hit.api for hit in await run.hits(state["query"])]
    begun = await _begun(state, apis, run)
    decided: AfterBegin = "no API fits" if given is not None and not apis else "APIs found"
    own: Update = {"allowed": given is not None, "approval": run.context.approval, "spent_before": 0}
    return {**begun, **own, "decided": decided}


async def begin_handed(state: Handed, run: Run[SolverContext]) -> Update:
    """Begin within another graph: with the APIs of its pool, its conversation so far, and what is left of its budget.

    Raises:
        InputError: the query is empty, an API of the pool is not in the catalogue, or there is no such time zone.
    """
    given = await candidates_given(Query(query=state["query"], candidates=state["pool"]), run)
    apis = await run.apis(given or [])
    begun = await _begun(state, apis, run, [api for api in apis if api.id in (state.get("registered_before") or ())])
    return {
        **begun,
        "decided": "APIs found" if apis else "no API fits",
        "allowed": True,
        "approval": approval_of(state, run),
        "spent_before": state.get("spent") or 0,
        "made_before": state.get("made") or [],
    }


async def begin_search(state: SolverInput, run: Run[SolverContext]) -> Update:
    """The same as `begin`, with the root of the tree: the question."""
    return _rooted(await begin(state, run))


async def begin_handed_search(state: Handed, run: Run[SolverContext]) -> Update:
    """The same as `begin_handed`, with the root of the tree: the question, and the conversation so far."""
    return _rooted(await begin_handed(state, run))


async def _begun(
    state: SolverInput, apis: list[API], run: Run[SolverContext], registered: list[API] | None = None
) -> Update:
    everything = (await _over([api.id for api in apis], run)).mode == "all"
    return {
        **clock_at(run.context.today, run.context.time_zone),
        "pool": [api.id for api in apis],
        "listed": len(apis),
        "registered": [
            Registered(api=api.id, since=0, until=None) for api in (apis if everything else registered or [])
        ],
        "made_before": [],
        **{key: Overwrite([]) for key in ("calls", "outcomes", "growth")},
        "messages": Overwrite(as_messages(state.get("earlier") or [])),
        "usage": Overwrite({}),
        "requests": [],
        "turn": 0,
        "calls_left": run.context.solver_calls,
        "given_up": None,
        "stopped": "",
        **NOT_ENDED,
    }


def _rooted(begun: Update) -> Update:
    root = TreeNode(
        id=0,
        parent=None,
        turn=0,
        thought="",
        calls=[],
        observations=[],
        mark="open",
        messages=begun["messages"].value,
        registered=begun["registered"],
    )
    return {**begun, "tree": Overwrite([root]), "at": 0}


async def registering(state: SolverState, run: Run[SolverContext]) -> Registration:
    """How APIs come into the agent's sight: `auto` has become one of the others, by what the run began with."""
    return await _over(state["pool"][: state["listed"]], run)


async def _over(ids: list[ApiId], run: Run[SolverContext]) -> Registration:
    if run.context.registration != "auto":
        return run.context.registering
    await table_loaded()
    return run.context.registering.over(await run.callables(ids))


def after_begin(state: SolverState) -> AfterBegin:
    """Where no API may be used there is nothing to do; with a catalogue to search there is."""
    return cast("AfterBegin", state["decided"])
