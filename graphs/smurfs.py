"""Smurfs: plan, then solve each subtask, rolling back by rule (Smurfs, 3.3 and 3.4).

The planner splits the query. For each subtask the executor thinks, chooses a tool, fills its arguments and calls
it; the answer agent digests the response; the verifier says whether the subtask is done, or what is missing. A
failed call drops its API from the list of this step, and steps back when no API is left.
"""

from __future__ import annotations

from typing import Any, Unpack

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from toolquiver.context import Context
from toolquiver.contexts import CALLING, EXECUTED, FOUND, PLANNED, REGISTERED, form_of
from toolquiver.nodes.answering import answer, compose, conclude
from toolquiver.nodes.bridge import Node, node, route
from toolquiver.nodes.executor import (
    calculate,
    call,
    check,
    choose,
    fill,
    look_up,
    plan,
    read,
    record,
    retrieve,
    rollback,
    think,
    verify,
)
from toolquiver.nodes.run import Resources
from toolquiver.nodes.state import ExecutorState, Query, RegisteredResult


class State(ExecutorState):
    """The whole state is the slices of its nodes."""


def build(
    *, checkpointer: Checkpointer = None, **bound: Unpack[Resources]
) -> CompiledStateGraph[State, Context, Query, RegisteredResult]:
    """The graph, bound to the model, catalogue and callers given; what is left out comes from the `Context`.

    `graph.invoke({"query": text})` gives a `RegisteredResult`: answer, status (`solved`, `partial`, `failed`), reason,
    subtasks, calls, usage by role, and with registration on demand, between which calls each tool was shown in full.

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
        context_schema=form_of(Context, CALLING, FOUND, REGISTERED, PLANNED, EXECUTED),
        input_schema=Query,
        output_schema=RegisteredResult,
    )
    for role in (check.check, check.reply):
        graph.add_node(role.__name__, node(role, bound))
    add_executor(graph, bound, choose_node=choose.choose, fill_node=fill.fill)
    graph.add_edge(START, "check")
    graph.add_conditional_edges("check", route(check.after_check), {"needs tools": "plan", "needs none": "reply"})
    graph.add_edge("reply", END)
    graph.add_edge("choose", "fill")
    graph.add_conditional_edges(
        "fill",
        route(fill.after_fill),
        {
            "complete": "call",
            "cannot fill": "rollback",
            "to be looked up": "look_up",
            "answered already": "record",
            "out of budget": "conclude",
        },
    )
    graph.add_edge("compose", END)
    return graph.compile(checkpointer=checkpointer, name="smurfs")


def add_executor(
    graph: StateGraph[Any, Any, Any, Any],
    bound: Resources,
    *,
    choose_node: Node,
    fill_node: Node,
    verify_node: Node = verify.verify,
    part: str = "",
) -> None:
    """Add all from the planner to the composed answer.

    `choose_node`, `fill_node` and `verify_node` are the nodes `choose`, `fill` and `verify`, `part` names the frame of
    the picture that all are drawn in. The caller adds the edges into `plan` and out of `compose`, `choose` and `fill`.
    """
    framed = {"part": part} if part else None
    roles = {
        "plan": plan.plan,
        "retrieve": retrieve.retrieve,
        "calculate": calculate.calculate,
        "read": read.read,
        "think": think.think,
        "choose": choose_node,
        "fill": fill_node,
        "look_up": look_up.look_up,
        "call": call.call,
        "rollback": rollback.rollback,
        "answer": answer.answer,
        "verify": verify_node,
        "advance": verify.advance,
        "conclude": conclude.conclude,
        "record": record.record,
        "compose": compose.compose,
    }
    for name, role in roles.items():
        graph.add_node(name, node(role, bound), metadata=framed)
    graph.add_edge("plan", "retrieve")
    graph.add_conditional_edges(
        "retrieve",
        route(retrieve.after_retrieve),
        {
            "tools found": "think",
            "tools that only compute": "calculate",
            "tools that tell of names": "read",
            "no tool fits": "conclude",
        },
    )
    graph.add_conditional_edges(
        "calculate",
        route(calculate.after_calculate),
        {"to be computed": "call", "no formula": "think", "out of budget": "conclude"},
    )
    graph.add_conditional_edges(
        "read",
        route(read.after_read),
        {"to be read": "call", "read enough": "answer", "no page": "think", "out of budget": "conclude"},
    )
    graph.add_edge("think", "choose")
    graph.add_conditional_edges(
        "look_up",
        route(look_up.after_look_up),
        {"looked up first": "retrieve", "cannot fill": "rollback", "out of budget": "conclude"},
    )
    graph.add_conditional_edges(
        "call",
        route(call.after_call),
        {
            "answered": "answer",
            "more to compute": "calculate",
            "a page": "read",
            "without its guess": "call",
            "failed": "rollback",
        },
    )
    graph.add_conditional_edges(
        "rollback", route(rollback.after_rollback), {"choose again": "think", "give up": "conclude"}
    )
    graph.add_edge("answer", "verify")
    graph.add_conditional_edges(
        "verify",
        route(verify.after_verify),
        {"subtask done": "record", "not yet": "advance", "at the limit": "conclude"},
    )
    graph.add_edge("advance", "think")
    graph.add_edge("conclude", "record")
    graph.add_conditional_edges(
        "record", route(record.after_record), {"all done": "compose", "next subtask": "retrieve"}
    )


graph = build()
