"""EasyTool: a tool's documentation into a short, uniform instruction that is checked and proven (easytool.txt, 4).

The documentation is described; one that is too long, in parts. Then each function gets a guideline with an example.
Code checks the example against the schema, and a call proves it where one may be made. What does not hold is written
again, or left out.
"""

from __future__ import annotations

from typing import Unpack

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from toolquiver.contexts import EasyToolContext, within
from toolquiver.nodes.bound import check_bound
from toolquiver.nodes.bridge import node, route
from toolquiver.nodes.compiled import bounded
from toolquiver.nodes.easytool import describe, documents, guideline, prove, store
from toolquiver.nodes.easytool.state import Document, EasyToolResult, EasyToolState
from toolquiver.nodes.run import Resources

_STEPS_ENOUGH = 100_000  # supersteps; a tool may have thousands of functions
_AT_ONCE = 8


class State(EasyToolState):
    """The whole state is the slices of its nodes."""


def build(
    *, checkpointer: Checkpointer = None, **bound: Unpack[Resources]
) -> CompiledStateGraph[State, EasyToolContext, Document, EasyToolResult]:
    """The graph, bound to the model, catalogue and callers given; what is left out comes from the `EasyToolContext`.

    `graph.invoke({"category": name, "tool": name})` writes the tool's instruction into the catalogue and gives an
    `EasyToolResult`: the purpose, the functions with what speaks for their examples, the instruction as text, its
    tokens beside those of the documentation, and usage by role. `apis` in the input are the only ones to write about;
    `whole` is False where what the tool is for stays as it is, and of `tries` the stored examples are called, unasked.

    With a checkpointer and a thread a run can be stopped and gone on with, and `approval` waits for the user before
    the call of an example.

    Raises:
        TypeError: what is bound is no resource of its kind.
        InputError: a setting is none of `EasyToolContext`, or a model is bound for a role that is called otherwise.
            When the graph is invoked: the catalogue has no such tool, the tool none of the functions named, the budget
            is too small for the first question, or a call needs approval and there is no checkpointer to wait on.
    """
    check_bound(bound)
    bound["context"] = within(EasyToolContext, bound.get("context") or EasyToolContext())
    graph = StateGraph(State, context_schema=EasyToolContext, input_schema=Document, output_schema=EasyToolResult)
    for role in (
        documents.open_document,
        describe.describe_tool,
        describe.join_parts,
        guideline.write_guideline,
        guideline.check_guideline,
        prove.try_example,
        guideline.repair_guideline,
        store.keep_guideline,
        store.store_instruction,
    ):
        graph.add_node(role.__name__, node(role, bound))
    graph.add_edge(START, "open_document")
    graph.add_edge("open_document", "describe_tool")
    graph.add_conditional_edges(
        "describe_tool",
        route(describe.after_describe_tool),
        {
            "another part": "describe_tool",
            "in several parts": "join_parts",
            "described": "write_guideline",
            "no function": "store_instruction",
        },
    )
    graph.add_conditional_edges(
        "join_parts",
        route(describe.after_join),
        {"described": "write_guideline", "no function": "store_instruction"},
    )
    graph.add_edge("write_guideline", "check_guideline")
    graph.add_conditional_edges(
        "check_guideline",
        route(guideline.after_check),
        {"can be called": "try_example", "does not hold": "repair_guideline", "settled": "keep_guideline"},
    )
    graph.add_conditional_edges(
        "try_example", route(prove.after_try), {"failed": "repair_guideline", "settled": "keep_guideline"}
    )
    graph.add_conditional_edges(
        "repair_guideline",
        route(guideline.after_repair),
        {"written again": "check_guideline", "settled": "keep_guideline"},
    )
    graph.add_conditional_edges(
        "keep_guideline",
        route(store.after_keep),
        {"next function": "write_guideline", "all written": "store_instruction"},
    )
    graph.add_edge("store_instruction", END)
    return bounded(graph.compile(checkpointer=checkpointer, name="easytool"), steps=_STEPS_ENOUGH, at_once=_AT_ONCE)


graph = build()
