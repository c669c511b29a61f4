"""The API retriever of AnyTool: agents that search the catalogue side by side and fill one pool (AnyTool, 4.1).

The meta agent gives categories to category agents, these give tools to tool agents, and those put APIs into the pool.
Each wave of turns is one step: `coordinate` sends the agents out and joins what they did. Where an agent asks whether
the pool suffices, `check` asks a judge about the pool of all agents before anybody goes on. A yes ends the search.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Unpack

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from toolquiver.contexts import RetrieverContext, within
from toolquiver.nodes.anytool import agents, baselines, begin, coordinate, embedded, pool
from toolquiver.nodes.anytool.embedded import Searched, SearchInput, SearchOutput
from toolquiver.nodes.anytool.state import RetrieverResult, RetrieverState
from toolquiver.nodes.bound import check_bound
from toolquiver.nodes.bridge import node, route
from toolquiver.nodes.compiled import bounded
from toolquiver.nodes.run import Resources
from toolquiver.nodes.state import Query

AT_ONCE = 64  # turns at a time; `invoke` would otherwise run so many only as there are processors
STEPS_ENOUGH = 2_000  # supersteps; the limits of turns and reflections end a run long before


class State(RetrieverState):
    """The whole state is the slices of its nodes."""


def build(
    *, checkpointer: Checkpointer = None, **bound: Unpack[Resources]
) -> CompiledStateGraph[State, RetrieverContext, Query, RetrieverResult]:
    """The graph, bound to the model and catalogue given; what is left out comes from the `RetrieverContext`.

    `graph.invoke({"query": text})` gives a `RetrieverResult`: `pool` with the ids of the APIs found, the agents with
    what each added, whether the pool was found `solvable` with, status (`solved`, `partial`, `failed`), reason and
    usage by role. `answer` names the pool in words; nothing is called. Candidates that are given are the pool, all of
    them, however many: then nothing is searched or judged, and the reason says so.

    With a checkpointer and a thread a run can be stopped and gone on with.

    Raises:
        TypeError: what is bound is no resource of its kind.
        InputError: a setting is none of `RetrieverContext`, or a model is bound for a role that is called otherwise.
            When the graph is invoked: the query is empty, a candidate is not in the catalogue, the budget is too small
            for the first question, or embeddings are to search and their extra is not installed.
    """
    check_bound(bound)
    bound["context"] = within(RetrieverContext, bound.get("context") or RetrieverContext())
    graph = StateGraph(State, context_schema=RetrieverContext, input_schema=Query, output_schema=RetrieverResult)
    for role in (begin.begin, baselines.by_embedding, begin.settle):
        graph.add_node(role.__name__, node(role, bound))
    add_agents(graph, bound)
    graph.add_edge(START, "begin")
    graph.add_conditional_edges(
        "begin",
        route(begin.after_begin),
        {"agents search": "coordinate", "by embeddings": "by_embedding", "candidates given": "settle"},
    )
    graph.add_conditional_edges("coordinate", route(coordinate.after_coordinate), WAVE | {"no agent at work": "settle"})
    graph.add_conditional_edges(
        "check", route(pool.after_check), {"it suffices": "settle", "it does not": "coordinate"}
    )
    graph.add_edge("by_embedding", "settle")
    graph.add_edge("settle", END)
    return bounded(graph.compile(checkpointer=checkpointer, name="retriever"), steps=STEPS_ENOUGH, at_once=AT_ONCE)


def build_search(
    **bound: Unpack[Resources],
) -> CompiledStateGraph[Searched, RetrieverContext, SearchInput, SearchOutput]:
    """The agents as a node of another graph: those that were woken go on, and hand back what they have found."""
    graph = StateGraph(Searched, context_schema=RetrieverContext, input_schema=SearchInput, output_schema=SearchOutput)
    for role in (embedded.begin_search, embedded.end_search):
        graph.add_node(role.__name__, node(role, bound))
    add_agents(graph, bound)
    graph.add_edge(START, "begin_search")
    graph.add_edge("begin_search", "coordinate")
    graph.add_conditional_edges(
        "coordinate", route(coordinate.after_coordinate), WAVE | {"no agent at work": "end_search"}
    )
    graph.add_conditional_edges(
        "check", route(pool.after_check), {"it suffices": "end_search", "it does not": "coordinate"}
    )
    graph.add_edge("end_search", END)
    return graph.compile(name="agents")


WAVE: dict[Hashable, str] = {
    "meta agent": "meta_agent",
    "category agents": "category_agent",
    "tool agents": "tool_agent",
    "flat agent": "flat_agent",
    "plain agent": "plain_agent",
    "the pool is asked about": "check",
}
"""What `coordinate` sends out, by the label of the edge."""


def add_agents(graph: StateGraph[Any, Any, Any, Any], bound: Resources) -> None:
    """Add the agents, the node that joins them and the check of their pool; the edges between are the graph's own."""
    for role in (coordinate.coordinate, pool.check):
        graph.add_node(role.__name__, node(role, bound))
    for agent in (
        agents.meta_agent,
        agents.category_agent,
        agents.tool_agent,
        agents.flat_agent,
        baselines.plain_agent,
    ):
        graph.add_node(agent.__name__, node(agent, bound))
        graph.add_edge(agent.__name__, "coordinate")


graph = build()
