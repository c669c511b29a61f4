"""ReAct: think, call, observe until the model ends; with EcoAct's registration on demand (ecoact.txt, 2.2).

The agent has the candidates as functions, or the names of all of them and one function that registers. The requests of
a turn are served side by side, each a node visit of its own. Good results stay when another request fails.
"""

from __future__ import annotations

from typing import Any, Unpack

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from toolquiver.contexts import ReactContext, within
from toolquiver.nodes.bound import check_bound
from toolquiver.nodes.bridge import Node, node, route
from toolquiver.nodes.compiled import bounded
from toolquiver.nodes.run import Resources
from toolquiver.nodes.solver import act, begin, call, finish, look_up, register
from toolquiver.nodes.solver.embedded import embedded
from toolquiver.nodes.solver.state import SolverState
from toolquiver.nodes.solver_io import Handed, ReactResult, SolverInput, SolverResult

_STEPS_ENOUGH = 1_000  # supersteps; the limits of turns and calls end a run long before
_AT_ONCE = 16
_NODES: dict[str, Node] = {
    "act": act.act,
    "register": register.register,
    "look_up": look_up.look_up,
    "call": call.call,
    "observe": act.observe,
    "finish": finish.finish,
}


class State(SolverState, SolverInput):
    """The whole state is the slice of its nodes, and what they begin with."""


class HandedState(SolverState, Handed):
    """The same with what a graph around it hands over."""


def build(
    *, checkpointer: Checkpointer = None, **bound: Unpack[Resources]
) -> CompiledStateGraph[State, ReactContext, SolverInput, ReactResult]:
    """The graph, bound to the model, catalogue and callers given; what is left out comes from the `ReactContext`.

    `graph.invoke({"query": text})` gives a `ReactResult`: answer, status (`solved`, `partial`, `failed`), reason,
    calls, usage by role, which API was registered from which turn to which, and how that number grew. `candidates` in
    the input are the only APIs to use, `earlier` is a conversation to go on with.

    With a checkpointer and a thread a run can be stopped and gone on with, and `approval` waits for the user before a
    call.

    Raises:
        TypeError: what is bound is no resource of its kind.
        InputError: a setting is none of `ReactContext`, or a model is bound for a role that is called otherwise. When
            the graph is invoked: the query is empty, a candidate is not in the catalogue, the budget is too small for
            the first question, or a call needs approval and there is no checkpointer to wait on.
    """
    check_bound(bound)
    bound["context"] = within(ReactContext, bound.get("context") or ReactContext())
    graph = StateGraph(State, context_schema=ReactContext, input_schema=SolverInput, output_schema=ReactResult)
    nodes = {"begin": begin.begin, **_NODES}
    for name, role in nodes.items():
        graph.add_node(name, node(role, bound))
    _connect(graph)
    return bounded(graph.compile(checkpointer=checkpointer, name="react"), steps=_STEPS_ENOUGH, at_once=_AT_ONCE)


def build_solver(**bound: Unpack[Resources]) -> CompiledStateGraph[HandedState, Any, Handed, SolverResult]:
    """The same as the CoT solver of another graph (AnyTool, 4.2).

    It takes what `Handed` says, and gives a `SolverResult`. Its settings are those of the same names of the graph
    around it, else the defaults of `ReactContext`.
    """
    graph = StateGraph(HandedState, input_schema=Handed, output_schema=SolverResult)
    nodes = {"begin": begin.begin_handed, **_NODES}
    for name, role in nodes.items():
        graph.add_node(name, node(embedded(role, ReactContext), bound))
    _connect(graph)
    return graph.compile(name="react")


def _connect(graph: StateGraph[Any, Any, Any, Any]) -> None:
    """Add every edge."""
    graph.add_edge(START, "begin")
    graph.add_conditional_edges("begin", route(begin.after_begin), {"APIs found": "act", "no API fits": "finish"})
    graph.add_conditional_edges(
        "act",
        route(act.after_act),
        {
            "registers": "register",
            "looks up": "look_up",
            "calls": "call",
            "no call is left": "observe",
            "says nothing": "act",
            "ends": "finish",
        },
    )
    for served in ("register", "look_up", "call"):
        graph.add_edge(served, "observe")
    graph.add_conditional_edges(
        "observe", route(act.after_observe), {"next turn": "act", "the steps are used up": "finish"}
    )
    graph.add_edge("finish", END)


graph = build()
