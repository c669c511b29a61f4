"""`toolquiver plan`: which calls would answer a request, without making any."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.tree import Tree

from toolquiver.catalog.named import load_catalog
from toolquiver.cli.other_settings import SetOption, other_settings
from toolquiver.cli.plain import harmless, plain
from toolquiver.cli.running import answered
from toolquiver.cli.tree_file import check_tree, draw_tree
from toolquiver.errors import InputError
from toolquiver.evaluation.systems.settings import context_with
from toolquiver.graphs import graph_module
from toolquiver.models import load_model
from toolquiver.models.load import LOCAL

_GRAPH = "reverse_chain"
_DEEPEST = 10  # levels that are drawn into each other: each moves its lines to the right
_OPTIONS = {
    "model": "--model",
    "catalog": "--catalog",
    "token_budget": "--budget",
    "top_k": "--top-k",
    "plan_only": "toolquiver plan",
    "ask": "toolquiver ask",
}
"""Settings that have an option, or a command, of their own."""


def plan(
    question: Annotated[str, typer.Argument(help="What you want to know, or to have done.")],
    *,
    model: Annotated[str, typer.Option(help="'local', or 'provider:model' as LangChain names it.")] = LOCAL,
    catalog: Annotated[str, typer.Option(help="'demo', or the path of a catalogue file.")] = "demo",
    budget: Annotated[int, typer.Option(help="Hard limit of tokens for the question.")] = 200_000,
    top_k: Annotated[int, typer.Option(help="Candidate APIs a subtask.")] = 10,
    tree: Annotated[Path | None, typer.Option("--tree", help="Draw the plan as a tree into this SVG.")] = None,
    setting: SetOption = None,
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
    own: dict[str, Any] = {"model": model, "token_budget": budget, "top_k": top_k, "plan_only": True, "ask": False}
    context = replace(context_with(other_settings(setting, _OPTIONS), module.graph.context_schema), **own)
    bound = {"model": load_model(model), "catalog": load_catalog(catalog)}
    result = asyncio.run(answered(module, bound, question, context))
    if as_json:
        print(json.dumps({key: result[key] for key in ("plan", "tree", "unfilled", "status", "reason")}))
    else:
        _show(result)
    if tree is not None:
        draw_tree(tree, result, question)
    if result["status"] != "solved":
        raise typer.Exit(1)


def _show(result: dict[str, Any]) -> None:
    console = Console()
    for text in result["plan"]:
        print(harmless(text))  # whole on its line, to be copied
    if len(result["tree"]) > 1:
        for part in _drawn(result["tree"]):
            console.print(part)
    if result["reason"]:
        console.print(plain(result["reason"], "yellow" if result["status"] != "solved" else ""))


def _drawn(nodes: list[dict[str, Any]]) -> list[Tree]:
    """The plan as a tree of lines, each call below the one that takes its output.

    What is too deep for a line goes on in a tree of its own, under the number that its call has.
    """
    root, *rest = nodes
    trees = [Tree(plain(root["thought"], "bold"))]
    branches, depths, texts = {root["id"]: trees[0]}, {root["id"]: 0}, {root["id"]: root["thought"]}
    for node in rest:  # a call follows the one that takes its output
        above = node["parent"]
        if depths[above] == _DEEPEST:
            mark = f"({len(trees)})"
            branches[above].label = plain(f"{texts[above]} {mark}")
            branches[above], depths[above] = Tree(plain(f"{mark} {texts[above]}", "bold")), 0
            trees.append(branches[above])
        texts[node["id"]] = (f"{node['label']} = " if node["label"] else "") + node["calls"][0]
        branches[node["id"]] = branches[above].add(plain(texts[node["id"]]))
        depths[node["id"]] = depths[above] + 1
    return trees
