"""What several decisions on the arguments of a call come to: what is found, and what is to be asked again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

from toolquiver.catalog import Parameter
from toolquiver.nodes.apis.words import words_of
from toolquiver.nodes.chain.completion_types import Outcomes
from toolquiver.nodes.chain.doubts import ValueContext, doubt, refusal
from toolquiver.nodes.chain.frames import Frame
from toolquiver.nodes.chain.offers import Offers
from toolquiver.nodes.sources import NOBODY, REQUEST, Sources

Among = Literal["all", "questioned", "doubted"]
"""Inputs: all, those against whose value something was said, those whose value may be right nevertheless."""


class Answers:
    """What the model has said; without a `context` nothing is held against a value."""

    def __init__(self, frame: Frame, offered: Offers, context: ValueContext | None) -> None:
        self.found, self.refused = Sources(), dict[str, str]()
        self.doubted: dict[str, tuple[dict[str, Any], str]] = {}
        self._given, self._offered, self._context = frame["arguments"], offered, context
        self._kept = frozenset[str]()

    @property
    def sources(self) -> Sources:
        """Where the arguments come from; without those that nobody gives."""
        return {name: outcome for name, (outcome, _) in self.doubted.items()} | self.found

    def is_open(self, name: str, among: Among) -> bool:
        """Whether nothing is found for the input yet, and it is among those."""
        questioned = name in self.doubted or (among == "questioned" and name in self.refused)
        return name not in self.found and (among == "all" or questioned)

    def keep(self, said: Sources, parameters: Sequence[Parameter]) -> None:
        """Take in what was said before all questions; it is refused like any other, but not doubted."""
        self.take(said, [parameter for parameter in parameters if parameter.name in said], "any")
        self._kept = frozenset(self.found)

    def take(self, said: Sources, asked: Sequence[Parameter], outcomes: Outcomes) -> None:
        """Take in a decision."""
        for parameter in asked:
            name, outcome = parameter.name, said.get(parameter.name, {"from": NOBODY})
            if outcome["from"] == REQUEST:
                self._hold(parameter, outcome)
            elif outcome["from"] != NOBODY:
                self.found[name] = outcome
            elif name in self.doubted:  # that is no reason to ask the user
                self.found[name], _ = self.doubted[name]
            elif outcomes != "apis":
                self.refused.pop(name, None)

    def question(self, parameters: Sequence[Parameter]) -> None:
        """Doubt what is found, once each, when all are asked: which APIs are chosen matters. Of two alike the later."""
        for parameter in reversed(parameters):
            name, outcome = parameter.name, self.found.get(parameter.name, {"from": NOBODY})
            if outcome["from"] != REQUEST or name in self.doubted or name in self._kept:
                continue
            if why := self._doubt(parameter, outcome["value"]):
                self.doubted[name] = (self.found.pop(name), why)

    def _hold(self, parameter: Parameter, outcome: dict[str, Any]) -> None:
        why = refusal(outcome["value"], parameter, self._beside, self._context) if self._context else ""
        self.refused.pop(parameter.name, None)
        if why:
            self.refused[parameter.name] = why
        else:
            self.found[parameter.name] = outcome

    def _doubt(self, parameter: Parameter, value: Any) -> str:
        if self._context is None:
            return ""
        chosen = {one["from"] for one in self.found.values()}
        apis = {fed.api.function: fed.api for fits in self._offered.values() for fed in fits}
        words = sum((words_of(api) for function, api in apis.items() if function in chosen), Counter[str]())
        context = self._context._replace(words=self._context.words + words)
        return doubt(value, parameter, self._offered[parameter.name], self._beside, context)

    @property
    def _beside(self) -> dict[str, Any]:
        """The values of the call's other inputs so far."""
        return self._given | {name: one["value"] for name, one in self.found.items() if one["from"] == REQUEST}
