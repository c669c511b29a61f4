"""The API retriever of AnyTool: agents that search the catalogue side by side and fill one pool (AnyTool, 4.1).

The meta agent gives categories to category agents, these give tools to tool agents, and those put APIs into the pool.
Each wave of turns is one step: `coordinate` sends the agents out and joins what they did. Where an agent asks whether
the pool suffices, `check` asks a judge about the pool of all agents before anybody goes on. A yes ends the search.
"""

from __future__ import annotations

from typing import Any, Unpack

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from toolquiver.contexts import RetrieverContext, within
from toolquiver.nodes.bound import check_bound
from toolquiver.nodes.bridge import Node, node, route
from toolquiver.nodes.compiled import bounded
from toolquiver.nodes.retriever import agents, baselines, begin, check, coordinate
from toolquiver.nodes.retriever.state import EmbeddedState, SearchState
from toolquiver.nodes.run import Resources
from toolquiver.nodes.search_io import HandedBack, HandedToSearch, RetrieverResult
from toolquiver.nodes.state import Query

AT_ONCE = 64  # turns at a time; `invoke` would otherwise run so many only as there are processors
STEPS_ENOUGH = 2_000  # supersteps; the limits of turns and reflections end a run long before


class State(SearchState):
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
    _connect(graph, bound, first=begin.begin, last=begin.settle)
    return bounded(graph.compile(checkpointer=checkpointer, name="retriever"), steps=STEPS_ENOUGH, at_once=AT_ONCE)


def build_search(
    **bound: Unpack[Resources],
) -> CompiledStateGraph[EmbeddedState, RetrieverContext, HandedToSearch, HandedBack]:
    """The same as a node of another graph: the agents that it hands over go on, and hand back what they have found."""
    graph = StateGraph(
        EmbeddedState, context_schema=RetrieverContext, input_schema=HandedToSearch, output_schema=HandedBack
    )
    _connect(graph, bound, first=begin.begin_handed, last=begin.hand_back)
    return graph.compile(name="retriever")


def _connect(graph: StateGraph[Any, Any, Any, Any], bound: Resources, *, first: Node, last: Node) -> None:
    """Add every node and edge; `first` and `last` are the nodes that tell the search alone from that in a graph."""
    wave = (agents.meta_agent, agents.category_agent, agents.tool_agent, agents.flat_agent)
    graph.add_node("begin", node(first, bound))
    for role in (coordinate.coordinate, *wave, check.check, baselines.plain_agent, baselines.by_embedding):
        graph.add_node(role.__name__, node(role, bound))
    graph.add_node("settle", node(last, bound))
    graph.add_edge(START, "begin")
    graph.add_conditional_edges(
        "begin",
        route(begin.after_begin),
        {
            "agents search": "coordinate",
            "group by group": "plain_agent",
            "by embeddings": "by_embedding",
            "candidates given": "settle",
        },
    )
    graph.add_conditional_edges(
        "coordinate",
        route(coordinate.after_coordinate),
        {
            "meta agent": "meta_agent",
            "category agents": "category_agent",
            "tool agents": "tool_agent",
            "flat agent": "flat_agent",
            "the pool is asked about": "check",
            "no agent at work": "settle",
        },
    )
    for agent in wave:
        graph.add_edge(agent.__name__, "coordinate")
    graph.add_conditional_edges(
        "check", route(check.after_check), {"it suffices": "settle", "it does not": "coordinate"}
    )
    graph.add_conditional_edges(
        "plain_agent",
        route(baselines.after_plain_agent),
        {"the next group": "plain_agent", "no group is left": "settle"},
    )
    graph.add_edge("by_embedding", "settle")
    graph.add_edge("settle", END)


graph = build()
