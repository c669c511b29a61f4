"""EasyTool's four stages: plan, retrieve, select, execute (easytool.txt, 3.1).

The request is split into subtasks with their dependencies. For each, search retrieves the K tools that are most like
it; one is selected by its description, and its arguments are written by its whole documentation. A call that fails
leads back to selection without its tool, up to R tries. Instructions, where the catalogue has them, are what tools are
retrieved and selected by.
"""

from __future__ import annotations

from typing import Unpack

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from toolquiver.contexts import PipelineContext, within
from toolquiver.nodes.bound import check_bound
from toolquiver.nodes.bridge import Node, node, route
from toolquiver.nodes.compiled import bounded
from toolquiver.nodes.easytool_pipeline import answer, execute, plan, select
from toolquiver.nodes.easytool_pipeline.state import PipelineResult, PipelineState
from toolquiver.nodes.run import Resources
from toolquiver.nodes.state import Query

_STEPS_ENOUGH = 10_000  # supersteps; the limits of subtasks and tries end a run long before
_AT_ONCE = 8


class State(PipelineState):
    """The whole state is the slices of its nodes."""


def build(
    *, checkpointer: Checkpointer = None, **bound: Unpack[Resources]
) -> CompiledStateGraph[State, PipelineContext, Query, PipelineResult]:
    """The graph, bound to the model, catalogue and callers given; what is left out comes from the `PipelineContext`.

    `graph.invoke({"query": text})` gives a `PipelineResult`: answer, status (`solved`, `partial`, `failed`), reason,
    subtasks, calls, what is missing, and usage by role. `candidates` in the input are the only APIs to use.

    With a checkpointer and a thread a run can be stopped and gone on with, and `approval` waits for the user before a
    call.

    Raises:
        TypeError: what is bound is no resource of its kind.
        InputError: a setting is none of `PipelineContext`, or a model is bound for a role that is called otherwise.
            When the graph is invoked: the query is empty, a candidate is not in the catalogue, the budget is too small
            for the first question, or a call needs approval and there is no checkpointer to wait on.
    """
    check_bound(bound)
    bound["context"] = within(PipelineContext, bound.get("context") or PipelineContext())
    graph = StateGraph(State, context_schema=PipelineContext, input_schema=Query, output_schema=PipelineResult)
    stages: dict[str, tuple[Node, ...]] = {
        "Task planning": (plan.plan,),
        "Tool retrieval": (plan.retrieve,),
        "Tool selection": (select.select, select.fill),
        "Tool execution": (execute.execute, execute.record, execute.give_up, execute.advance),
        "": (answer.answer,),
    }
    for stage, roles in stages.items():
        for role in roles:
            graph.add_node(role.__name__, node(role, bound), metadata={"part": stage} if stage else None)
    graph.add_edge(START, "plan")
    graph.add_conditional_edges(
        "plan", route(plan.after_plan), {"subtasks planned": "retrieve", "no tool is needed": "answer"}
    )
    graph.add_conditional_edges(
        "retrieve", route(plan.after_retrieve), {"tools found": "select", "no tool found": "give_up"}
    )
    graph.add_conditional_edges(
        "select", route(select.after_select), {"a tool is selected": "fill", "no tool is selected": "give_up"}
    )
    graph.add_conditional_edges(
        "fill",
        route(select.after_fill),
        {"filled": "execute", "select another tool": "select", "tries used up": "give_up"},
    )
    graph.add_conditional_edges(
        "execute",
        route(execute.after_execute),
        {"answered": "record", "select another tool": "select", "tries used up": "give_up"},
    )
    graph.add_edge("record", "advance")
    graph.add_edge("give_up", "advance")
    graph.add_conditional_edges(
        "advance", route(execute.after_advance), {"next subtask": "retrieve", "all done": "answer"}
    )
    graph.add_edge("answer", END)
    compiled = graph.compile(checkpointer=checkpointer, name="easytool_pipeline")
    return bounded(compiled, steps=_STEPS_ENOUGH, at_once=_AT_ONCE)


graph = build()
