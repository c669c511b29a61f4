"""What happened in a run, in order: collected from LangGraph's stream while it goes on."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langgraph.types import Overwrite

from toolquiver.models import Usage, tokens

_WAITED = "__interrupt__"


@dataclass
class Event:
    """One node's work: when it began and how long it took, in seconds; what it changed in the state.

    `inside` are the names of the graphs that it is a part of, the outermost first; empty for the graph's own nodes.
    """

    node: str
    inside: tuple[str, ...]
    began: float
    seconds: float = 0.0
    update: Mapping[str, Any] = field(default_factory=dict)

    @property
    def tokens(self) -> int:
        """What its model calls cost."""
        usage: Usage = self.update.get("usage") or {}
        return tokens(usage)


class Trace:
    """Takes in the events of `graph.astream(..., stream_mode=["tasks", ...], subgraphs=True)`."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._begun = time.monotonic()
        self._open: dict[str, Event] = {}

    def add(self, inside: Sequence[str], event: Mapping[str, Any]) -> None:
        """Take in an event of the mode `tasks`: a node begins, or has ended."""
        now = time.monotonic() - self._begun
        if "input" in event:
            names = tuple(name.split(":")[0] for name in inside)
            begun = Event(node=event["name"], inside=names, began=now)
            self._open[event["id"]] = begun
            self.events.append(begun)
        elif (ended := self._open.pop(event["id"], None)) is None:
            return
        elif event.get("interrupts"):  # it will begin again, with the answer
            self.events = [other for other in self.events if other is not ended]
        else:
            ended.seconds = now - ended.began
            ended.update = _plain(event.get("result"))

    @property
    def path(self) -> list[str]:
        """The graph's own nodes in the order in which they were at work."""
        return [event.node for event in self.events if not event.inside and event.node != _WAITED]

    @property
    def seconds(self) -> float:
        """From the beginning to the end of the last node."""
        return max((event.began + event.seconds for event in self.events), default=0.0)


def _plain(result: Any) -> dict[str, Any]:
    """A node's update without LangGraph's marks; what was overwritten is a beginning, and nothing that happened."""
    pairs = result.items() if isinstance(result, Mapping) else result or []
    return {key: value for key, value in pairs if not isinstance(value, Overwrite)}
