"""Smurfs: plan, then solve each subtask depth first, going back by rule (Smurfs, 3.3 and 3.4).

The planner splits the request. For each subtask the executor thinks, chooses a tool, fills its arguments and calls it;
the answer agent digests the response; the verifier says whether the subtask is done, or what is missing. A tool that
fails leaves the list of its step. When the list is empty, the run goes back to the step before.
"""

from __future__ import annotations

from typing import Unpack

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from toolquiver.contexts import SmurfsContext, within
from toolquiver.nodes.bound import check_bound
from toolquiver.nodes.bridge import node, route
from toolquiver.nodes.compiled import bounded
from toolquiver.nodes.run import Resources
from toolquiver.nodes.smurfs import answer, call, check, execute, plan, retrieve, rollback, verify
from toolquiver.nodes.smurfs.state import SmurfsResult, SmurfsState
from toolquiver.nodes.state import Query

_STEPS_ENOUGH = 10_000  # supersteps; the limits of steps and calls end a run long before
_AT_ONCE = 64


class State(SmurfsState):
    """The whole state is the slices of its nodes."""


def build(
    *, checkpointer: Checkpointer = None, **bound: Unpack[Resources]
) -> CompiledStateGraph[State, SmurfsContext, Query, SmurfsResult]:
    """The graph, bound to the model, catalogue and callers given; what is left out comes from the `SmurfsContext`.

    `graph.invoke({"query": text})` gives a `SmurfsResult`: answer, status (`solved`, `partial`, `failed`), reason,
    subtasks, calls, what is missing, and usage by role. `candidates` in the input are the only APIs to use.

    With a checkpointer and a thread a run can be stopped and gone on with, and `approval` waits for the user before a
    call.

    Raises:
        TypeError: what is bound is no resource of its kind.
        InputError: a setting is none of `SmurfsContext`, or a model is bound for a role that is called otherwise. When
            the graph is invoked: the query is empty, a candidate is not in the catalogue, the budget is too small for
            the first question, or a call needs approval and there is no checkpointer to wait on.
    """
    check_bound(bound)
    bound["context"] = within(SmurfsContext, bound.get("context") or SmurfsContext())
    graph = StateGraph(State, context_schema=SmurfsContext, input_schema=Query, output_schema=SmurfsResult)
    for role in (
        plan.plan,
        check.check,
        check.reply,
        retrieve.retrieve,
        execute.think,
        execute.choose,
        execute.fill,
        call.call,
        rollback.rollback,
        rollback.step_back,
        answer.answer,
        verify.verify,
        verify.advance,
        answer.conclude,
        verify.record,
        answer.compose,
    ):
        graph.add_node(role.__name__, node(role, bound))

    graph.add_edge(START, "plan")
    graph.add_edge("plan", "check")
    graph.add_conditional_edges(
        "check", route(check.after_check), {"needs a tool": "retrieve", "needs no tool": "reply"}
    )
    graph.add_conditional_edges(
        "reply", route(check.after_reply), {"answered directly": "record", "needs a tool after all": "retrieve"}
    )
    graph.add_conditional_edges(
        "retrieve", route(retrieve.after_retrieve), {"tools found": "think", "no tool found": "conclude"}
    )
    graph.add_edge("think", "choose")
    graph.add_conditional_edges(
        "choose",
        route(execute.after_choose),
        {"chosen": "fill", "none of these": "step_back", "no valid choice": "conclude"},
    )
    graph.add_conditional_edges(
        "fill",
        route(execute.after_fill),
        {"complete": "call", "cannot fill": "rollback", "out of budget": "conclude"},
    )
    graph.add_conditional_edges("call", route(call.after_call), {"answered": "answer", "failed": "rollback"})
    graph.add_conditional_edges(
        "rollback",
        route(rollback.after_rollback),
        {"choose again": "think", "no tool left": "step_back", "at the limit": "conclude"},
    )
    graph.add_conditional_edges(
        "step_back",
        route(rollback.after_step_back),
        {"choose again": "think", "no tool left": "step_back", "nothing left": "conclude"},
    )
    graph.add_edge("answer", "verify")
    graph.add_conditional_edges(
        "verify",
        route(verify.after_verify),
        {"subtask done": "record", "not yet": "advance", "at the limit": "conclude"},
    )
    graph.add_edge("advance", "think")
    graph.add_edge("conclude", "record")
    graph.add_conditional_edges("record", route(verify.after_record), {"next subtask": "check", "all done": "compose"})
    graph.add_edge("compose", END)
    compiled = graph.compile(checkpointer=checkpointer, name="smurfs")
    return bounded(compiled, steps=_STEPS_ENOUGH, at_once=_AT_ONCE)


graph = build()
