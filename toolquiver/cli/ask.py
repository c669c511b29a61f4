"""`toolquiver ask`: a question in, the work in progress, the answer out."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from toolquiver.calling import Caller, callers_of
from toolquiver.catalog import Catalog
from toolquiver.catalog.langchain import PYTHON
from toolquiver.catalog.named import load_catalog
from toolquiver.cli.live import LiveView
from toolquiver.cli.plain import plain
from toolquiver.cli.recorded import replayed
from toolquiver.cli.registry import graph_module
from toolquiver.cli.tables import calls_table, pool_table, usage_table
from toolquiver.context import Context
from toolquiver.errors import InputError
from toolquiver.models import load_model, total_usage
from toolquiver.models.load import LOCAL
from toolquiver.trees import agents_svg, tree_svg

_OF_SEARCHES = ("pool", "solvable", "agents", "verdict", "verdict_reason", "wakings", "numbers")
_CALLS_NOTHING = "retriever"
_STEPS_ENOUGH = 1_000  # supersteps; the graphs' own limits end a run long before


def ask(
    question: Annotated[str, typer.Argument(help="What you want to know.")],
    *,
    graph: Annotated[str, typer.Option(help="The graph that answers.")] = "smurfs",
    model: Annotated[str, typer.Option(help="'local', or 'provider:model' as LangChain names it.")] = LOCAL,
    catalog: Annotated[str, typer.Option(help="'demo', or the path of a catalogue file.")] = "demo",
    budget: Annotated[int, typer.Option(help="Hard limit of tokens for the question.")] = 200_000,
    top_k: Annotated[int, typer.Option(help="Candidate APIs a subtask.")] = 10,
    recordings: Annotated[
        Path | None, typer.Option(help="A file of recorded calls: they answer, and nothing is called.")
    ] = None,
    tree: Annotated[
        Path | None,
        typer.Option(help="Draw the search tree of dfsdt, or the agents of anytool and retriever, into this SVG file."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Answer a question with the APIs of a catalogue."""
    if not question.strip():
        raise InputError("The question is empty. Ask something.")
    module = graph_module(graph)
    if tree is not None:
        _check(tree, graph, module)
    context = Context(model=model, token_budget=budget, top_k=top_k)
    apis = load_catalog(catalog)
    with replayed(apis, recordings) as callers:
        if graph != _CALLS_NOTHING and not _callable(apis, callers):
            raise InputError(
                f"Nothing in {catalog!r} can be called from here: its tools are Python objects of a program, or were "
                "never to be called. Give recorded calls with --recordings."
            )
        compiled = module.build(model=load_model(model), catalog=apis, callers=callers)
        result = asyncio.run(_run(compiled, question, context))
    if tree is not None:
        drawn = agents_svg(result["agents"], question) if "agents" in result else tree_svg(result["tree"], question)
        tree.write_text(drawn, "utf-8")
    if as_json:
        print(json.dumps(_object(result), ensure_ascii=False))
    else:
        _show(result)
    if result["status"] == "failed":
        raise typer.Exit(1)


def _check(tree: Path, graph: str, module: ModuleType) -> None:
    """Refuse a picture that could not be drawn, before the question costs anything."""
    if not {"tree", "agents"} & module.graph.channels.keys():
        raise InputError(f"The graph {graph!r} keeps no tree to draw. Ask with --graph dfsdt, anytool or retriever.")
    if tree.is_dir() or not tree.absolute().parent.is_dir():
        raise InputError(f"Cannot write {str(tree)!r}: its folder is not there, or it is a folder. Name a file.")


def _callable(apis: Catalog, callers: Mapping[str, Caller]) -> bool:
    """Whether there is a caller for anything besides Python tools, or one of these is loaded."""
    return bool(callers or apis.stats()["callable"] or callers_of(apis).keys() - {PYTHON})


async def _run(compiled: Any, question: str, context: Context) -> dict[str, Any]:
    """Run the graph, its progress shown on standard error."""
    result: dict[str, Any] = {}
    with LiveView(Console(stderr=True)) as view:
        async for inside, mode, event in compiled.astream(
            {"query": question},
            context=context,
            config={"recursion_limit": _STEPS_ENOUGH},
            stream_mode=["tasks", "updates", "values"],
            subgraphs=True,
        ):
            if mode != "values":
                view.show(mode, event, inside=bool(inside))
            elif not inside:
                result = event
    return result


def _show(result: dict[str, Any]) -> None:
    console = Console()
    console.print()
    console.print(plain(result["answer"], "bold"))
    if result["status"] != "solved":
        console.print(Text(result["status"], "yellow"), plain(result["reason"]), sep=": ")
    if "agents" in result:
        console.print(pool_table(result["pool"]))
    if result["calls"]:
        console.print(calls_table(result["calls"]))
    console.print(usage_table(result["usage"]))
    if "numbers" in result:
        console.print(
            Text(", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in result["numbers"].items()))
        )


def _object(result: dict[str, Any]) -> dict[str, Any]:
    total = total_usage(result["usage"])
    return {
        "answer": result["answer"],
        "status": result["status"],
        "reason": result["reason"],
        "subtasks": result["subtasks"],
        "calls": [{key: call[key] for key in ("api", "arguments", "ok", "failure")} for call in result["calls"]],
        "usage": {
            "total": total["prompt"] + total["completion"],
            "by_role": result["usage"],
            "model_calls": total["calls"],
            "estimated": total["estimated"] > 0,
        },
        **{key: result[key] for key in _OF_SEARCHES if "agents" in result and key in result},
    }
