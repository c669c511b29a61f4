"""A graph run in a terminal: its progress on standard error, and its questions asked there."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import typer
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, Interrupt
from rich.console import Console

from toolquiver.cli.live import LiveView
from toolquiver.cli.plain import plain
from toolquiver.context import Context
from toolquiver.errors import InputError
from toolquiver.nodes.approve import APPROVE, REFUSE
from toolquiver.report import Trace

_STEPS_ENOUGH = 1_000  # supersteps; the graphs' own limits end a run long before


@dataclass(frozen=True)
class Kept:
    """A run that is kept in a file, under the name of its thread: stopped in any way, it goes on there."""

    saver: BaseCheckpointSaver[Any]
    thread: str


async def answered(
    module: ModuleType,
    bound: dict[str, Any],
    question: str,
    context: Context,
    *,
    trace: Trace | None = None,
    kept: Kept | None = None,
) -> dict[str, Any]:
    """The result of a graph. Where it asks what is missing, or whether it may call, the user answers, and it goes on.

    `trace` takes in what happens. A run that is `kept` goes on where it was. One that has ended is not run again: its
    result is there until its thread is deleted.

    Raises:
        InputError: the user left a question of a run that is kept without an answer; it waits.
    """
    trace = trace or Trace()
    asks = ("unfilled" in module.graph.channels and getattr(context, "ask", False)) or context.approval != "never"
    saver = kept.saver if kept else InMemorySaver() if asks else None
    compiled = module.build(**bound, checkpointer=saver)
    config = {"recursion_limit": _STEPS_ENOUGH, "configurable": {"thread_id": kept.thread if kept else "terminal"}}
    console = Console(stderr=True)
    view = LiveView(console)
    given: Any = {"query": question}
    if kept and ((before := await compiled.aget_state(config)).tasks or before.values):
        trace.goes_on = True
        if not before.tasks:  # `next` leaves out tasks whose writes are saved and whose step has no checkpoint yet
            console.print("It has ended before; this is what came of it.")
            return dict(before.values)
        console.print("It goes on where it was stopped.")
        given = await _reply_to(before.interrupts, console, kept, trace) if before.interrupts else None
    while True:
        with view:
            result = await _run(compiled, given, config, context=context, view=view, trace=trace)
        waiting = (await compiled.aget_state(config)).interrupts if saver else ()
        if not waiting:
            return result
        given = await _reply_to(waiting, console, kept, trace)


async def _reply_to(waiting: Sequence[Interrupt], console: Console, kept: Kept | None, trace: Trace) -> Command[Any]:
    """What the user says to the first of these interrupts; the graph asks again for the others.

    So each reply is kept as soon as it is given. Who stops at the question of a run that is kept may answer later.
    """
    first = waiting[0]
    try:
        said = await asyncio.to_thread(_reply, first.value, console)
    except typer.Abort as left:
        if kept:
            raise InputError("The question waits for your answer. The same command goes on with it.") from left
        said = REFUSE
    trace.replied(said, first.value)
    return Command(resume={first.id: said})


async def _run(
    compiled: Any, given: Any, config: dict[str, Any], *, context: Context, view: LiveView, trace: Trace
) -> dict[str, Any]:
    """Run the graph to its end or its question."""
    result: dict[str, Any] = {}
    modes = ["tasks", "updates", "values", *(["messages"] if view.is_live else [])]
    saved = {"durability": "sync"} if compiled.checkpointer else {}  # it may be killed at any time
    events = compiled.astream(given, context=context, config=config, stream_mode=modes, subgraphs=True, **saved)
    async for inside, mode, event in events:
        if mode == "tasks":
            trace.add(inside, event)
        if mode == "updates" and "__interrupt__" in event:
            continue
        if mode == "messages":
            view.written(*event)
        elif mode != "values":
            view.show(mode, event, inside=bool(inside))
        elif not inside:
            result = trace.state = event
    return result


def _reply(question: dict[str, Any], console: Console) -> dict[str, Any] | str:
    """What the user says to an interrupt of ours: values for what is missing, or whether a call may be made."""
    console.print(plain(question["question"], "bold"))
    if "missing" in question:
        return _values(question, console)
    console.print(plain(f"method: {question['method']}, effect: {question.get('effect', 'unknown')}"))
    return _approval()


def _values(question: dict[str, Any], console: Console) -> dict[str, Any] | str:
    """What the user gives for each missing argument; nothing refuses."""
    given = dict[str, Any]()
    for entry in question["missing"]:
        options = f"one of {', '.join(map(str, entry['enum']))}" if entry["enum"] else ""
        told = [text for text in (entry["description"], entry["why"]) if text not in question["question"]]
        about = "; ".join(filter(None, [*told[:1], options, _form(entry["type"]), *told[1:]]))
        console.print(plain(f"{entry['name']} ({entry['type']}){': ' if about else ''}{about}"))
        given[entry["key"]] = _typed(entry["key"])
        if not given[entry["key"]]:
            return REFUSE
    return given


def _form(kind: str) -> str:
    """How a value of this type is typed, where that is no matter of course."""
    if kind == "array" or kind.startswith("list of "):
        return "several with commas between"
    return "as JSON" if kind == "object" else ""


def _approval() -> str:
    """Whether the user lets a call be made; all but a yes refuses."""
    return APPROVE if _typed(f"{APPROVE} or {REFUSE}").lower() in (APPROVE, "yes", "y") else REFUSE


def _typed(label: str) -> str:
    """What the user types, which may be nothing.

    Raises:
        typer.Abort: the user stops here, or there is no input.
    """
    try:
        return str(typer.prompt(label, default="", show_default=False, err=True)).strip()
    except (OSError, RuntimeError) as closed:
        raise typer.Abort from closed
