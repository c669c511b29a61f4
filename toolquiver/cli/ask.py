"""`toolquiver ask`: a question in, the work in progress, the answer out."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import JsonValue
from rich.console import Console
from rich.text import Text

from toolquiver.catalog.named import load_catalog
from toolquiver.cli.plain import plain
from toolquiver.cli.recorded import replayed
from toolquiver.cli.running import Kept, answered
from toolquiver.cli.tables import calls_table, evidence_table, pool_table, usage_table
from toolquiver.cli.tree_file import TreeOption, check_tree, check_writable, draw_tree
from toolquiver.errors import InputError
from toolquiver.evaluation.heads import digest
from toolquiver.evaluation.opened import checkpoints
from toolquiver.evaluation.systems.settings import context_with, settings_of
from toolquiver.graphs import answering
from toolquiver.models import load_model, total_usage
from toolquiver.models.load import LOCAL
from toolquiver.report import Trace, run_page

_OF_SEARCHES = ("pool", "solvable", "agents", "verdict", "verdict_reason", "wakings", "numbers")
_OF_PLANS = ("plan", "unfilled")
_OF_THE_WHOLE = ("evidence", "lacking")
_CALLS_NOTHING = "retriever"
_OPTIONS = {
    "model": "--model",
    "catalog": "--catalog",
    "token_budget": "--budget",
    "top_k": "--top-k",
    "ask": "--no-ask",
}
"""Settings that have an option of their own."""


def ask(
    question: Annotated[str, typer.Argument(help="What you want to know.")],
    *,
    graph: Annotated[str, typer.Option(help="The graph that answers.")] = "quiver",
    model: Annotated[str, typer.Option(help="'local', or 'provider:model' as LangChain names it.")] = LOCAL,
    catalog: Annotated[str, typer.Option(help="'demo', or the path of a catalogue file.")] = "demo",
    budget: Annotated[int, typer.Option(help="Hard limit of tokens for the question.")] = 200_000,
    top_k: Annotated[int, typer.Option(help="Candidate APIs a subtask.")] = 10,
    recordings: Annotated[
        Path | None, typer.Option(help="A file of recorded calls: they answer, and nothing is called.")
    ] = None,
    tree: TreeOption = None,
    report: Annotated[
        Path | None, typer.Option(help="Write what happened into this file: one HTML page that needs no other.")
    ] = None,
    no_ask: Annotated[
        bool, typer.Option("--no-ask", help="Do not ask for what is missing: fail with the list of it.")
    ] = False,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", help="Any other setting, key=value, such as tool_check=true or approval=writes."),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoints",
            help="A file that keeps the run: stopped in any way, at a question too, the same command goes on.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Answer a question with the APIs of a catalogue."""
    if not question.strip():
        raise InputError("The question is empty. Ask something.")
    module = answering(graph)
    if tree is not None:
        check_tree(tree, graph, module)
    if report is not None:
        check_writable(report)
    trace = Trace()
    own: dict[str, Any] = {"model": model, "token_budget": budget, "top_k": top_k, "ask": not no_ask}
    context = replace(context_with(_others(setting or []), module.graph.context_schema), **own)
    apis = load_catalog(catalog)
    with replayed(apis, recordings) as callers:
        if graph != _CALLS_NOTHING and not (callers or apis.stats()["callable"]):
            raise InputError(
                f"Nothing in {catalog!r} can be called from here: its tools are Python objects of a program, or were "
                "never to be called. Give recorded calls with --recordings."
            )
        bound = {"model": load_model(model), "catalog": apis, "callers": callers}
        run = partial(answered, module, bound, question, context, trace=trace)
        result = asyncio.run(_kept(run, checkpoint, digest(question, graph, catalog)))
    if tree is not None:
        draw_tree(tree, result, question)
    if report is not None:
        report.write_text(run_page(module.graph, question, result, trace), "utf-8")
    if as_json:
        print(json.dumps(_object(result), ensure_ascii=False))
    else:
        _show(result)
    if result["status"] == "failed":
        raise typer.Exit(1)


async def _kept(run: Callable[..., Awaitable[dict[str, Any]]], file: Path | None, thread: str) -> dict[str, Any]:
    """The result of a run, which a file keeps until it has ended, if one is named."""
    async with checkpoints(file) as saver:
        return await (run() if saver is None else run(kept=Kept(saver, thread)))


def _others(written: list[str]) -> dict[str, JsonValue]:
    """The settings that are given as key=value; none that has an option of its own."""
    settings = settings_of(written)
    if taken := [name for name in settings if name in _OPTIONS]:
        raise InputError(f"The setting {taken[0]!r} is given by {_OPTIONS[taken[0]]}. Use that option.")
    return settings


def _show(result: dict[str, Any]) -> None:
    console = Console()
    console.print()
    console.print(plain(result["answer"], "bold"))
    if result["status"] != "solved":
        console.print(Text(result["status"], "yellow"), plain(result["reason"]), sep=": ")
    for gap in result.get("lacking", ()):
        console.print(Text("  missing", "yellow"), plain(f"{gap['question']} {gap['why']}"))
    if pool := result.get("found") if "evidence" in result else result.get("pool") if "agents" in result else None:
        console.print(pool_table(pool))
    if result["calls"]:
        console.print(calls_table(result["calls"]))
    if result.get("evidence") and result["calls"]:
        console.print(evidence_table(result["evidence"]))
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
        **({key: result[key] for key in _OF_THE_WHOLE} if "evidence" in result else _searched(result)),
        **{key: result[key] for key in _OF_PLANS if key in result},
    }


def _searched(result: dict[str, Any]) -> dict[str, Any]:
    return {key: result[key] for key in _OF_SEARCHES if "agents" in result and key in result}
