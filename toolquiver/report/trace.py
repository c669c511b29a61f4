"""What happened in a run, in order: collected from LangGraph's stream while it goes on."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langgraph.types import Overwrite

from toolquiver.models import Usage, tokens

_GOES_BACK = ("rollback", "step_back", "back_up")
_WAITED = "__interrupt__"


@dataclass
class Event:
    """One node's work: when it began and how long it took, in seconds; what it changed in the state.

    `inside` are the names of the graphs that it is a part of, the outermost first; empty for the graph's own nodes.
    `before` is what a rollback found: the API that failed, the steps, and the reason. `step` numbers the graph's own
    steps; what was at work side by side has the same.
    """

    node: str
    inside: tuple[str, ...]
    began: float
    seconds: float = 0.0
    update: Mapping[str, Any] = field(default_factory=dict)
    before: Mapping[str, Any] = field(default_factory=dict)
    step: int = 0

    @property
    def tokens(self) -> int:
        """What its model calls cost."""
        usage: Usage = self.update.get("usage") or {}
        return tokens(usage)


@dataclass
class Asking:
    """A question to the user, as the graph asked it, and the answer; None until there is one."""

    began: float
    question: Mapping[str, Any]
    answer: Any = None


class Trace:
    """Takes in the events of `graph.astream(..., stream_mode=["tasks", ...], subgraphs=True)`.

    `asked` are the questions to the user; who hands an answer to the graph may say it by `replied`. `state` is for
    whoever runs the graph: the last whole state, so that a run that ends in an error has a page too. `goes_on` says
    that an earlier part of the run was not seen.
    """

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.asked: list[Asking] = []
        self.state: Mapping[str, Any] = {}
        self.goes_on = False
        self._begun = time.monotonic()
        self._open: dict[str, Event] = {}
        self._ended: set[str] = set()
        self._step = 0
        self._step_is_over = False

    def add(self, inside: Sequence[str], event: Mapping[str, Any]) -> None:
        """Take in an event of the mode `tasks`: a node begins, or has ended; what is done within it is part of it."""
        now = time.monotonic() - self._begun
        if "input" in event:
            if not isinstance(event["input"], Mapping):  # the arguments of a task, where a node is given its state
                return
            if event["id"] in self._ended:  # it has ended while another one beside it waited for the user
                return
            names = tuple(name.split(":")[0] for name in inside)
            if not names and self._step_is_over:  # all of a step begin before any of them ends
                self._step, self._step_is_over = self._step + 1, False
            begun = Event(node=event["name"], inside=names, began=now, before=_before(event), step=self._step)
            self._open[event["id"]] = begun
            self.events.append(begun)
        elif (ended := self._open.pop(event["id"], None)) is None:
            return
        else:
            self._end(ended, event, now)

    def _end(self, ended: Event, event: Mapping[str, Any], now: float) -> None:
        task = str(event["id"])
        self._step_is_over = self._step_is_over or not ended.inside
        if event.get("interrupts"):  # it will begin again, with the answer
            self.events = [other for other in self.events if other is not ended]
            if not ended.inside:
                asked = [_question(one) for one in event["interrupts"]]
                # A question beside it may have been answered first: then it is put again.
                self.asked += [Asking(now, one) for one in asked if self._waiting(one) is None]
        else:
            self._ended.add(task)
            ended.seconds = now - ended.began
            ended.update = _plain(event.get("result"), outermost=not ended.inside)

    def replied(self, answer: Any, question: Mapping[str, Any]) -> None:
        """Take in what the user said to a question, which may have been asked before this trace began."""
        asking = self._waiting(question)
        if asking is None:
            asking = Asking(self.seconds, question)
            self.asked.append(asking)
        asking.answer = answer

    def _waiting(self, question: Mapping[str, Any]) -> Asking | None:
        """The question of these words that has no answer yet."""
        return next((one for one in self.asked if one.answer is None and one.question == question), None)

    @property
    def path(self) -> list[str]:
        """The graph's own nodes in the order in which they were at work."""
        return [event.node for event in self.events if not event.inside and event.node != _WAITED]

    @property
    def steps(self) -> list[list[str]]:
        """The same by steps: those nodes together that were at work side by side, each as often as it was."""
        found: dict[int, list[str]] = {}
        for event in self.events:
            if not event.inside and event.node != _WAITED:
                found.setdefault(event.step, []).append(event.node)
        return [*found.values()]

    @property
    def seconds(self) -> float:
        """From the beginning to the end of the last node."""
        return max((event.began + event.seconds for event in self.events), default=0.0)


def _before(event: Mapping[str, Any]) -> dict[str, Any]:
    state = event["input"] if event["name"] in _GOES_BACK and isinstance(event["input"], Mapping) else {}
    return {key: state[key] for key in ("chosen", "trail", "hint", "problem") if key in state}


def _question(interrupt: Any) -> Mapping[str, Any]:
    value = interrupt["value"] if isinstance(interrupt, Mapping) else interrupt.value
    return value if isinstance(value, Mapping) else {"question": str(value)}


def _plain(result: Any, *, outermost: bool) -> dict[str, Any]:
    """A node's update without LangGraph's marks; what was overwritten is a beginning, and nothing that happened.

    But the ledger that a run begins with has what its first node cost. Inside, it is the sum of the nodes before.
    """
    pairs = result.items() if isinstance(result, Mapping) else result or []
    update = {key: value for key, value in pairs if not isinstance(value, Overwrite)}
    begun = [value.value for key, value in pairs if key == "usage" and isinstance(value, Overwrite)]
    return update | ({"usage": begun[0]} if begun and outermost else {})
