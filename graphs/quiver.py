"""Quiver: one short program over the APIs that search finds, run call by call.

The planner writes a program (or, where the model cannot, one call at a time). The sandbox stops at every call, so that
each is a node visit of its own. What fails goes back by rule (Smurfs); what is left open comes from other APIs
backwards, then from the user (Reverse Chain); schemas come when they are asked for (EcoAct); where search does not
suffice, agents search in the order tool, category, meta (AnyTool). The answer says which calls it stands on.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Unpack

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from toolquiver.bounds import MOST
from toolquiver.contexts import QuiverContext, RetrieverContext, common_of, within
from toolquiver.graphs import retriever
from toolquiver.nodes import waking
from toolquiver.nodes.bound import check_bound
from toolquiver.nodes.bridge import Node, node, route
from toolquiver.nodes.compiled import bounded
from toolquiver.nodes.quiver import answer, ask_user, chain, find, plan, rollback, run, verify
from toolquiver.nodes.quiver.state import QuiverResult, QuiverState, decided
from toolquiver.nodes.run import Resources
from toolquiver.nodes.state import Query

_SEARCH = "Search by agents"
# Supersteps: a call takes up to six (run, two of the chain, two questions, call), a plan with its end fewer than 20.
# Searches are limited by `run`, the decisions of a chain by the budget.
_STEPS_ENOUGH = 20 * (MOST["max_calls"] + MOST["max_plans"] + MOST["max_reflections"])
# Agents within quiver take few turns, and leave it to the planner whether what they found suffices.
_AGENTS = RetrieverContext(agent_turns=4, check_function=False)


class State(QuiverState):
    """The whole state is the slices of its nodes."""


def build(
    *, checkpointer: Checkpointer = None, **bound: Unpack[Resources]
) -> CompiledStateGraph[State, QuiverContext, Query, QuiverResult]:
    """The graph, bound to the model, catalogue and callers given; what is left out comes from the `QuiverContext`.

    `graph.invoke({"query": text})` gives a `QuiverResult`: answer, status (`solved`, `partial`, `failed`), reason,
    programs, calls, evidence, what is missing, and usage by role. `candidates` in the input are the only APIs to use.

    With a checkpointer and a thread a run can be stopped and gone on with; if the process may be killed, invoke it with
    `durability="sync"`, so that no write is made twice. It then asks the user for what no API gives
    (see `nodes.quiver.ask_user`) and before a call that may write (see `nodes.approve`).

    Raises:
        TypeError: what is bound is no resource of its kind.
        InputError: a setting is none of `QuiverContext`, or a model is bound for a role that is called otherwise. When
            the graph is invoked: the query is empty, a candidate is not in the catalogue, the budget is too small for
            the first question, or a call needs approval and there is no checkpointer to wait on.
    """
    check_bound(bound)
    settings = within(QuiverContext, bound.get("context") or QuiverContext())
    bound["context"] = settings
    graph = StateGraph(State, context_schema=QuiverContext, input_schema=Query, output_schema=QuiverResult)

    def add(*roles: Node, part: str = "") -> None:
        for role in roles:
            graph.add_node(role.__name__, node(role, bound), metadata={"part": part} if part else None)

    add(find.find, plan.plan, run.run, find.look_up, run.call, rollback.rollback, part="Plan and run")
    add(chain.chain, ask_user.ask_user, part="Plan and run")
    add(answer.answer, verify.verify, verify.reflect, verify.deliver)
    add(waking.wake_tool_agents, waking.wake_category_agents, waking.wake_meta_agent, verify.hand_over, part=_SEARCH)
    for_agents: Resources = {**bound, "context": common_of(_AGENTS, settings)}
    graph.add_node("agents", retriever.build_search(**for_agents), metadata={"part": _SEARCH})

    graph.add_edge(START, "find")
    graph.add_edge("find", "plan")
    graph.add_conditional_edges(
        "plan",
        route(decided),
        {"program written": "run", "cannot run": "plan", "answered at once": "deliver", "the plan ends": "answer"},
    )
    graph.add_conditional_edges(
        "run",
        route(run.after_run),
        {
            "its answer is there": "answer",
            "calls next": "call",
            "it looks something up": "look_up",
            "an argument is missing": "chain",
            "it asks the user": "ask_user",
            "a call failed": "rollback",
            "it goes on": "plan",
            "it gives up": "reflect",
        },
    )
    graph.add_edge("look_up", "run")
    graph.add_conditional_edges(
        "call", route(run.after_call), {"the program goes on": "run", "the chain goes on": "chain"}
    )
    graph.add_conditional_edges(
        "rollback",
        route(decided),
        {"the rest is planned anew": "plan", "the step before goes too": "rollback", "nothing left": "reflect"},
    )
    graph.add_conditional_edges(
        "chain",
        route(decided),
        {"complete": "call", "another API is needed": "chain", "only the user knows": "ask_user"},
    )
    graph.add_conditional_edges(
        "ask_user",
        route(decided),
        {"the program goes on": "run", "the chain goes on": "chain", "asks again": "ask_user"},
    )
    graph.add_conditional_edges("answer", route(decided), {"done": "deliver", "in doubt": "verify"})
    graph.add_conditional_edges("verify", route(decided), {"done": "deliver", "not done": "reflect"})
    wakes: dict[Hashable, str] = {
        "tool agents first": "wake_tool_agents",
        "category agents first": "wake_category_agents",
        "meta agent first": "wake_meta_agent",
    }
    again: dict[Hashable, str] = {"planned again": "plan"}
    ends: dict[Hashable, str] = {"nothing is answered yet": "answer", "at the limit": "deliver"}
    graph.add_conditional_edges("reflect", route(decided), again | wakes | ends)
    for woken in wakes.values():
        graph.add_edge(woken, "agents")
    graph.add_conditional_edges(
        "agents",
        route(verify.after_agents),
        {
            "category agents next": "wake_category_agents",
            "meta agent next": "wake_meta_agent",
            "agents are done": "hand_over",
        },
    )
    graph.add_conditional_edges("hand_over", route(decided), again | ends)
    graph.add_edge("deliver", END)
    compiled = graph.compile(checkpointer=checkpointer, name="quiver")
    return bounded(compiled, steps=_STEPS_ENOUGH, at_once=retriever.AT_ONCE)


graph = build()
