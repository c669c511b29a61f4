"""DFSDT: a depth-first search over turns, which goes back by rule and tries another way (anytool.txt, 4.2).

Each turn of the model is a node of a tree: a thought, calls, what came of them. After a turn without a good result, or
when the model gives a way up, the search goes two levels up and tries again from there, told what was tried.
Registration on demand works as in `react` (ecoact.txt, 2.2).
"""

from __future__ import annotations

from typing import Any, Unpack

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from toolquiver.contexts import DfsdtContext, within
from toolquiver.nodes.bound import check_bound
from toolquiver.nodes.bridge import Node, node, route
from toolquiver.nodes.compiled import bounded
from toolquiver.nodes.run import Resources
from toolquiver.nodes.solver import begin, call, explore, finish, grow, look_up, register
from toolquiver.nodes.solver.embedded import embedded
from toolquiver.nodes.solver.state import DfsdtState
from toolquiver.nodes.solver_io import DfsdtHandedBack, DfsdtResult, Handed, SolverInput

_STEPS_ENOUGH = 10_000  # supersteps; the limits of the tree and of calls end a run long before
_AT_ONCE = 16
_NODES: dict[str, Node] = {
    "explore": explore.explore,
    "register": register.register,
    "look_up": look_up.look_up,
    "call": call.call,
    "grow": grow.grow,
    "back_up": grow.back_up,
    "finish": finish.finish_search,
}


class State(DfsdtState, SolverInput):
    """The whole state is the slice of its nodes, and what they begin with."""


class HandedState(DfsdtState, Handed):
    """The same with what a graph around it hands over."""


def build(
    *, checkpointer: Checkpointer = None, **bound: Unpack[Resources]
) -> CompiledStateGraph[State, DfsdtContext, SolverInput, DfsdtResult]:
    """The graph, bound to the model, catalogue and callers given; what is left out comes from the `DfsdtContext`.

    `graph.invoke({"query": text})` gives a `DfsdtResult`: answer, status (`solved`, `partial`, `failed`), reason,
    calls, usage by role, the tree, and `given_up` with the reason and the APIs that failed, if the model gave up.
    `candidates` in the input are the only APIs to use, `earlier` is a conversation to go on with.

    With a checkpointer and a thread a run can be stopped and gone on with, and `approval` waits for the user before a
    call.

    Raises:
        TypeError: what is bound is no resource of its kind.
        InputError: a setting is none of `DfsdtContext`, or a model is bound for a role that is called otherwise. When
            the graph is invoked: the query is empty, a candidate is not in the catalogue, the budget is too small for
            the first question, or a call needs approval and there is no checkpointer to wait on.
    """
    check_bound(bound)
    bound["context"] = within(DfsdtContext, bound.get("context") or DfsdtContext())
    graph = StateGraph(State, context_schema=DfsdtContext, input_schema=SolverInput, output_schema=DfsdtResult)
    nodes = {"begin": begin.begin_search, **_NODES}
    for name, role in nodes.items():
        graph.add_node(name, node(role, bound))
    _connect(graph)
    return bounded(graph.compile(checkpointer=checkpointer, name="dfsdt"), steps=_STEPS_ENOUGH, at_once=_AT_ONCE)


def build_solver(**bound: Unpack[Resources]) -> CompiledStateGraph[HandedState, Any, Handed, DfsdtHandedBack]:
    """The same as the solver of another graph (AnyTool, 4.2).

    It takes what `Handed` says, and gives a `DfsdtHandedBack`. Its settings are those of the same names of the graph
    around it, else the defaults of `DfsdtContext`.
    """
    graph = StateGraph(HandedState, input_schema=Handed, output_schema=DfsdtHandedBack)
    nodes = {"begin": begin.begin_handed_search, **_NODES}
    for name, role in nodes.items():
        graph.add_node(name, node(embedded(role, DfsdtContext), bound))
    _connect(graph)
    return graph.compile(name="dfsdt")


def _connect(graph: StateGraph[Any, Any, Any, Any]) -> None:
    """Add every edge."""
    graph.add_edge(START, "begin")
    graph.add_conditional_edges("begin", route(begin.after_begin), {"APIs found": "explore", "no API fits": "finish"})
    graph.add_conditional_edges(
        "explore",
        route(explore.after_explore),
        {
            "registers": "register",
            "looks up": "look_up",
            "calls": "call",
            "no call is left": "grow",
            "says nothing": "explore",
            "goes back": "back_up",
            "ends": "finish",
        },
    )
    for served in ("register", "look_up", "call"):
        graph.add_edge(served, "grow")
    graph.add_conditional_edges("grow", route(grow.after_grow), {"goes deeper": "explore", "goes back": "back_up"})
    graph.add_conditional_edges("back_up", route(grow.after_back_up), {"tries again": "explore", "all tried": "finish"})
    graph.add_edge("finish", END)


graph = build()
