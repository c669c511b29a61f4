"""What several decisions on the arguments of a call come to: what is found, and what is to be asked again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from toolquiver.catalog import Parameter
from toolquiver.nodes.chain import Frame
from toolquiver.nodes.doubts import Sight, doubt, refusal, words_of
from toolquiver.nodes.offers import Offers
from toolquiver.nodes.sources import NOBODY, REQUEST, Outcomes

Sources = dict[str, dict[str, Any]]
"""For each input where it comes from: `{"from": ..., "value": ...}`."""


class Answers:
    """What the model has said; without a `sight` nothing is held against a value."""

    def __init__(self, frame: Frame, offered: Offers, sight: Sight | None) -> None:
        self.found, self.refused = Sources(), dict[str, str]()
        self.doubted: dict[str, tuple[dict[str, Any], str]] = {}
        self._given, self._offered, self._sight = frame["arguments"], offered, sight

    @property
    def sources(self) -> Sources:
        """Where the arguments come from; without those that nobody gives."""
        return {name: outcome for name, (outcome, _) in self.doubted.items()} | self.found

    def is_open(self, name: str, *, again: bool) -> bool:
        """Whether nothing is found for the input yet; with `again`, because of what was said against a value."""
        return name not in self.found and (not again or name in self.refused or name in self.doubted)

    def take(self, said: Sources, asked: Sequence[Parameter], outcomes: Outcomes) -> None:
        """Take in a decision, APIs first: a value may be meant for one of them."""
        given = {p.name: said.get(p.name, {"from": NOBODY}) for p in asked}
        self.found |= {name: one for name, one in given.items() if one["from"] not in (REQUEST, NOBODY)}
        for parameter in asked:
            name, source = parameter.name, given[parameter.name]["from"]
            if source == REQUEST:
                self._weigh(parameter, given[name])
            elif source == NOBODY and name in self.doubted:  # that is no reason to ask the user
                self.found[name], _ = self.doubted[name]
            elif source == NOBODY and outcomes != "apis":
                self.refused.pop(name, None)

    def _weigh(self, parameter: Parameter, outcome: dict[str, Any]) -> None:
        name, value = parameter.name, outcome["value"]
        self.refused.pop(name, None)
        if self._sight and (why := refusal(value, parameter, self._sight)):
            self.refused[name] = why
        elif name not in self.doubted and (why := self._doubt(parameter, value)):
            self.doubted[name] = (outcome, why)
        else:
            self.found[name] = outcome

    def _doubt(self, parameter: Parameter, value: Any) -> str:
        if self._sight is None:
            return ""
        chosen = {one["from"] for one in self.found.values()}
        apis = {fed.api.function: fed.api for fits in self._offered.values() for fed in fits}
        words = sum((words_of(api) for function, api in apis.items() if function in chosen), Counter[str]())
        beside = self._given | {name: one["value"] for name, one in self.found.items() if one["from"] == REQUEST}
        sight = self._sight._replace(words=self._sight.words + words)
        return doubt(value, parameter, self._offered[parameter.name], beside, sight)
