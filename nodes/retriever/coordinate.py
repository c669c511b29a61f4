"""The join of the agents: takes in what they did, and says who goes on (AnyTool, 4.1)."""

from __future__ import annotations

from typing import Literal

from langgraph.types import Overwrite, Send

from toolquiver.catalog import ApiId
from toolquiver.contexts import RetrieverContext
from toolquiver.models import tokens
from toolquiver.nodes.agents import Agent, Kind, active, new_agent, parked
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.retriever.acts import fitting
from toolquiver.nodes.retriever.state import AgentInput, NewAgent, Report, SearchState
from toolquiver.nodes.run import Run
from toolquiver.nodes.search_io import WHY_ENDED, SearchEnd
from toolquiver.nodes.windows import shown

_LEAST_SHARE = 4_000  # tokens: where not so many are left for each, fewer agents go on at a time
_IDLE = 2  # turns in a row that change nothing: then an agent is stuck
_NEAREST: list[Kind] = ["tool", "category", "meta", "flat"]  # to the APIs

Next = Literal[
    "meta agent", "category agents", "tool agents", "flat agent", "the pool is asked about", "no agent at work"
]


async def coordinate(state: SearchState, run: Run[RetrieverContext]) -> Update:
    """Take in the reports, then let the agents at work take their next turn, each with its share of the budget.

    All are parked when the pool is full or no tokens are left. Where agents have asked about the pool, it is checked
    before anybody goes on.

    Raises:
        InputError: the budget does not hold a single turn.
    """
    agents, pool = dict(state["agents"]), list(state["pool"])
    reports = sorted(state["reports"], key=lambda report: report["agent"])
    for report in reports:
        if report["outcome"] == "short" and not state["usage"]:
            raise run.too_small()
        added = fitting(report["adds"], pool, state["removed"], run.context.pool_size)
        pool += added
        agents[report["agent"]] = _after_turn(agents[report["agent"]], report, added, pool, run.context)
        for new in report["creates"]:
            _create(new, report["agent"], agents)
    asking = {report["agent"]: report["asks"] for report in reports if report["asks"]}
    left = state["search_ends"] - tokens(state["usage"])
    end: SearchEnd = ""
    if len(pool) >= run.context.pool_size:
        end = "full"
    elif not active(agents):
        end = "done"
    elif left <= 0:
        end = "budget"
    if end and not asking:
        agents = {name: parked(agent, WHY_ENDED[end]) for name, agent in agents.items()}
    going = [] if end or asking else _wave(agents, left, run.context)
    return {
        "agents": agents,
        "pool": pool,
        "asking": asking,
        "wave": going,
        "withheld": run.context.token_budget - left // max(1, len(going)),
        "reports": Overwrite([]),
        "ended": "" if asking else end,
    }


def _after_turn(
    agent: Agent, report: Report, added: list[ApiId], pool: list[ApiId], context: RetrieverContext
) -> Agent:
    """The agent as its turn leaves it: at work, finished by its own word, or stopped from outside."""
    outcome = report["outcome"]
    changed: Agent = {
        **agent,
        "turns": agent["turns"] + (outcome != "short"),
        "idle": agent["idle"] + 1 if outcome == "idles" else 0,
        "heard": report["heard"],
        "short": outcome == "short",
        "added": [*agent["added"], *added],
    }
    if outcome == "finishes" and set(report["adds"]) <= set(pool):  # else others were first, and the pool is full
        return {**changed, "status": "finished", "why": ""}
    if outcome == "refused":
        return parked(changed, f"its model cannot or may not read more: {report['why']}")
    if outcome == "short" and agent["short"]:
        return parked(changed, WHY_ENDED["budget"])
    if changed["idle"] >= _IDLE:
        return parked(changed, "it makes no progress")
    return parked(changed, "its turns are used up") if changed["turns"] >= context.agent_turns else changed


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


def _wave(agents: dict[str, Agent], left: int, context: RetrieverContext) -> list[str]:
    """Who takes the next turn: so many as the tokens left suffice for.

    Those that have had none yet come first; of these, and of the others, those nearest to the APIs. An agent whose
    share was too small for a turn goes alone, with all that is left.
    """
    waiting = sorted(active(agents), key=lambda agent: (agent["turns"] > 0, _NEAREST.index(agent["kind"])))
    ready = [agent for agent in waiting if not agent["short"]]
    most = min(context.parallel_agents, max(1, left // _LEAST_SHARE))
    return [agent["id"] for agent in ready[:most] or waiting[:1]]


def _tools_taken(agents: dict[str, Agent], category: str) -> list[str]:
    """The tools of a category that have an agent."""
    return [tool for agent in agents.values() if agent["category"] == category for tool in agent["tools"]]


def _sent(state: SearchState, name: str) -> Send:
    agents, own = state["agents"], state["agents"][name]
    given = [agent["category"] for agent in agents.values() if agent["category"]]
    explored = _tools_taken(agents, own["category"]) if own["kind"] == "category" else list(dict.fromkeys(given))
    turn = AgentInput(
        query=state["query"],
        agent=own,
        history=shown(state["histories"].get(name, []), state["window"]),
        explored=explored,
        pool=state["pool"],
        removed=state["removed"],
        failures=state["failures"],
        usage=state["usage"],
        spent_before=state["withheld"] - tokens(state["usage"]),
        stopped="",
    )
    return Send(f"{own['kind']}_agent", turn)


def after_coordinate(state: SearchState) -> list[Send] | Next:
    """A turn for each agent of the wave, side by side; the check of the pool; or the end of the search."""
    if state["wave"]:
        return [_sent(state, name) for name in state["wave"]]
    return "the pool is asked about" if state["asking"] else "no agent at work"
