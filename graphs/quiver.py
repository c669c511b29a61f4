"""Quiver: all of it in one graph, what is cheap first (the five systems as parts of one).

Search over the whole catalogue decides alone where it is sure. Else a check says whether the tools suffice, and only if
not, agents search (AnyTool). Planner and executor solve subtask by subtask, rolling back by rule (Smurfs); tools are
shown in full one at a time (EcoAct); a chain looks up an argument that is missing, and what no API gives is asked of
the user (Reverse Chain). The answer gets its evidence; where a rule doubts it, a judge decides, and only an unsolved
query is reflected on, and tried again.
"""

from __future__ import annotations

from typing import Any, Unpack

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from toolquiver.contexts import (
    ACTING,
    ASKED,
    CALLING,
    CHAINED,
    EXECUTED,
    FOUND,
    JUDGED,
    PLANNED,
    QUIVERED,
    REFLECTED,
    REGISTERED,
    SEARCHED,
    QuiverContext,
    form_of,
    within,
)
from toolquiver.graphs import retriever, reverse_chain, smurfs
from toolquiver.nodes.bridge import Node, node, route
from toolquiver.nodes.chain import ask_user, chain_fill
from toolquiver.nodes.executor import check, choose, fill, verify
from toolquiver.nodes.judging import judge
from toolquiver.nodes.loop import (
    ask_lacking,
    find,
    outset,
    present,
    reflect,
    retry,
    search_box,
    suffices,
    wake,
    weigh,
)
from toolquiver.nodes.loop.quiver_state import QuiverResult, QuiverState
from toolquiver.nodes.run import Resources
from toolquiver.nodes.state import Query

_UNUSED = frozenset(["least_pool", "plain_detail"])  # of the search: its agents fill no pool up, and none is plain


class State(QuiverState):
    """The whole state is the slices of its nodes."""


def build(
    *, checkpointer: Checkpointer = None, **bound: Unpack[Resources]
) -> CompiledStateGraph[State, QuiverContext, Query, QuiverResult]:
    """The graph, bound to the model, catalogue and callers given; what is left out comes from the `Context`.

    `graph.invoke({"query": text})` gives a `QuiverResult`: answer, status (`solved`, `partial`, `failed`), reason,
    subtasks, calls, usage by role, `evidence` (which calls each statement stands on), what is `lacking` and why, what
    only the user could have given (`unfilled`), agents that were woken, the verdict, and the number of reflections.
    With a checkpointer and a thread the run stops to ask the user for what is missing: see `nodes.chain.ask_user`.

    Raises:
        TypeError: what is bound is no resource of its kind.
        InputError: a model is bound for a role that is called otherwise. When the graph is invoked: the query is
            empty, a candidate is not in the catalogue, the budget is too small for the first question, `retriever`
            names none of its searches, `plan_only` is set, or a call needs approval and there is no checkpointer to
            wait on.
    """
    bound["context"] = within(QuiverContext, bound.get("context") or QuiverContext())
    graph = StateGraph(
        State,
        context_schema=form_of(
            QuiverContext,
            FOUND,
            SEARCHED - _UNUSED,
            ACTING,
            REGISTERED,
            PLANNED,
            EXECUTED,
            CHAINED,
            ASKED,
            CALLING,
            JUDGED,
            REFLECTED,
            QUIVERED,
        ),
        input_schema=Query,
        output_schema=QuiverResult,
    )
    _add_nodes(graph, bound, _FIND, _BEFORE)
    _add_nodes(graph, bound, _SEARCH, _WAKERS)
    graph.add_node("agents", retriever.build_search(**bound), metadata={"part": _SEARCH})
    chain = reverse_chain.build_fill(asks=True, **bound)
    smurfs.add_executor(
        graph,
        bound,
        choose_node=choose.agree_or_choose,
        fill_node=fill.fill_or_chain,
        verify_node=verify.verify_or_add,
        chain=chain,
        part=_SOLVE,
    )
    _add_nodes(graph, bound, _SOLVE, {"ask_user": ask_lacking.ask_lacking})
    _add_nodes(graph, bound, _CHECK, _AFTER)
    graph.add_edge(START, "check")
    graph.add_conditional_edges("check", route(check.after_check), {"needs tools": "find", "needs none": "reply"})
    graph.add_edge("reply", "present")
    graph.add_conditional_edges(
        "find", route(find.after_find), {"search is sure": "plan", "not sure": "solvable", "no tool fits": "present"}
    )
    graph.add_conditional_edges(
        "solvable",
        route(suffices.after_suffices),
        {"they suffice": "plan", "they do not": "wake_meta_agent", "no tool fits": "present"},
    )
    for woken in ("wake_tool_agents", "wake_category_agents", "wake_meta_agent"):
        graph.add_edge(woken, "agents")
    graph.add_conditional_edges(
        "agents",
        route(search_box.after_search),
        {
            "plan with these": "plan",
            "try again": "resume",
            "category agents next": "wake_category_agents",
            "meta agent next": "wake_meta_agent",
            "nothing new": "present",
        },
    )
    graph.add_conditional_edges("choose", route(choose.after_choose), {"registered: shown in full": "fill"})
    graph.add_conditional_edges(
        "fill",
        route(fill.after_fill_or_chain),
        {
            "complete": "call",
            "cannot fill": "rollback",
            "an argument is missing": "chain",
            "to be looked up": "look_up",
            "answered already": "record",
            "out of budget": "conclude",
        },
    )
    graph.add_conditional_edges(
        "chain",
        route(chain_fill.after_chain_or_ask),
        {
            "complete": "call",
            "cannot fill": "rollback",
            "only the user knows": "ask_user",
            "out of budget": "conclude",
        },
    )
    graph.add_conditional_edges(
        "ask_user",
        route(ask_user.after_ask),
        {"given": "chain", "asks again": "ask_user", "not given": "rollback"},
    )
    graph.add_edge("compose", "weigh")
    graph.add_conditional_edges("weigh", route(weigh.after_weigh), {"no doubt": "present", "in doubt": "judge"})
    graph.add_conditional_edges("judge", route(judge.after_judge), {"solved": "present", "unsolved": "reflect"})
    graph.add_conditional_edges(
        "reflect",
        route(reflect.after_reflect),
        retriever.WOKEN_FIRST | {"no agent to wake": "resume", "at the limit": "present"},
    )
    graph.add_edge("resume", "retrieve")
    graph.add_edge("present", END)
    compiled = graph.compile(checkpointer=checkpointer, name="quiver")
    return compiled.with_config({"max_concurrency": retriever.AT_ONCE})


def _add_nodes(graph: StateGraph[Any, Any, Any, Any], bound: Resources, part: str, roles: dict[str, Node]) -> None:
    """Add the nodes of a part of the picture by name."""
    for name, role in roles.items():
        graph.add_node(name, node(role, bound), metadata={"part": part})


_FIND, _SOLVE = "Find tools", "Plan, and solve each subtask"
_CHECK, _SEARCH = "Check the answer", "Search by agents, where the tools do not suffice"
_BEFORE: dict[str, Node] = {
    "check": outset.outset,
    "reply": check.reply,
    "find": find.find,
    "solvable": suffices.suffices,
}
_AFTER: dict[str, Node] = {
    "weigh": weigh.weigh,
    "judge": judge.judge_by_calls,
    "reflect": retry.look_back,
    "resume": retry.resume,
    "present": present.present,
}
_WAKERS: dict[str, Node] = {
    "wake_tool_agents": wake.wake_tool_agents,
    "wake_category_agents": wake.wake_category_agents,
    "wake_meta_agent": wake.wake_meta_agent,
}

graph = build()
