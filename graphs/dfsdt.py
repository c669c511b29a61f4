"""DFSDT: a depth-first search over turns, which goes back by rule and tries another way (anytool.txt, solver).

Each turn of the model is a node of a tree: a thought, calls, what came of them. After a failed call, or when the model
gives a way up, the search goes up and tries again from there, told what was tried. Registration on demand works as in
`react` (ecoact.txt, 3).
"""

from __future__ import annotations

from typing import Any, Unpack

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from toolquiver.context import Context
from toolquiver.contexts import SOLVED, SOUGHT, form_of
from toolquiver.nodes.bridge import Node, node, route
from toolquiver.nodes.dialogue import EmbeddedSolverInput, SolverInput
from toolquiver.nodes.run import Resources
from toolquiver.nodes.solver import explore, finish, gather, grow, perform, register
from toolquiver.nodes.solver.tree import DfsdtResult, DfsdtState


class State(DfsdtState):
    """The whole state is the slices of its nodes."""


def build(
    *, checkpointer: Checkpointer = None, **bound: Unpack[Resources]
) -> CompiledStateGraph[State, Context, SolverInput, DfsdtResult]:
    """The graph, bound to the model, catalogue and callers given; what is left out comes from the `Context`.

    `graph.invoke({"query": text})` gives a `DfsdtResult`: answer, status (`solved`, `partial`, `failed`), reason,
    calls, usage by role, the tree, and `given_up` with the reason and the APIs that failed, if the model gave up.

    With a checkpointer and a thread a run can be stopped and gone on with, and `approval` waits for the user before a
    call.

    Raises:
        TypeError: what is bound is no resource of its kind.
        InputError: a model is bound for a role that is called otherwise. When the graph is invoked: the query is
            empty, a candidate is not in the catalogue, the budget is too small for the first question, `plan_only` is
            set, or a call needs approval and there is no checkpointer to wait on.
    """
    graph = StateGraph(
        State, context_schema=form_of(Context, SOUGHT, SOLVED), input_schema=SolverInput, output_schema=DfsdtResult
    )
    _add_search(graph, bound, gather.gather, perform.perform)
    return graph.compile(checkpointer=checkpointer, name="dfsdt")


def build_solver(**bound: Unpack[Resources]) -> CompiledStateGraph[State, Context, EmbeddedSolverInput, DfsdtResult]:
    """The same as a solver in another graph, which calls nothing with values that it made up."""
    graph = StateGraph(State, context_schema=Context, input_schema=EmbeddedSolverInput, output_schema=DfsdtResult)
    _add_search(graph, bound, gather.gather_handed, perform.perform_grounded)
    return graph.compile(name="dfsdt")


def _add_search(graph: StateGraph[Any, Any, Any, Any], bound: Resources, begin: Node, call: Node) -> None:
    """Add the nodes and edges of a search that begins with `begin`, and whose calls are made with `call`."""
    roles: dict[str, Node] = {
        "gather": begin,
        "plant": grow.plant,
        "explore": explore.explore,
        "register": register.register,
        "perform": call,
        "grow": grow.grow,
        "back_up": grow.back_up,
        "finish": finish.finish,
    }
    for name, role in roles.items():
        graph.add_node(name, node(role, bound))
    graph.add_edge(START, "gather")
    graph.add_edge("gather", "plant")
    graph.add_conditional_edges(
        "plant", route(gather.after_gather), {"tools found": "explore", "no tool fits": "finish"}
    )
    graph.add_conditional_edges(
        "explore",
        route(explore.after_explore),
        {"registers": "register", "calls": "perform", "goes back": "back_up", "ends": "finish"},
    )
    for done in ("register", "perform"):
        graph.add_conditional_edges(
            done, route(grow.what_next), {"registers": "register", "calls": "perform", "turn done": "grow"}
        )
    graph.add_conditional_edges(
        "grow", route(grow.after_grow), {"goes on": "explore", "goes back": "back_up", "ends": "finish"}
    )
    graph.add_conditional_edges("back_up", route(grow.after_back_up), {"tries again": "explore", "ends": "finish"})
    graph.add_edge("finish", END)


graph = build()
