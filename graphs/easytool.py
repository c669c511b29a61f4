"""EasyTool: a tool's documentation into a short, uniform instruction that is checked and proven (easytool.txt, 4).

The document is described in parts that fit the context; then each function gets a guideline with an example. Code
checks it against the schema, a call proves it where one may be made, and what does not hold is written anew, or left
out.
"""

from __future__ import annotations

from typing import Unpack

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from toolquiver.context import Context
from toolquiver.contexts import CALLING, DOCUMENTED, form_of
from toolquiver.nodes.bridge import node, route
from toolquiver.nodes.documents import (
    check_guideline,
    describe_tool,
    join_parts,
    keep_guideline,
    open_document,
    repair_guideline,
    store_instruction,
    try_example,
    write_guideline,
)
from toolquiver.nodes.documents.documenting import Document, EasyToolResult, EasyToolState
from toolquiver.nodes.run import Resources


class State(EasyToolState):
    """The whole state is the slices of its nodes."""


def build(
    *, checkpointer: Checkpointer = None, **bound: Unpack[Resources]
) -> CompiledStateGraph[State, Context, Document, EasyToolResult]:
    """The graph, bound to the model, catalogue and callers given; what is left out comes from the `Context`.

    `graph.invoke({"category": name, "tool": name})` writes the tool's instruction into the catalogue and gives an
    `EasyToolResult`: the purpose, the functions with what speaks for their examples, the instruction as text, its
    tokens beside those of the documentation, and usage by role. `apis` in the input are the only ones to write about;
    `whole` is False where what the tool is for stays as it is, and of `tries` the stored examples are called, unasked.

    With a checkpointer and a thread a run can be stopped and gone on with, and `approval` waits for the user before
    the call of an example.

    Raises:
        TypeError: what is bound is no resource of its kind.
        InputError: a model is bound for a role that is called otherwise. When the graph is invoked: the catalogue has
            no such tool, the tool none of the functions named, the budget is too small for the first question, or a
            call needs approval and there is no checkpointer to wait on.
    """
    graph = StateGraph(
        State, context_schema=form_of(Context, CALLING, DOCUMENTED), input_schema=Document, output_schema=EasyToolResult
    )
    for role in (
        open_document.open_document,
        describe_tool.describe_tool,
        join_parts.join_parts,
        write_guideline.write_guideline,
        check_guideline.check_guideline,
        try_example.try_example,
        repair_guideline.repair_guideline,
        keep_guideline.keep_guideline,
        store_instruction.store_instruction,
    ):
        graph.add_node(role.__name__, node(role, bound))
    graph.add_edge(START, "open_document")
    graph.add_edge("open_document", "describe_tool")
    graph.add_conditional_edges(
        "describe_tool",
        route(describe_tool.after_describe_tool),
        {
            "another part": "describe_tool",
            "in several parts": "join_parts",
            "described": "write_guideline",
            "no function": "store_instruction",
        },
    )
    graph.add_conditional_edges(
        "join_parts",
        route(join_parts.after_join),
        {"described": "write_guideline", "no function": "store_instruction"},
    )
    graph.add_edge("write_guideline", "check_guideline")
    graph.add_conditional_edges(
        "check_guideline",
        route(check_guideline.after_check),
        {"can be run": "try_example", "does not hold": "repair_guideline", "settled": "keep_guideline"},
    )
    graph.add_conditional_edges(
        "try_example",
        route(try_example.after_try),
        {"failed": "repair_guideline", "settled": "keep_guideline"},
    )
    graph.add_conditional_edges(
        "repair_guideline",
        route(repair_guideline.after_repair),
        {"written anew": "check_guideline", "settled": "keep_guideline"},
    )
    graph.add_conditional_edges(
        "keep_guideline",
        route(keep_guideline.after_keep),
        {"next function": "write_guideline", "all written": "store_instruction"},
    )
    graph.add_edge("store_instruction", END)
    return graph.compile(checkpointer=checkpointer, name="easytool")


graph = build()
