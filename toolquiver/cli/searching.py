"""What the live view says of agents that search: their tree as it grows, the pool as it fills, who is woken and why."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple


class Line(NamedTuple):
    """A line of the live view: a label, what it says, and its colour."""

    label: str
    text: str
    style: str = ""


class AgentsView:
    """What is known so far of the agents and of their pool."""

    def __init__(self) -> None:
        self._agents: dict[str, Mapping[str, Any]] = {}
        self._removed: set[str] = set()

    def lines(self, node: str, update: Mapping[str, Any]) -> Iterator[Line]:
        """What a node's update adds to what was known."""
        before = len(self._pool)
        yield from self._reflected(node, update)
        at_work = {name: agent for name, agent in update.get("agents", {}).items() if self._is_seen(agent)}
        for agent in at_work.values():
            yield from self._agent(agent)
        self._agents |= at_work
        if len(self._pool) != before:
            yield Line("pool", f"{len(self._pool)} APIs ({len(self._pool) - before:+})", "cyan")

    @property
    def _pool(self) -> set[str]:
        """What all agents have added, and what was not removed since."""
        return {api for agent in self._agents.values() for api in agent["added"]} - self._removed

    @property
    def summary(self) -> str:
        """How many agents there are, at work, and how many APIs; empty where no agents search."""
        if not self._agents:
            return ""
        working = sum(agent["status"] == "active" for agent in self._agents.values())
        return f" · {len(self._agents)} agents, {working} at work · pool {len(self._pool)}"

    def _is_seen(self, agent: Mapping[str, Any]) -> bool:
        """Whether there is something to say of it: not while it sleeps from the beginning."""
        return agent["id"] in self._agents or agent["status"] != "parked" or bool(agent["turns"])

    def _agent(self, agent: Mapping[str, Any]) -> Iterator[Line]:
        known = self._agents.get(agent["id"])
        indent = "  " * (self._depth(agent) + 1)
        if known is None:
            yield Line(f"{indent}agent", " · ".join([agent["id"], *agent["tools"]]))
        added = agent["added"][len(known["added"]) if known else 0 :]
        if added:
            yield Line(f"{indent}found", f"{agent['id']}: {', '.join(added)}", "cyan")
        if agent["status"] != (known["status"] if known else "active") and agent["status"] != "active":
            style = "green" if agent["status"] == "finished" else "yellow"
            yield Line(f"{indent}{agent['status']}", ": ".join(filter(None, [agent["id"], agent["why"]])), style)

    def _depth(self, agent: Mapping[str, Any]) -> int:
        parent = self._agents.get(agent["parent"] or "")
        return 0 if parent is None else self._depth(parent) + 1

    def _reflected(self, node: str, update: Mapping[str, Any]) -> Iterator[Line]:
        if node == "judge":
            verdict = update["verdict"]
            yield Line(verdict, update["verdict_reason"], "green" if update["passed"] else "yellow")
        if node == "reflect" and "reflections" in update:
            yield Line(f"reflection {update['reflections']}", update["failures"][-1], "yellow")
            if gone := [api for api in update.get("removed", ()) if api not in self._removed]:
                yield Line("  removed", ", ".join(gone), "red")
                self._removed.update(gone)
        for waking in update.get("wakings", ()):
            yield Line("  woken", f"{', '.join(waking['agents'])}: {waking['why']}", "yellow")
