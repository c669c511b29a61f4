"""The API retriever of AnyTool: agents that search the catalogue side by side and fill a pool (AnyTool, 4.1).

The meta agent gives categories to category agents, these give tools to tool agents, and those put APIs into the pool.
Each wave of turns is one step: `coordinate` sends the agents out and joins what they did. When the pool is full, or
was found to suffice, all agents stop at once, in mid-call.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Unpack

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from toolquiver.context import Context
from toolquiver.contexts import ACTING, SEARCHED, form_of
from toolquiver.nodes.bridge import node, route
from toolquiver.nodes.run import Resources
from toolquiver.nodes.search import (
    begin,
    category_agent,
    coordinate,
    embedded,
    embedding,
    flat_agent,
    meta_agent,
    plain_agent,
    settle,
    tool_agent,
)
from toolquiver.nodes.search.agents import RetrieverResult, RetrieverState
from toolquiver.nodes.search.embedded import Searched, SearchInput, SearchOutput
from toolquiver.nodes.state import Query

AT_ONCE = 64  # turns at a time; `invoke` would otherwise run so many only as there are processors


class State(RetrieverState):
    """The whole state is the slices of its nodes."""


def build(
    *, checkpointer: Checkpointer = None, **bound: Unpack[Resources]
) -> CompiledStateGraph[State, Context, Query, RetrieverResult]:
    """The graph, bound to the model and catalogue given; what is left out comes from the `Context`.

    `graph.invoke({"query": text})` gives a `RetrieverResult`: `pool` with the ids of the APIs found, the agents with
    what each added, whether the pool was found `solvable` with, status (`solved`, `partial`, `failed`), reason and
    usage by role. `answer` names the pool in words; nothing is called. Candidates that are given are the pool, all of
    them, however many: then nothing is searched or judged, and the reason says so.

    With a checkpointer and a thread a run can be stopped and gone on with.

    Raises:
        TypeError: what is bound is no resource of its kind.
        InputError: a model is bound for a role that is called otherwise. When the graph is invoked: the query is
            empty, a candidate is not in the catalogue, the budget is too small for the first question, or embeddings
            are to search and their extra is not installed.
    """
    graph = StateGraph(
        State,
        context_schema=form_of(Context, SEARCHED, ACTING, {"top_k", "votes"}),
        input_schema=Query,
        output_schema=RetrieverResult,
    )
    for role in (begin.begin, embedding.by_embedding, settle.settle):
        graph.add_node(role.__name__, node(role, bound))
    add_agents(graph, bound)
    graph.add_edge(START, "begin")
    graph.add_conditional_edges(
        "begin",
        route(begin.after_begin),
        {"agents search": "coordinate", "by embeddings": "by_embedding", "candidates given": "settle"},
    )
    graph.add_conditional_edges("coordinate", route(coordinate.fan_out), AGENTS | {"no agent at work": "settle"})
    graph.add_edge("by_embedding", "settle")
    graph.add_edge("settle", END)
    return graph.compile(checkpointer=checkpointer, name="retriever").with_config({"max_concurrency": AT_ONCE})


def build_search(**bound: Unpack[Resources]) -> CompiledStateGraph[Searched, Context, SearchInput, SearchOutput]:
    """The agents as a node of another graph: those that were woken go on, and hand back what they have found."""
    graph = StateGraph(Searched, context_schema=Context, input_schema=SearchInput, output_schema=SearchOutput)
    for role in (embedded.begin_search, embedded.end_search):
        graph.add_node(role.__name__, node(role, bound))
    add_agents(graph, bound)
    graph.add_edge(START, "begin_search")
    graph.add_edge("begin_search", "coordinate")
    graph.add_conditional_edges("coordinate", route(coordinate.fan_out), AGENTS | {"no agent at work": "end_search"})
    graph.add_edge("end_search", END)
    return graph.compile(name="agents")


AGENTS: dict[Hashable, str] = {
    "meta agent": "meta_agent",
    "category agents": "category_agent",
    "tool agents": "tool_agent",
    "flat agent": "flat_agent",
    "plain agent": "plain_agent",
}
"""Whom `coordinate` sends out, by the label of the edge."""

WOKEN_FIRST: dict[Hashable, str] = {
    "tool agents first": "wake_tool_agents",
    "category agents first": "wake_category_agents",
    "meta agent first": "wake_meta_agent",
}
"""Which level a reflection wakes, by the label of the edge."""


def add_agents(graph: StateGraph[Any, Any, Any, Any], bound: Resources) -> None:
    """Add the agents and the node that joins them; what comes before and after is the graph's own."""
    graph.add_node("coordinate", node(coordinate.coordinate, bound))
    for role in (
        meta_agent.meta_agent,
        category_agent.category_agent,
        tool_agent.tool_agent,
        flat_agent.flat_agent,
        plain_agent.plain_agent,
    ):
        graph.add_node(role.__name__, node(role, bound))
        graph.add_edge(role.__name__, "coordinate")


graph = build()
