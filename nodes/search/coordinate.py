"""Join of the agents: takes in what they did, and says who goes on (AnyTool, 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from langchain_core.messages import HumanMessage
from langgraph.types import Overwrite, Send

from toolquiver.catalog import ApiId
from toolquiver.models import tokens
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.agents import (
    Agent,
    AgentInput,
    Histories,
    Kind,
    NewAgent,
    Report,
    RetrieverState,
    Share,
    active,
    new_agent,
)
from toolquiver.nodes.search.early_stop import forget_round
from toolquiver.nodes.search.filling import found_by_agents
from toolquiver.nodes.search.pooling import fitting
from toolquiver.nodes.windows import shown

_LEAST_SHARE = 4_000  # tokens: where not so many are left for each, fewer agents go on at a time
SPENT = "the budget is spent"
FULL = "its model cannot or may not read more"
_IDLE = 2  # turns in a row that change nothing: then an agent is stuck
_NO_ROOM = "Others have filled the pool in the meantime: {names} did not fit and are not in it."
_ORDER: list[Kind] = ["tool", "category", "meta", "flat", "plain"]
NODES: dict[Kind, str] = {
    "meta": "meta_agent",
    "category": "category_agent",
    "tool": "tool_agent",
    "flat": "flat_agent",
    "plain": "plain_agent",
}


async def coordinate(state: RetrieverState, run: Run) -> Update:
    """Take in the reports, then let the agents at work take their next turn, each with its share of the budget.

    All are parked when the pool is full or was found to suffice, or when no tokens are left for the search. What was
    found to suffice is taken in before what others have added meanwhile, so that it is in the pool whole.
    """
    forget_round(_round(state))
    agents, pool = dict(state["agents"]), found_by_agents(state["pool"], state["agents"])
    reports = sorted(state["reports"], key=lambda report: (not report["solvable"], report["agent"]))
    for report in reports:
        _take_in(report, agents, pool, state["removed"], run)
    solved = any(report["solvable"] for report in state["reports"])
    full = len(pool) >= run.context.pool_size
    wave = [] if solved or full else _wave(agents, _left(state, run), run)
    done = not (solved or full or active(agents))
    why = "the pool suffices" if solved else "the pool is full" if full else SPENT
    if not wave:
        agents = {name: _parked(agent, why) for name, agent in agents.items()}
    told = await _put_right(reports, pool, run)
    return {
        "agents": agents,
        **({"histories": told} if told else {}),
        "pool": pool,
        "solvable": solved,
        "wave": wave,
        "round": state["round"] + 1,
        "reports": Overwrite([]),
        "decided": "agents are done" if done else why,
    }


def _take_in(report: Report, agents: dict[str, Agent], pool: list[ApiId], removed: list[ApiId], run: Run) -> None:
    """Write what came of a turn into the agents and the pool."""
    agent = agents[report["agent"]]
    outcome = report["outcome"]
    took = outcome not in ("stopped", "short")
    idle = agent["idle"] + 1 if outcome == "idles" else 0
    short = report["unasked"] or (outcome == "short" and not report["full"])
    added = fitting(report["adds"], pool, removed, run.context.pool_size)
    pool += added
    changed: Agent = {
        **agent,
        "seen": [*agent["seen"], *report["seen"]],
        "turns": agent["turns"] + took,
        "idle": idle,
        "short": short,
        "added": [*agent["added"], *added],
        "checked": report["checked"],
        "page": report["page"],
        "lost": agent["lost"] + report["lost"],
    }
    if outcome == "finishes" and set(report["adds"]) <= set(pool):
        changed |= {"status": "finished", "why": ""}
    elif outcome == "finishes":  # others were first: it can be woken, so that this can come in when there is room
        changed = _parked(changed, "what it added did not fit")
    elif idle >= _IDLE:
        changed = _parked(changed, "it went round in circles")
    elif changed["turns"] >= run.context.agent_turns and agent["kind"] != "plain":  # that one reads to the end
        changed = _parked(changed, "its turns are used up")
    elif report["full"]:  # with more tokens it would fit no better
        changed = _parked(changed, f"{FULL}: {report['full'].rstrip('.')}")
    elif short and agent["short"]:
        changed = _parked(changed, SPENT)
    agents[agent["id"]] = changed
    for new in report["creates"]:
        _create(new, agent["id"], agents)


async def _put_right(reports: Sequence[Report], pool: list[ApiId], run: Run) -> Histories:
    """What agents hear that added, side by side with others, more than there was room for in the end."""
    left_out = {report["agent"]: [api for api in report["adds"] if api not in pool] for report in reports}
    return {
        agent: [HumanMessage(_NO_ROOM.format(names=", ".join(api.function for api in await run.apis(apis))))]
        for agent, apis in left_out.items()
        if apis
    }


def _create(new: NewAgent, parent: str, agents: dict[str, Agent]) -> None:
    """Make an agent, unless there is one for this category, or one for each of these tools."""
    category = new["category"]
    peers = [agent for agent in agents.values() if agent["kind"] == new["kind"] and agent["category"] == category]
    taken = _taken(agents, category)
    tools = [tool for tool in new["tools"] if tool not in taken]
    if new["kind"] == "category" and not peers:
        name = f"category {category}"
        agents[name] = new_agent(name, "category", parent, category)
    elif new["kind"] == "tool" and tools:
        name = f"tool {category} {len(peers) + 1}"
        agents[name] = new_agent(name, "tool", parent, category, tools)


def _taken(agents: dict[str, Agent], category: str) -> list[str]:
    """The tools of a category that have an agent."""
    return [tool for agent in agents.values() if agent["category"] == category for tool in agent["tools"]]


def _left(state: RetrieverState, run: Run) -> int:
    """The tokens that the search may still spend."""
    return min(run.context.token_budget, state["retrieval_ends"]) - tokens(state["usage"])


def _wave(agents: dict[str, Agent], left: int, run: Run) -> list[Share]:
    """Who takes the next turn: so many as the tokens left suffice for.

    Those that have had none yet come first, so that the tokens do not end with one part of the search; of these, and
    of the others, those nearest to the APIs. An agent whose share was too small for a turn goes alone, with all that
    is left.
    """
    waiting = sorted(active(agents), key=lambda agent: (agent["turns"] > 0, _ORDER.index(agent["kind"])))
    if left <= 0 or not waiting:
        return []
    ready = [agent for agent in waiting if not agent["short"]]
    most = min(run.context.parallel_agents, max(1, left // _LEAST_SHARE))
    going = ready[:most] or waiting[:1]
    withheld = run.context.token_budget - (left // len(going))
    return [Share(agent=agent["id"], withheld=withheld) for agent in going]


def _parked(agent: Agent, why: str) -> Agent:
    return {**agent, "status": "parked", "why": why} if agent["status"] == "active" else agent


def sent(state: RetrieverState) -> list[Send]:
    """The agents of the wave, each with what it needs for its turn."""
    return [Send(NODES[state["agents"][share["agent"]]["kind"]], _turn_input(state, share)) for share in state["wave"]]


def _round(state: RetrieverState) -> str:
    """What tells a round of a run from all others."""
    return f"{state['run']}:{state['round']}"


def _turn_input(state: RetrieverState, share: Share) -> AgentInput:
    agent = share["agent"]
    own = state["agents"][agent]
    return AgentInput(
        query=state["query"],
        agent=own,
        history=shown(state["histories"].get(agent, []), state["window"]),
        taken=_taken(state["agents"], own["category"]) if own["kind"] == "category" else [],
        pool=state["pool"],
        removed=state["removed"],
        failures=state["failures"],
        round=_round(state),
        usage=state["usage"],
        spent_before=share["withheld"] - tokens(state["usage"]),
        stopped="",
    )


def fan_out(
    state: RetrieverState,
) -> (
    list[Send]
    | Literal["meta agent", "category agents", "tool agents", "flat agent", "plain agent", "no agent at work"]
):
    """A turn for each agent of the wave, side by side; the end where there is none."""
    return sent(state) or "no agent at work"
