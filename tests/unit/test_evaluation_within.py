"""The steps of a graph that is a part of another: in the trace by their place, and counted once."""

from __future__ import annotations

import asyncio
from operator import add
from typing import Annotated, Any

import pytest
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from tests.support.small_set import Sums
from toolquiver.context import Context
from toolquiver.evaluation.reached import watched
from toolquiver.evaluation.systems.graphs import GraphSystem
from toolquiver.models import RoleUsage, Usage, add_usage

SUMS = Sums()
CALL = {"subtask": 0, "api": "a/b/add", "arguments": {}, "ok": True, "failure": None, "message": ""}


class State(TypedDict, total=False):
    query: str
    usage: Annotated[Usage, add_usage]
    calls: Annotated[list[Any], add]
    pool: list[str]
    status: str
    answer: str
    reason: str


def spent(role):
    return {"usage": {role: RoleUsage(calls=1, prompt=10, completion=1, cached=0, estimated=0)}}


def a_graph(*, breaks):
    """Looks at something, then solves in a graph of its own: two steps that cost, of which the second may break."""

    def ends(_):
        if breaks:
            raise RuntimeError("The model is gone.")
        return {**spent("second"), "calls": [CALL], "status": "solved", "answer": "6", "reason": ""}

    inner = StateGraph(State).add_node("begins", lambda _: spent("first") | {"calls": [CALL], "pool": ["a/b/inner"]})
    inner.add_node("ends", ends).add_edge(START, "begins").add_edge("begins", "ends").add_edge("ends", END)
    solver = inner.compile()

    async def solve(state):
        return await solver.ainvoke({"query": state["query"]})

    outer = StateGraph(State).add_node("looks", lambda _: spent("looks") | {"pool": ["a/b/add"]})
    outer.add_node("solve", solve).add_edge(START, "looks").add_edge("looks", "solve").add_edge("solve", END)
    return lambda **_: outer.compile()


def system(*, breaks):
    return GraphSystem(build=a_graph(breaks=breaks), model="scripted", context=Context())


def test_the_steps_within_are_in_the_trace_and_counted_once():
    result = asyncio.run(system(breaks=False)(SUMS.questions()[0], SUMS.resources()))
    assert [node for node, _ in result.trace] == ["looks", "solve/begins", "solve/ends", "solve"]
    assert {role: one["calls"] for role, one in result.usage.items()} == {"looks": 1, "first": 1, "second": 1}
    assert (len(result.calls), result.candidates) == (2, ("a/b/add", "a/b/inner"))


def test_what_a_graph_within_had_spent_and_called_when_it_broke_is_not_lost():
    with watched() as so_far, pytest.raises(RuntimeError, match="gone"):
        asyncio.run(system(breaks=True)(SUMS.questions()[0], SUMS.resources()))
    result = so_far()
    assert [node for node, _ in result.trace] == ["looks", "solve/begins"]
    assert {role: one["calls"] for role, one in result.usage.items()} == {"looks": 1, "first": 1}
    assert (len(result.calls), result.candidates) == (1, ("a/b/add",))
