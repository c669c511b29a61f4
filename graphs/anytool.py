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

from toolquiver.contexts import HANDED_OVER, JUDGED, REFLECTED, SEARCHED, SOLVED, AnyToolContext, form_of, within
from toolquiver.graphs import dfsdt, react
from toolquiver.graphs.retriever import AGENTS, AT_ONCE, WOKEN_FIRST, add_agents
from toolquiver.nodes import waking
from toolquiver.nodes.bound import check_bound
from toolquiver.nodes.bridge import Node, node, route
from toolquiver.nodes.judging import judge
from toolquiver.nodes.loop import deliver, hand_over, reflect, set_out, wake
from toolquiver.nodes.loop.anytool_state import AnyToolResult, AnyToolState
from toolquiver.nodes.run import Resources
from toolquiver.nodes.search import begin, embedding
from toolquiver.nodes.state import Query


class State(AnyToolState):
    """The whole state is the slices of its nodes."""


def build(
    *, checkpointer: Checkpointer = None, **bound: Unpack[Resources]
) -> CompiledStateGraph[State, AnyToolContext, Query, AnyToolResult]:
    """The graph, bound to the model, catalogue and callers given; what is left out comes from the `Context`.

    `graph.invoke({"query": text})` gives an `AnyToolResult`: answer, status (`solved`, `partial`, `failed`), reason,
    calls, usage by role, the pool, the agents, the verdict, who was woken and why, and the `numbers` of the run.

    With a checkpointer and a thread a run can be stopped and gone on with, and `approval` waits for the user before a
    call.

    Raises:
        TypeError: what is bound is no resource of its kind.
        InputError: a model is bound for a role that is called otherwise. When the graph is invoked: the query is
            empty, a candidate is not in the catalogue, the budget is too small for the first question, embeddings are
            to search and their extra is not installed, `plan_only` is set, or a call needs approval and there is no
            checkpointer to wait on.
    """
    check_bound(bound)
    bound["context"] = within(AnyToolContext, bound.get("context") or AnyToolContext())
    graph = StateGraph(
        State,
        context_schema=form_of(AnyToolContext, SEARCHED, {"top_k"}, JUDGED, REFLECTED, HANDED_OVER, SOLVED),
        input_schema=Query,
        output_schema=AnyToolResult,
    )
    for name, role in _ROLES.items():
        graph.add_node(name, node(role, bound))
    add_agents(graph, bound)
    graph.add_node("dfsdt", dfsdt.build_solver(**bound))
    graph.add_node("react", react.build_solver(**bound))
    graph.add_edge(START, "set_out")
    graph.add_conditional_edges(
        "set_out",
        route(begin.after_begin),
        {"agents search": "coordinate", "by embeddings": "by_embedding", "candidates given": "hand_over"},
    )
    graph.add_edge("by_embedding", "hand_over")
    graph.add_conditional_edges(
        "coordinate",
        route(wake.fan_out_or_climb),
        AGENTS
        | {
            "category agents next": "wake_category_agents",
            "meta agent next": "wake_meta_agent",
            "the pool is ready": "hand_over",
        },
    )
    graph.add_conditional_edges(
        "hand_over", route(hand_over.after_hand_over), {"depth first": "dfsdt", "in a line": "react"}
    )
    for solver in ("dfsdt", "react"):
        graph.add_conditional_edges(
            solver, route(hand_over.after_solver), {"has an answer": "judge", "gave up": "reflect"}
        )
    graph.add_conditional_edges("judge", route(judge.after_judge), {"solved": "deliver", "unsolved": "reflect"})
    graph.add_conditional_edges(
        "reflect",
        route(reflect.after_reflect),
        WOKEN_FIRST | {"no agent to wake": "hand_over", "at the limit": "deliver"},
    )
    for woken in ("wake_tool_agents", "wake_category_agents", "wake_meta_agent"):
        graph.add_edge(woken, "coordinate")
    graph.add_edge("deliver", END)
    return graph.compile(checkpointer=checkpointer, name="anytool").with_config({"max_concurrency": AT_ONCE})


_ROLES: dict[str, Node] = {
    "set_out": set_out.set_out,
    "by_embedding": embedding.by_embedding,
    "hand_over": hand_over.hand_over,
    "judge": judge.judge_by_kept_calls,
    "reflect": reflect.reflect_or_end,
    "wake_tool_agents": waking.wake_tool_agents,
    "wake_category_agents": waking.wake_category_agents,
    "wake_meta_agent": waking.wake_meta_agent,
    "deliver": deliver.deliver,
}

graph = build()
