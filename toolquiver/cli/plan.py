"""`toolquiver plan`: which calls would answer a request, without making any."""

import asyncio
import json
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.tree import Tree

from toolquiver.catalog.named import load_catalog
from toolquiver.cli.plain import harmless, plain
from toolquiver.cli.running import answered
from toolquiver.cli.tree_file import TreeOption, check_tree, draw_tree
from toolquiver.context import Context
from toolquiver.errors import InputError
from toolquiver.graphs import graph_module
from toolquiver.models import load_model
from toolquiver.models.load import LOCAL

_GRAPH = "reverse_chain"


def plan(
    question: Annotated[str, typer.Argument(help="What you want to know, or to have done.")],
    *,
    model: Annotated[str, typer.Option(help="'local', or 'provider:model' as LangChain names it.")] = LOCAL,
    catalog: Annotated[str, typer.Option(help="'demo', or the path of a catalogue file.")] = "demo",
    budget: Annotated[int, typer.Option(help="Hard limit of tokens for the question.")] = 200_000,
    top_k: Annotated[int, typer.Option(help="Candidate APIs a subtask.")] = 10,
    tree: TreeOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Plan backwards, from the API that does the task to what the request says, and call nothing.

    Prints the plan as nested calls, where `?` is what you would be asked for. Exit code 1: there is no whole plan.
    """
    if not question.strip():
        raise InputError("The question is empty. Ask something.")
    module = graph_module(_GRAPH)
    if tree is not None:
        check_tree(tree, _GRAPH, module)
    context = Context(model=model, token_budget=budget, top_k=top_k, plan_only=True, ask=False)
    bound = {"model": load_model(model), "catalog": load_catalog(catalog)}
    result = asyncio.run(answered(module, bound, question, context))
    if tree is not None:
        draw_tree(tree, result, question)
    if as_json:
        print(json.dumps({key: result[key] for key in ("plan", "tree", "unfilled", "status", "reason")}))
    else:
        _show(result)
    if result["status"] != "solved":
        raise typer.Exit(1)


def _show(result: dict[str, Any]) -> None:
    console = Console()
    for text in result["plan"]:
        print(harmless(text))  # whole on its line, to be copied
    if len(result["tree"]) > 1:
        console.print(_drawn(result["tree"]))
    if result["status"] != "solved":
        console.print(plain(result["reason"], "yellow"))


def _drawn(nodes: list[dict[str, Any]]) -> Tree:
    """The plan as a tree of lines, each call below the one that takes its output."""
    root, *rest = nodes
    branches = {root["id"]: Tree(plain(root["thought"], "bold"))}
    for node in rest:  # a call stands behind the one that takes its output
        label = f"{node['label']} = " if node["label"] else ""
        branches[node["id"]] = branches[node["parent"]].add(plain(label + node["calls"][0]))
    return branches[root["id"]]
