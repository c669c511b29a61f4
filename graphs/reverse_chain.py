"""Reverse Chain: from the API that does the task backwards to calls that can run (Reverse Chain, 2).

The API that does the task is selected. All its required arguments are completed in one decision: by a value of the
request, by another API whose output is the value, or by nobody. For an API a frame is pushed, and completed in the same
way. What nobody gives is asked of the user, last. Then the calls are made, the deepest first, and each value is taken
out of an output by its path. The order is a rule, never the model's choice.
"""

from __future__ import annotations

from typing import Unpack

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from toolquiver.contexts import ReverseChainContext, within
from toolquiver.nodes.bound import check_bound
from toolquiver.nodes.bridge import node, route
from toolquiver.nodes.compiled import bounded
from toolquiver.nodes.reverse_chain import answer, ask_user, call, complete, select_api
from toolquiver.nodes.reverse_chain.state import Asked, ReverseChainResult, ReverseChainState
from toolquiver.nodes.run import Resources

_STEPS_ENOUGH = 10_000  # supersteps; the limits of depth and calls end a run long before


class State(ReverseChainState):
    """The whole state is the slice of its nodes."""


def build(
    *, checkpointer: Checkpointer = None, **bound: Unpack[Resources]
) -> CompiledStateGraph[State, ReverseChainContext, Asked, ReverseChainResult]:
    """The graph, bound to the model, catalogue and callers given; the rest comes from the `ReverseChainContext`.

    `graph.invoke({"query": text})` gives a `ReverseChainResult`: answer, status (`solved`, `partial`, `failed`),
    reason, subtasks (the tasks), calls, usage by role, `plan` (a nested call a task), `tree`, `unfilled` (what only the
    user can give). With `plan_only` nothing is called, and the plan is the answer. `conversation` in the input is what
    was said before. With a checkpointer and a thread the run stops to ask the user for what is missing: see
    `nodes.asking.reply_of_user`.

    Raises:
        TypeError: what is bound is no resource of its kind.
        InputError: a setting is none of `ReverseChainContext`, or a model is bound for a role that is called otherwise.
            When the graph is invoked: the query is empty, a candidate is not in the catalogue, the conversation is no
            list of texts or messages, the budget is too small for the first question, or a call needs approval and
            there is no checkpointer to wait on.
    """
    check_bound(bound)
    bound["context"] = within(ReverseChainContext, bound.get("context") or ReverseChainContext())
    graph = StateGraph(State, context_schema=ReverseChainContext, input_schema=Asked, output_schema=ReverseChainResult)
    for role in (
        select_api.begin,
        select_api.select_api,
        select_api.search_again,
        complete.complete_arguments,
        complete.push,
        ask_user.ask_user,
        call.call,
        call.take_output,
        answer.answer,
        answer.show_plan,
    ):
        graph.add_node(role.__name__, node(role, bound))
    graph.add_edge(START, "begin")
    graph.add_edge("begin", "select_api")
    graph.add_conditional_edges(
        "select_api",
        route(select_api.after_select),
        {
            "selected": "complete_arguments",
            "search again": "search_again",
            "no API fits": "answer",
            "nothing to plan": "show_plan",
        },
    )
    graph.add_edge("search_again", "select_api")
    graph.add_conditional_edges(
        "complete_arguments",
        route(complete.after_complete),
        {
            "more to complete": "complete_arguments",
            "an API gives it": "push",
            "only the user knows": "ask_user",
            "complete": "call",
            "planned only": "show_plan",
            "the budget is spent": "answer",
        },
    )
    graph.add_edge("push", "complete_arguments")
    graph.add_conditional_edges(
        "ask_user", route(ask_user.after_ask), {"it goes on": "call", "asks again": "ask_user", "not given": "answer"}
    )
    graph.add_conditional_edges(
        "call",
        route(call.after_call),
        {"it gives an argument": "take_output", "the next call": "call", "all are made": "answer"},
    )
    graph.add_conditional_edges(
        "take_output", route(call.after_take), {"taken": "call", "not in there": "complete_arguments"}
    )
    graph.add_edge("answer", END)
    graph.add_edge("show_plan", END)
    compiled = graph.compile(checkpointer=checkpointer, name="reverse_chain")
    return bounded(compiled, steps=_STEPS_ENOUGH, at_once=1)


graph = build()
