"""Judge: is a query solvable, is it solved, which of two answers is better? (AnyTool, 3.2; the win rate of ToolLLM.)

What is given says what is asked: candidates alone, an answer with the calls made for it, or two answers. A verdict is
made of several votes, each of which may come from another model; two answers are compared in both orders.
"""

from __future__ import annotations

from typing import Unpack

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from toolquiver.contexts import JudgeContext, within
from toolquiver.nodes.bound import check_bound
from toolquiver.nodes.bridge import node, route
from toolquiver.nodes.judge import case, prefer, verdict
from toolquiver.nodes.judge.case import Case, JudgeState, Ruling
from toolquiver.nodes.run import Resources


class State(JudgeState):
    """The whole state is the slices of its nodes."""


def build(
    *, checkpointer: Checkpointer = None, **bound: Unpack[Resources]
) -> CompiledStateGraph[State, JudgeContext, Case, Ruling]:
    """The graph, bound to the model and catalogue given; what is left out comes from the `JudgeContext`.

    `graph.invoke({"query": text, "answer": text})` gives a `Ruling`: the verdict (`solved`, `unsolved`, `unsure`), its
    reason, the votes, whether the answer has `passed`, and the usage by role. Give the `calls` made for the answer with
    what they returned (`text`), so that the judge sees it. With `other` the verdict is `first`, `second` or `tie`. With
    `candidates` and no answer it is `solvable`, `unsolvable` or `unsure`; only then a catalogue is needed.

    With a checkpointer and a thread a run can be stopped and gone on with.

    Raises:
        TypeError: what is bound is no resource of its kind.
        InputError: a setting is none of `JudgeContext`, or a model is bound for a role that is called otherwise. When
            the graph is invoked: the query is empty, a candidate is not in the catalogue, there is nothing to judge,
            or the budget is too small for the first question.
    """
    check_bound(bound)
    bound["context"] = within(JudgeContext, bound.get("context") or JudgeContext())
    graph = StateGraph(State, context_schema=JudgeContext, input_schema=Case, output_schema=Ruling)
    for role in (case.case, case.solvable, verdict.judge, prefer.prefer):
        graph.add_node(role.__name__, node(role, bound, needs_catalog=case.has_candidates))
    graph.add_edge(START, "case")
    graph.add_conditional_edges(
        "case",
        route(case.after_case),
        {"tools given": "solvable", "answer given": "judge", "two answers given": "prefer"},
    )
    for asked in ("solvable", "judge", "prefer"):
        graph.add_edge(asked, END)
    return graph.compile(checkpointer=checkpointer, name="judge")


graph = build()
