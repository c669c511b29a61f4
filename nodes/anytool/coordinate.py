"""The join of the agents: takes in what they did, and says who goes on (AnyTool, 4.1)."""

from __future__ import annotations

from typing import Literal

from langgraph.types import Overwrite, Send

from toolquiver.catalog import ApiId
from toolquiver.contexts import RetrieverContext
from toolquiver.models import tokens
from toolquiver.nodes.agents import Agent, Kind, active, new_agent, parked
from toolquiver.nodes.anytool.pool import fitting, left_for_search
from toolquiver.nodes.anytool.state import AgentInput, NewAgent, Report, SearchEnd, SearchState, Share
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run
from toolquiver.nodes.windows import shown

_LEAST_SHARE = 4_000  # tokens: where not so many are left for each, fewer agents go on at a time
_IDLE = 2  # turns in a row that change nothing: then an agent is stuck
_ORDER: list[Kind] = ["tool", "category", "meta", "flat", "plain"]

Next = Literal[
    "meta agent",
    "category agents",
    "tool agents",
    "flat agent",
    "plain agent",
    "the pool is asked about",
    "no agent at work",
]
_NODES: dict[Kind, str] = {kind: f"{kind}_agent" for kind in _ORDER}


async def coordinate(state: SearchState, run: Run[RetrieverContext]) -> Update:
    """Take in the reports, then let the agents at work take their next turn, each with its share of the budget.

    All are parked when the pool is full or no tokens are left. Where agents have asked about the pool, it is checked
    before anybody goes on.
    """
    agents, pool = dict(state["agents"]), list(state["pool"])
    reports = sorted(state["reports"], key=lambda report: report["agent"])
    for report in reports:
        _take_in(report, agents, pool, state["removed"], run)
    asking = {report["agent"]: report["asks"] for report in reports if report["asks"]}
    left = left_for_search(state, run)
    end: SearchEnd = ""
    if not asking:
        full = len(pool) >= run.context.pool_size
        end = "the pool is full" if full else "the budget is spent" if left <= 0 else ""
        end = end if active(agents) or full else "all agents are done"
        agents = {name: parked(agent, end) if end else agent for name, agent in agents.items()}
    return {
        "agents": agents,
        "pool": pool,
        "asking": asking,
        "wave": [] if asking or end else _wave(agents, left, run),
        "reports": Overwrite([]),
        "ended": end,
    }


def _take_in(
    report: Report, agents: dict[str, Agent], pool: list[ApiId], removed: list[ApiId], run: Run[RetrieverContext]
) -> None:
    """Write what came of a turn into the agents and the pool."""
    agent, outcome = agents[report["agent"]], report["outcome"]
    added = fitting(report["adds"], pool, removed, run.context.pool_size)
    pool += added
    changed: Agent = {
        **agent,
        "turns": agent["turns"] + (outcome != "short"),
        "idle": agent["idle"] + 1 if outcome == "idles" else 0,
        "heard": report["heard"],
        "short": outcome == "short",
        "added": [*agent["added"], *added],
        "page": report["page"],
        "lost": agent["lost"] + report["lost"],
    }
    if outcome == "finishes" and set(report["adds"]) <= set(pool):
        changed |= {"status": "finished", "why": ""}
    elif outcome == "finishes":  # others were first: woken, it can add this once there is room
        changed = parked(changed, "what it added did not fit")
    elif report["unreadable"]:
        changed = parked(changed, f"its model cannot or may not read more: {report['unreadable']}")
    elif outcome == "short" and agent["short"]:
        changed = parked(changed, "the budget is spent")
    elif changed["idle"] >= _IDLE:
        changed = parked(changed, "it makes no progress")
    elif changed["turns"] >= run.context.agent_turns and agent["kind"] != "plain":  # that one reads to the end
        changed = parked(changed, "its turns are used up")
    agents[agent["id"]] = changed
    for new in report["creates"]:
        _create(new, agent["id"], agents)


def _create(new: NewAgent, parent: str, agents: dict[str, Agent]) -> None:
    """Make an agent, unless there is one for this category, or for each of these tools."""
    category = new["category"]
    peers = [agent for agent in agents.values() if agent["kind"] == new["kind"] and agent["category"] == category]
    tools = [tool for tool in new["tools"] if tool not in _tools_taken(agents, category)]
    if new["kind"] == "category" and not peers:
        name = f"category {category}"
        agents[name] = new_agent(name, "category", parent, category)
    elif new["kind"] == "tool" and tools:
        name = f"tool {category} {len(peers) + 1}"
        agents[name] = new_agent(name, "tool", parent, category, tools)


def _wave(agents: dict[str, Agent], left: int, run: Run[RetrieverContext]) -> list[Share]:
    """Who takes the next turn: so many as the tokens left suffice for.

    Those that have had none yet come first; of these, and of the others, those nearest to the APIs. An agent whose
    share was too small for a turn goes alone, with all that is left.
    """
    waiting = sorted(active(agents), key=lambda agent: (agent["turns"] > 0, _ORDER.index(agent["kind"])))
    ready = [agent for agent in waiting if not agent["short"]]
    most = min(run.context.parallel_agents, max(1, left // _LEAST_SHARE))
    going = ready[:most] or waiting[:1]
    withheld = run.context.token_budget - left // max(1, len(going))
    return [Share(agent=agent["id"], withheld=withheld) for agent in going]


def _tools_taken(agents: dict[str, Agent], category: str) -> list[str]:
    """The tools of a category that have an agent."""
    return [tool for agent in agents.values() if agent["category"] == category for tool in agent["tools"]]


def _sent(state: SearchState, share: Share) -> Send:
    agents, own = state["agents"], state["agents"][share["agent"]]
    given = [agent["category"] for agent in agents.values() if agent["category"]]
    explored = _tools_taken(agents, own["category"]) if own["kind"] == "category" else list(dict.fromkeys(given))
    turn = AgentInput(
        query=state["query"],
        agent=own,
        history=shown(state["histories"].get(own["id"], []), state["window"]),
        explored=explored,
        pool=state["pool"],
        removed=state["removed"],
        failures=state["failures"],
        usage=state["usage"],
        spent_before=share["withheld"] - tokens(state["usage"]),
        stopped="",
    )
    return Send(_NODES[own["kind"]], turn)


def after_coordinate(state: SearchState) -> list[Send] | Next:
    """A turn for each agent of the wave, side by side; the check of the pool; or the end of the search."""
    if state["wave"]:
        return [_sent(state, share) for share in state["wave"]]
    return "the pool is asked about" if state["asking"] else "no agent at work"
