"""A graph run in a terminal: its progress on standard error, and its questions asked there."""

import asyncio
from types import ModuleType
from typing import Any

import typer
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from rich.console import Console

from toolquiver.cli.live import LiveView
from toolquiver.cli.plain import plain
from toolquiver.context import Context
from toolquiver.report import Trace

_STEPS_ENOUGH = 1_000  # supersteps; the graphs' own limits end a run long before
_APPROVE, _REFUSE = "approve", "refuse"


async def answered(
    module: ModuleType, bound: dict[str, Any], question: str, context: Context, trace: Trace | None = None
) -> dict[str, Any]:
    """The result of a graph. Where it asks what is missing, or whether it may call, the user answers, and it goes on.

    `trace` takes in what happens.
    """
    trace = trace or Trace()
    asks = ("unfilled" in module.graph.channels and context.ask) or context.approval != "never"
    compiled = module.build(**bound, checkpointer=InMemorySaver() if asks else None)
    console = Console(stderr=True)
    view = LiveView(console)
    given: Any = {"query": question}
    while True:
        with view:
            result = await _run(compiled, given, context, view, trace)
        waiting = result.get("__interrupt__")
        if not waiting:
            return result
        given = Command(resume=await asyncio.to_thread(_reply, waiting[0].value, console))


async def _run(compiled: Any, given: Any, context: Context, view: LiveView, trace: Trace) -> dict[str, Any]:
    """Run the graph to its end or its question."""
    result: dict[str, Any] = {}
    config = {"recursion_limit": _STEPS_ENOUGH, "configurable": {"thread_id": "terminal"}}
    modes = ["tasks", "updates", "values"]
    events = compiled.astream(given, context=context, config=config, stream_mode=modes, subgraphs=True)
    async for inside, mode, event in events:
        if mode == "tasks":
            trace.add(inside, event)
        if mode == "updates" and "__interrupt__" in event:
            result = {**result, **event}
        elif mode != "values":
            view.show(mode, event, inside=bool(inside))
        elif not inside:
            result = event
    return result


def _reply(question: dict[str, Any], console: Console) -> dict[str, Any] | str:
    """What the user says to an interrupt of ours: values for what is missing, or whether a call may be made."""
    console.print(plain(question["question"], "bold"))
    return _values(question["missing"], console) if "missing" in question else _approval()


def _values(missing: list[dict[str, Any]], console: Console) -> dict[str, Any] | str:
    """What the user gives for each missing argument; nothing refuses."""
    given = dict[str, Any]()
    for entry in missing:
        options = f"one of {', '.join(map(str, entry['enum']))}" if entry["enum"] else ""
        about = "; ".join(filter(None, [entry["description"], options, entry["why"]]))
        console.print(plain(f"{entry['name']} ({entry['type']}): {about}"))
        given[entry["key"]] = _typed(entry["key"])
        if not given[entry["key"]]:
            return _REFUSE
    return given


def _approval() -> str:
    """Whether the user lets a call be made; all but a yes refuses."""
    return _APPROVE if _typed(f"{_APPROVE} or {_REFUSE}").lower() in (_APPROVE, "yes", "y") else _REFUSE


def _typed(label: str) -> str:
    """What the user types; empty at the end of the input, or where there is none."""
    try:
        return str(typer.prompt(label, default="", show_default=False, err=True)).strip()
    except (typer.Abort, OSError, RuntimeError):  # the last two where standard input is closed
        return ""
