"""The live view: a line for each thing that happens, and who is at work at the bottom."""

import json
from types import TracebackType
from typing import Any, Self

from langchain_core.messages import AIMessageChunk, BaseMessage
from langgraph.types import Overwrite
from rich.console import Console
from rich.text import Text

from toolquiver.cli.phases import PHASES
from toolquiver.cli.plain import plain
from toolquiver.cli.searching import AgentsView
from toolquiver.models import Usage, add_usage, tokens

_LONGEST = 100


class LiveView:
    """Prints a run's events to a console while it goes on.

    On a terminal the current agent, the tokens so far and the line that a model is writing stand below; elsewhere only
    the lines are printed.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._status = console.status("starting")
        self._usage: Usage = {}
        self._searchers = AgentsView()
        self._inside = False
        self._writing: str | None = None
        self._written = ""

    @property
    def is_live(self) -> bool:
        """Whether what models write is seen, so that they are asked to stream."""
        return self._console.is_terminal

    def __enter__(self) -> Self:
        self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._status.stop()

    def show(self, mode: str, event: dict[str, Any], *, inside: bool = False) -> None:
        """Show one event of `graph.stream` in mode `tasks` or `updates`; `inside` of a graph that is a node.

        Of a node inside only that is told which the graph around it takes over.
        """
        if mode == "tasks" and "input" in event:
            self._status.update(self._now(_at_work(event)))
        elif mode == "updates":
            for node, update in event.items():
                # What a run overwrites at its beginning is left of the run before: nothing happened yet.
                added = {key: value for key, value in (update or {}).items() if not isinstance(value, Overwrite)}
                if not inside:  # a node that is a graph tells what all of it cost
                    self._usage = add_usage(self._usage, added.get("usage"))
                if not inside and self._inside:  # its calls were shown as they were made
                    added.pop("calls", None)
                self._inside = inside
                self._update(node, added)

    def written(self, message: BaseMessage, about: dict[str, Any]) -> None:
        """Show the line at which a model writes, such as one of a program; `about` says in which node."""
        if not isinstance(message, AIMessageChunk):  # a message of the state, which was written before
            return
        self._written = (self._written if message.id == self._writing else "") + message.text
        self._writing = message.id
        line = self._written.rstrip().rpartition("\n")[2]
        at_work = self._now(str(about["langgraph_node"]))
        self._status.update(Text.assemble(at_work, " · ", plain(line[-_LONGEST:], "dim")))

    def _now(self, at_work: str) -> str:
        return f"{at_work} · {tokens(self._usage):,} tokens{self._searchers.summary}"

    def _update(self, node: str, update: dict[str, Any]) -> None:
        if node in ("plan", "select_api") and "subtasks" in update:
            self._line("Plan", "")
            for number, subtask in enumerate(update["subtasks"], 1):
                self._line(f"  {number}.", subtask)
        for line in self._searchers.lines(node, update):
            self._line(*line)
        for call in update.get("calls", ()):
            self._call(call)
        if node in PHASES:
            for label, text, style in PHASES[node](update):
                self._line(label, text, style)
        self._told(node, update)
        if update.get("stopped"):
            self._line("stopped", update["stopped"], "red")

    def _told(self, node: str, update: dict[str, Any]) -> None:
        if node == "back_up" and "decided" in update:
            self._line("  back up", update["decided"], "yellow")
        elif node == "advance":
            self._line("  not yet", "one more step", "yellow")
        elif node == "push" and update.get("frames"):
            frame = update["frames"][-1]
            self._line("  needs", f"{frame['task']}: {frame['api']}")
        elif node == "record" and update.get("known"):
            found = update["known"][-1]
            style = "green" if found["solved"] else "yellow"
            self._line("solved" if found["solved"] else "open", f"{found['question']} {found['answer']}", style)

    def _call(self, call: dict[str, Any]) -> None:
        arguments = json.dumps(call["arguments"], ensure_ascii=False)
        self._line("  call", f"{call['api']} {arguments}")
        if not call["ok"]:
            self._line("  failed", f"{call['failure']}: {call['message']}", "red")
        elif call.get("text"):
            self._line("  ok", call["text"], "green")

    def _line(self, label: str, text: str, style: str = "") -> None:
        line = text.rstrip() if style == "dim" else " ".join(text.split())
        short = line if len(line) <= _LONGEST else line[:_LONGEST] + "…"
        self._console.print(Text.assemble((f"{label} ", style or "bold"), plain(short)), highlight=False)


def _at_work(event: dict[str, Any]) -> str:
    """The node that is at work; of a call that a program waits for also which."""
    state = event["input"] if isinstance(event["input"], dict) else {}
    requests = (state.get("requests") or []) if event["name"] == "call" else []
    place = state.get("place")  # of the one request that a solver's call serves
    served = requests if place is None else requests[place : place + 1]
    calls = [request.get("function") or request["name"] for request in served]
    return " ".join([event["name"], *calls])
