"""`toolquiver ask`: a question in, the work in progress, the answer out."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from dataclasses import asdict, fields, replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from toolquiver.catalog.named import DEMO, load_catalog
from toolquiver.cli.other_settings import SetOption, other_settings
from toolquiver.cli.plain import plain
from toolquiver.cli.recorded import replayed
from toolquiver.cli.run_report import RunReport
from toolquiver.cli.running import Kept, answered
from toolquiver.cli.tables import calls_table, evidence_table, pool_table, usage_table
from toolquiver.cli.tree_file import (
    CurveOption,
    TreeOption,
    check_curve,
    check_tree,
    check_writable,
    draw_curve,
    draw_tree,
)
from toolquiver.context import Context
from toolquiver.errors import InputError
from toolquiver.evaluation.heads import digest
from toolquiver.evaluation.opened import checkpoints
from toolquiver.evaluation.systems.settings import context_with
from toolquiver.graphs import answering
from toolquiver.models import load_model, total_usage
from toolquiver.models.load import LOCAL
from toolquiver.report import Trace, about_run

_FIRST = ("answer", "status", "reason", "programs", "subtasks", "calls")
_CALLS_NOTHING = "retriever"
_GRAPHS = (
    "anytool, dfsdt, easytool_pipeline, quiver, react, retriever, reverse_chain or smurfs"  # finding out loads them all
)
_FIGURES = {"candidates": "pool"}
"""What figures of a run are called, where their name says something else at a glance."""
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
    graph: Annotated[str, typer.Option(help=f"The graph that answers: {_GRAPHS}.")] = "quiver",
    model: Annotated[str, typer.Option(help="'local', or 'provider:model' as LangChain names it.")] = LOCAL,
    catalog: Annotated[str, typer.Option(help="'demo', or the path of a catalogue file.")] = "demo",
    budget: Annotated[int, typer.Option(help="Hard limit of tokens for the question.")] = 200_000,
    top_k: Annotated[int, typer.Option(help="Candidate APIs that a search finds.")] = 10,
    recordings: Annotated[
        Path | None, typer.Option(help="A file of recorded calls: they answer, and nothing is called.")
    ] = None,
    tree: TreeOption = None,
    curve: CurveOption = None,
    report: Annotated[
        Path | None, typer.Option(help="Write what happened into this file: one HTML page that needs no other.")
    ] = None,
    no_ask: Annotated[
        bool, typer.Option("--no-ask", help="Do not ask for what is missing: fail with the list of it.")
    ] = False,
    setting: SetOption = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoints",
            help="A file that keeps the run: stopped in any way, at a question too, the same command goes on.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Answer a question with the APIs of a catalogue.

    Exit code 1: it failed, or, with --no-ask, something is missing that only you can give. 2: what you gave cannot be
    used. Every other result, a partial one too, is 0.
    """
    if not question.strip():
        raise InputError("The question is empty. Ask something.")
    module = answering(graph)
    if tree is not None:
        check_tree(tree, graph, module)
    if curve is not None:
        check_curve(curve, graph, module)
    if report is not None:
        check_writable(report)
    trace = Trace()
    context = context_with(other_settings(setting, _OPTIONS), module.graph.context_schema)
    own: dict[str, Any] = {"model": model, "token_budget": budget, "top_k": top_k, "ask": not no_ask}
    kept = {one.name for one in fields(context)}
    context = replace(context, **{name: value for name, value in own.items() if name in kept})
    made_with = about_run(context, graph=graph, catalog=catalog)
    page = RunReport(file=report, compiled=module.graph, question=question, trace=trace, about=made_with)
    apis = load_catalog(catalog)
    with replayed(apis, recordings) as callers:
        if graph != _CALLS_NOTHING and not (callers or apis.stats()["callable"]):
            raise InputError(
                f"Nothing in {catalog!r} can be called from here: its tools are Python objects of a program, or were "
                "never to be called. Give recorded calls with --recordings."
            )
        bound = {"model": load_model(model), "catalog": apis, "callers": callers}
        run = partial(answered, module, bound, question, context, trace=trace)
        thread = _thread(question, graph, context, catalog, recordings)
        with page.written_when_stopped():
            result = asyncio.run(_kept(run, checkpoint, thread))
    if as_json:
        print(json.dumps(_object(result, module), ensure_ascii=False))
    else:
        _show(result)
    sys.stdout.flush()
    if tree is not None:
        draw_tree(tree, result, question)
    if curve is not None:
        draw_curve(curve, result, question)
    page.write(result)
    asyncio.run(_forget(checkpoint, thread))  # last: what could not be written is there for the same command
    lacks = no_ask and result["status"] != "solved" and bool(result.get("unfilled"))
    if result["status"] == "failed" or lacks:
        raise typer.Exit(1)


def _thread(question: str, graph: str, context: Context, catalog: str, recordings: Path | None) -> str:
    """What a run is kept under: the same for the same command, whatever is printed or written of it."""
    place = catalog if catalog == DEMO else str(Path(catalog).resolve())
    recorded = str(recordings.resolve()) if recordings else ""
    return digest(question, graph, json.dumps(asdict(context), sort_keys=True), place, recorded)


async def _kept(run: Callable[..., Awaitable[dict[str, Any]]], file: Path | None, thread: str) -> dict[str, Any]:
    """The result of a run, which a file keeps, if one is named."""
    async with checkpoints(file) as saver:
        return await (run() if saver is None else run(kept=Kept(saver, thread)))


async def _forget(file: Path | None, thread: str) -> None:
    """Let the file, if one is named, keep the run no longer."""
    async with checkpoints(file) as saver:
        if saver is not None:
            await saver.adelete_thread(thread)


def _show(result: dict[str, Any]) -> None:
    console = Console()
    console.print()
    console.print(plain(result["answer"], "bold"))
    if result["status"] != "solved":
        console.print(Text(result["status"], "yellow"), plain(result["reason"]), sep=": ")
    for gap in result.get("missing", ()) if "programs" in result else ():
        console.print(Text("  missing", "yellow"), plain(gap))
    if result.get("agents") and ("programs" not in result or result["wakings"]):
        console.print(pool_table(result["pool"]))
    if result["calls"]:
        console.print(calls_table(result["calls"]))
    if result.get("evidence") and result["calls"]:
        console.print(evidence_table(result["evidence"]))
    console.print(usage_table(result["usage"]))
    if "numbers" in result:
        figures = ((_FIGURES.get(name, name.replace("_", " ")), count) for name, count in result["numbers"].items())
        console.print(Text(", ".join(f"{name} {count:,}" for name, count in figures)))


def _object(result: dict[str, Any], module: ModuleType) -> dict[str, Any]:
    """What the graph says that it gives, as far as that is JSON; the tokens also in sum."""
    total = total_usage(result["usage"])
    usage = {
        "total": total["prompt"] + total["completion"],
        "by_role": result["usage"],
        "model_calls": total["calls"],
        "estimated": total["estimated"] > 0,
    }
    given = {key: result[key] for key in module.graph.get_output_jsonschema()["properties"] if key in result}
    first = {key: given.pop(key) for key in _FIRST if key in given}
    return {
        **first,
        "usage": usage,
        **{key: value for key, value in given.items() if key != "usage" and _is_json(value)},
    }


def _is_json(value: object) -> bool:
    try:
        json.dumps(value)
    except TypeError:
        return False
    return True
