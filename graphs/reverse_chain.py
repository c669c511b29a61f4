"""Reverse Chain: from the API that does the task backwards to calls that can run (Reverse Chain, 2).

Each goal is written down as a nested call first; where nothing can be read of that, the API that does it is chosen.
Then all arguments of that API are completed in one decision, where the draft does not give them: by a value of the
request, by another API whose output is the value, or by nobody. For an API a frame is pushed, and completed in the same
way; what nobody gives is asked of the user. Then the calls are made, those first that others wait for. The order is a
rule, never the model's choice.
"""

from __future__ import annotations

from typing import Any, Unpack

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from toolquiver.context import Context
from toolquiver.contexts import ASKED, CALLING, CHAINED, FOUND, PLANNED, PLANS, form_of
from toolquiver.nodes.bridge import node, route
from toolquiver.nodes.chain import (
    ask_user,
    calls,
    chain_end,
    chain_fill,
    complete,
    draft,
    finish_goal,
    push,
    select_api,
    split,
    take_output,
)
from toolquiver.nodes.chain.chain_fill import ChainInput, ChainOutput, Filling
from toolquiver.nodes.chain.frames import Asked, ChainState, ReverseChainResult
from toolquiver.nodes.run import Resources


class State(ChainState):
    """The whole state is the slice of its nodes."""


def build(
    *, checkpointer: Checkpointer = None, **bound: Unpack[Resources]
) -> CompiledStateGraph[State, Context, Asked, ReverseChainResult]:
    """The graph, bound to the model, catalogue and callers given; what is left out comes from the `Context`.

    `graph.invoke({"query": text})` gives a `ReverseChainResult`: answer, status (`solved`, `partial`, `failed`),
    reason, subtasks (the goals), calls, usage by role, `plan` (a nested call a goal), `tree`, `unfilled` (what nothing
    gave). With `plan_only` nothing is called, and the plan is the answer. `conversation` in the input is what was said
    before. With a checkpointer and a thread the run stops to ask the user for what is missing: see
    `nodes.chain.ask_user`.

    Raises:
        TypeError: what is bound is no resource of its kind.
        InputError: a model is bound for a role that is called otherwise. When the graph is invoked: the query is
            empty, a candidate is not in the catalogue, the conversation is no list of texts or messages, the budget is
            too small for the first question, or a call needs approval and there is no checkpointer to wait on.
    """
    graph = StateGraph(
        State,
        context_schema=form_of(
            Context, CALLING, FOUND, CHAINED, ASKED, PLANS, PLANNED - {"max_calls"}, {"answerer", "solver_calls"}
        ),
        input_schema=Asked,
        output_schema=ReverseChainResult,
    )
    for role in (
        split.split,
        draft.draft,
        select_api.select_api,
        complete.complete_arguments,
        push.push,
        ask_user.ask_user,
        calls.call,
        take_output.take_output,
        finish_goal.finish_goal,
        chain_end.show_plan,
        chain_end.compose,
    ):
        graph.add_node(role.__name__, node(role, bound))
    graph.add_edge(START, "split")
    graph.add_edge("split", "draft")
    graph.add_conditional_edges(
        "draft", route(draft.after_draft), {"drafted": "complete_arguments", "to be selected": "select_api"}
    )
    graph.add_conditional_edges(
        "select_api", route(select_api.after_select), {"selected": "complete_arguments", "nothing fits": "finish_goal"}
    )
    graph.add_conditional_edges(
        "ask_user", route(ask_user.after_ask), {"given": "call", "asks again": "ask_user", "not given": "finish_goal"}
    )
    _add_chain(graph, missing="ask_user", again="select_api", over="finish_goal")
    graph.add_conditional_edges(
        "finish_goal",
        route(finish_goal.after_goal),
        {"next goal": "draft", "all done": "compose", "plan made": "show_plan"},
    )
    graph.add_edge("compose", END)
    graph.add_edge("show_plan", END)
    return graph.compile(checkpointer=checkpointer, name="reverse_chain")


def _add_chain(graph: StateGraph[Any, Context, Any, Any], *, missing: str, again: str, over: str) -> None:
    """Complete, push, call and take, with the nodes for what is missing, for another API, and for the end."""
    graph.add_conditional_edges(
        "complete_arguments",
        route(complete.after_complete),
        {
            "needs an API": "push",
            "one more to complete": "complete_arguments",
            "something is missing": missing,
            "nothing is missing": "call",
            "ends here": over,
        },
    )
    graph.add_edge("push", "complete_arguments")
    graph.add_edge("call", "take_output")
    graph.add_conditional_edges(
        "take_output",
        route(take_output.after_take),
        {
            "next calls": "call",
            "complete again": "complete_arguments",
            "select again": again,
            "goal over": over,
        },
    )


def build_fill(
    *, asks: bool = False, **bound: Unpack[Resources]
) -> CompiledStateGraph[Filling, Context, ChainInput, ChainOutput]:
    """The same chain for a tool that is chosen already, as a node of Smurfs: it hands back the tool's arguments.

    With `asks` the graph around it asks the user for what nothing gives, and enters it again with the answer.
    """
    graph = StateGraph(Filling, context_schema=Context, input_schema=ChainInput, output_schema=ChainOutput)
    graph.add_node("begin_fill", node(chain_fill.begin_fill_to_ask if asks else chain_fill.begin_fill, bound))
    for role in (
        complete.complete_arguments,
        push.push,
        calls.call,
        take_output.take_output,
    ):
        graph.add_node(role.__name__, node(role, bound))
    graph.add_node("end_fill", node(chain_fill.ask_or_end_fill if asks else chain_fill.end_fill, bound))
    graph.add_edge(START, "begin_fill")
    if asks:
        graph.add_conditional_edges(
            "begin_fill",
            route(chain_fill.after_begin_fill),
            {"what it needs": "complete_arguments", "the user has answered": "call"},
        )
    else:
        graph.add_edge("begin_fill", "complete_arguments")
    _add_chain(graph, missing="end_fill", again="end_fill", over="end_fill")
    graph.add_edge("end_fill", END)
    return graph.compile(name="chain")


graph = build()
