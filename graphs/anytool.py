"""AnyTool: search by agents, a solver, a judge, and reflection that wakes the agents again (AnyTool, 4).

What the agents found goes to a solver, which is a graph of its own. Where its answer does not solve the query, or it
gives up, the reason goes to the agents that have not finished. They are woken level by level, those nearest to the
APIs first, and the solver tries again with the new pool.
"""

from __future__ import annotations

from typing import Unpack

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from toolquiver.contexts import AnyToolContext, within
from toolquiver.graphs import dfsdt, react, retriever
from toolquiver.nodes import waking
from toolquiver.nodes.anytool import begin, reflect, solve
from toolquiver.nodes.anytool.state import AnyToolResult, AnyToolState
from toolquiver.nodes.bound import check_bound
from toolquiver.nodes.bridge import node, route
from toolquiver.nodes.compiled import bounded
from toolquiver.nodes.judge import verdict
from toolquiver.nodes.run import Resources
from toolquiver.nodes.state import Query


class State(AnyToolState):
    """The whole state is the slices of its nodes."""


def build(
    *, checkpointer: Checkpointer = None, **bound: Unpack[Resources]
) -> CompiledStateGraph[State, AnyToolContext, Query, AnyToolResult]:
    """The graph, bound to the model, catalogue and callers given; what is left out comes from the `AnyToolContext`.

    `graph.invoke({"query": text})` gives an `AnyToolResult`: answer, status (`solved`, `partial`, `failed`), reason,
    calls, usage by role, the pool, the agents, the verdict, who was woken and why, and the `numbers` of the run.

    With a checkpointer and a thread a run can be stopped and gone on with, and `approval` waits for the user before a
    call.

    Raises:
        TypeError: what is bound is no resource of its kind.
        InputError: a setting is none of `AnyToolContext`, or a model is bound for a role that is called otherwise. When
            the graph is invoked: the query is empty, a candidate is not in the catalogue, the budget is too small for
            the first question, embeddings are to search and their extra is not installed, or a call needs approval and
            there is no checkpointer to wait on.
    """
    check_bound(bound)
    bound["context"] = within(AnyToolContext, bound.get("context") or AnyToolContext())
    graph = StateGraph(State, context_schema=AnyToolContext, input_schema=Query, output_schema=AnyToolResult)
    for role in (
        begin.begin,
        solve.hand_over,
        verdict.judge,
        reflect.reflect,
        waking.wake_tool_agents,
        waking.wake_category_agents,
        waking.wake_meta_agent,
        reflect.deliver,
    ):
        graph.add_node(role.__name__, node(role, bound))
    graph.add_node("retriever", retriever.build_search(**bound))
    graph.add_node("dfsdt", dfsdt.build_solver(**bound))
    graph.add_node("react", react.build_solver(**bound))

    graph.add_edge(START, "begin")
    graph.add_conditional_edges(
        "begin", route(begin.after_begin), {"the agents search": "retriever", "nothing to search": "hand_over"}
    )
    graph.add_conditional_edges(
        "retriever",
        route(reflect.after_search),
        {
            "category agents next": "wake_category_agents",
            "meta agent next": "wake_meta_agent",
            "the search is over": "hand_over",
        },
    )
    graph.add_conditional_edges(
        "hand_over", route(solve.after_hand_over), {"depth first": "dfsdt", "in a line": "react"}
    )
    for solver in ("dfsdt", "react"):
        graph.add_conditional_edges(solver, route(solve.after_solver), {"has an answer": "judge", "gave up": "reflect"})
    graph.add_conditional_edges("judge", route(verdict.after_judge), {"solved": "deliver", "unsolved": "reflect"})
    graph.add_conditional_edges(
        "reflect",
        route(reflect.after_reflect),
        {
            "tool agents first": "wake_tool_agents",
            "category agents first": "wake_category_agents",
            "meta agent first": "wake_meta_agent",
            "no agent to wake": "hand_over",
            "at the limit": "deliver",
        },
    )
    for woken in ("wake_tool_agents", "wake_category_agents", "wake_meta_agent"):
        graph.add_edge(woken, "retriever")
    graph.add_edge("deliver", END)
    compiled = graph.compile(checkpointer=checkpointer, name="anytool")
    return bounded(compiled, steps=retriever.STEPS_ENOUGH, at_once=retriever.AT_ONCE)


graph = build()
