"""ReAct: think and call until there is an answer, with registration on demand (anytool.txt, solver; ecoact.txt, 3).

The agent has the candidates as functions, or the names of all of them and one function that registers a tool. Each of
its calls is checked and made, or answered with what is wrong with it.
"""

from __future__ import annotations

from typing import Any, Unpack

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from toolquiver.context import Context
from toolquiver.contexts import SOLVED, SOUGHT, form_of
from toolquiver.nodes import dialogue
from toolquiver.nodes.bridge import Node, node, route
from toolquiver.nodes.dialogue import EmbeddedSolverInput, ReactResult, SolverInput, SolverState
from toolquiver.nodes.run import Resources
from toolquiver.nodes.solver import act, finish, gather, perform, register
from toolquiver.nodes.solver.giving_up import EmbeddedReactResult, GivingUp


class State(SolverState):
    """The whole state is the slices of its nodes."""


def build(
    *, checkpointer: Checkpointer = None, **bound: Unpack[Resources]
) -> CompiledStateGraph[State, Context, SolverInput, ReactResult]:
    """The graph, bound to the model, catalogue and callers given; what is left out comes from the `Context`.

    `graph.invoke({"query": text})` gives a `ReactResult`: answer, status (`solved`, `partial`, `failed`), reason,
    calls, usage by role, and which API was callable from which turn to which. `candidates` in the input are the only
    APIs to use.

    With a checkpointer and a thread a run can be stopped and gone on with, and `approval` waits for the user before a
    call.

    Raises:
        TypeError: what is bound is no resource of its kind.
        InputError: a model is bound for a role that is called otherwise. When the graph is invoked: the query is
            empty, a candidate is not in the catalogue, the budget is too small for the first question, `plan_only` is
            set, or a call needs approval and there is no checkpointer to wait on.
    """
    graph = StateGraph(
        State,
        context_schema=form_of(Context, SOUGHT, SOLVED - {"branches"}),
        input_schema=SolverInput,
        output_schema=ReactResult,
    )
    _add_agent(graph, bound, gather.gather, act.act, perform.perform)
    return graph.compile(checkpointer=checkpointer, name="react")


def build_solver(
    **bound: Unpack[Resources],
) -> CompiledStateGraph[GivingUp, Context, EmbeddedSolverInput, EmbeddedReactResult]:
    """The same as a solver in another graph: it may also give up, and `given_up` says why and which APIs failed.

    It calls nothing with values that it made up.
    """
    graph = StateGraph(
        GivingUp, context_schema=Context, input_schema=EmbeddedSolverInput, output_schema=EmbeddedReactResult
    )
    _add_agent(graph, bound, gather.gather_handed, act.act_or_give_up, perform.perform_grounded)
    return graph.compile(name="react")


def _add_agent(graph: StateGraph[Any, Any, Any, Any], bound: Resources, begin: Node, turn: Node, call: Node) -> None:
    """Add an agent that begins with `begin`, takes its turns with `turn`, and makes its calls with `call`."""
    graph.add_node("gather", node(begin, bound))
    graph.add_node("act", node(turn, bound))
    graph.add_node("register", node(register.register, bound))
    graph.add_node("perform", node(call, bound))
    graph.add_node("finish", node(finish.finish, bound))
    graph.add_edge(START, "gather")
    graph.add_conditional_edges("gather", route(gather.after_gather), {"tools found": "act", "no tool fits": "finish"})
    graph.add_conditional_edges(
        "act", route(act.after_act), {"registers": "register", "calls": "perform", "ends": "finish"}
    )
    for done in ("register", "perform"):
        graph.add_conditional_edges(
            done,
            route(dialogue.what_next),
            {"registers": "register", "calls": "perform", "next turn": "act", "no turn left": "finish"},
        )
    graph.add_edge("finish", END)


graph = build()
