"""One turn of an agent of the search: what it was sent, what it has done, and what its calls name."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from toolquiver.catalog import API, Tool
from toolquiver.models.tokens import count_tokens, table_loaded
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.costs import both
from toolquiver.nodes.dialogue import names_listed
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.agents import Agent, AgentInput, Report
from toolquiver.registration import names_given


@dataclass
class Turn:
    """One turn of one agent: `report` and `spent` grow as its calls are carried out.

    `names` are those that were listed to the agent since they were last taken, `told` the tokens of what it was told at
    length.
    """

    state: AgentInput
    run: Run
    report: Report
    spent: Update = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    told: int = 0

    @property
    def agent(self) -> Agent:
        """The agent whose turn it is."""
        return self.state["agent"]

    @property
    def everywhere(self) -> bool:
        """Whether the agent looks at all categories; then tools are named with theirs."""
        return self.agent["kind"] in ("meta", "flat")

    @property
    def pool(self) -> list[str]:
        """The pool with what was added in this turn."""
        return [*self.state["pool"], *self.report["adds"]]

    def label(self, category: str, tool: str) -> str:
        """A tool's name as this agent knows it."""
        return f"{category}/{tool}" if self.everywhere else tool

    @property
    def known(self) -> list[str]:
        """The names that the agent has before it, so that it may use them: of what was left out it has none."""
        seen = [*self.agent["seen"], *self.report["seen"], *names_listed(self.state["history"])]
        return list(dict.fromkeys(seen))

    def listed(self, names: Sequence[str]) -> None:
        """These names are listed to the agent."""
        self.names += names

    def taken(self) -> list[str]:
        """The names that were listed since this was last asked."""
        names, self.names = self.names, []
        return names

    async def room_for(self, texts: Sequence[str]) -> int:
        """How many of these texts, at least one, the agent can be told, so that a turn's are not more than its sight.

        Pages of listings, which are short, do not count.
        """
        await table_loaded()
        for place, text in enumerate(texts):
            length = count_tokens(text)
            if place and self.told + length > self.run.context.agent_context:
                return place
            self.told += length
        return len(texts)

    def spend(self, cost: Update) -> None:
        """Add what a further question cost; that the share is spent with it is seen at the next turn."""
        self.spent = both(self.spent, {key: value for key, value in cost.items() if key == "usage"})

    async def tools(self, arguments: Mapping[str, Any], key: str) -> tuple[list[Tool], str]:
        """The tools that a call names, of those the agent may look into, and what is said of the others."""

        def there() -> dict[str, Tool]:
            tools = self.run.catalog.list_tools(category=None if self.everywhere else self.agent["category"])
            return {self.label(one.category, one.name): one for one in tools if self._own(one.category, one.name)}

        names, by_label = names_given(arguments, key), await asyncio.to_thread(there)
        return [by_label[name] for name in names if name in by_label], _unknown(
            "tool", [name for name in names if name not in by_label], names
        )

    async def apis(self, arguments: Mapping[str, Any], key: str) -> tuple[list[API], str]:
        """The APIs that a call names by function name, of the agent's own tools, and what is said of the others."""
        names = names_given(arguments, key)
        found = await asyncio.to_thread(lambda: {name: self.run.catalog.by_function(name) for name in names})
        apis = [api for api in found.values() if api and self._own(api.category, api.tool)]
        known = {api.function for api in apis}
        return apis, _unknown("API", [name for name in names if name not in known], names)

    def _own(self, category: str, tool: str) -> bool:
        """Whether a tool is the agent's: only tool agents have some of their own."""
        agent = self.agent
        return agent["kind"] != "tool" or (category == agent["category"] and tool in agent["tools"])


def _unknown(kind: str, unknown: list[str], names: list[str]) -> str:
    if not names:
        return f"Name the {kind}s as they were listed."
    return f"There is no {kind} {', '.join(map(repr, unknown))} here." if unknown else ""
