"""The slice of a search by many agents: who they are, what they said, the pool that they fill (AnyTool, 4.1)."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from langchain_core.messages import AnyMessage
from langgraph.channels import DeltaChannel
from typing_extensions import TypedDict

from toolquiver.catalog import ApiId
from toolquiver.models import total_usage
from toolquiver.nodes.dialogue import added
from toolquiver.nodes.state import Budgeted, Result, Searching, Status

Kind = Literal["meta", "category", "tool", "flat", "plain"]
AgentStatus = Literal["active", "finished", "parked"]
"""At work; done by its own word, for ever; stopped from outside, so that it may be woken."""

Histories = dict[str, list[AnyMessage]]


class Agent(TypedDict):
    """One agent of the search.

    `tools` are those it is to look through; `seen` are the tools or APIs that its prompt lists, by the names that it
    may use. What was listed since stands beside the results in its history: here it would be kept anew at every step,
    and more of it each time. `turns` counts since it was last woken, `idle` the turns in a row that changed nothing.
    `short` is set when its share of the budget did not hold a turn, or what it asked in it. `added` is what it put
    into the pool, `why` says why it was parked, or woken. `checked` is how many APIs the pool had when it asked
    about them last. `page` is where a plain agent is, `lost` how many pages it gave no valid answer to.
    """

    id: str
    kind: Kind
    parent: str | None
    category: str
    tools: list[str]
    seen: list[str]
    status: AgentStatus
    why: str
    turns: int
    idle: int
    short: bool
    added: list[ApiId]
    checked: int
    page: int
    lost: int


class NewAgent(TypedDict):
    """An agent that another wants made."""

    kind: Kind
    category: str
    tools: list[str]


class Report(TypedDict):
    """What came of an agent's turn.

    `outcome`: it acted, it finished, it said nothing new, it was stopped by the others, or its share of the budget
    was too small, or else, as `full` says, what its model can read. `unasked` is whether it has acted, but its share
    was too small to ask whether the pool suffices.
    """

    agent: str
    outcome: Literal["acts", "finishes", "idles", "stopped", "short"]
    creates: list[NewAgent]
    adds: list[ApiId]
    seen: list[str]
    solvable: bool
    checked: int
    unasked: bool
    page: int
    lost: bool
    full: str


class Share(TypedDict):
    """An agent that takes the next turn; `withheld` are the tokens that are kept from it, for the others."""

    agent: str
    withheld: int


def extended(histories: Mapping[str, Sequence[AnyMessage]], said: Sequence[Histories]) -> Histories:
    """The reducer: each agent's history followed by what was said since."""
    grown: Histories = {agent: list(messages) for agent, messages in histories.items()}
    for part in said:
        for agent, messages in part.items():
            grown[agent] = added(grown.get(agent, []), messages)
    return grown


class RetrieverState(Searching):
    """The slice of the search.

    `histories` are the agents' conversations, by agent; checkpoints hold what was added to them only. `reports` are
    those of the turns that were just taken, `wave` are the agents that take the next. `removed` are APIs that may not
    come into the pool again, `failures` why the pool did not suffice. `round` counts the waves, `run` tells this run
    from others. `retrieval_ends` is how many tokens may be spent, by all, when the search is over. `window` is how
    many characters of its conversation an agent is shown.
    """

    agents: dict[str, Agent]
    histories: Annotated[Histories, DeltaChannel(extended, dict)]
    reports: Annotated[list[Report], operator.add]
    wave: list[Share]
    pool: list[ApiId]
    removed: list[ApiId]
    failures: list[str]
    solvable: bool
    round: int
    run: str
    retrieval_ends: int
    window: int
    decided: str
    answer: str
    status: Status
    reason: str
    numbers: Numbers


class AgentInput(Budgeted):
    """What an agent is sent for a turn: itself, its conversation as far as it is shown, and the pool.

    `taken` are the tools of a category agent's category that have an agent.
    """

    query: str
    agent: Agent
    history: list[AnyMessage]
    taken: list[str]
    pool: list[ApiId]
    removed: list[ApiId]
    failures: list[str]
    round: str


class Numbers(TypedDict):
    """What a run took: tokens, model calls, reflections; candidates in the pool at its end, agents made."""

    tokens: int
    model_calls: int
    reflections: int
    candidates: int
    agents: int


class RetrieverResult(Result):
    """What comes out: the pool, the agents with what each added, whether the pool was found to suffice, the cost."""

    pool: list[ApiId]
    agents: dict[str, Agent]
    solvable: bool
    numbers: Numbers


def new_agent(agent_id: str, kind: Kind, parent: str | None, category: str = "", tools: Sequence[str] = ()) -> Agent:
    """An agent at its beginning."""
    return Agent(
        id=agent_id,
        kind=kind,
        parent=parent,
        category=category,
        tools=list(tools),
        seen=[],
        status="active",
        why="",
        turns=0,
        idle=0,
        short=False,
        added=[],
        checked=0,
        page=0,
        lost=0,
    )


def a_report(agent: Agent, outcome: Literal["acts", "finishes", "idles", "stopped", "short"]) -> Report:
    """A report that says nothing but how the turn went."""
    return Report(
        agent=agent["id"],
        outcome=outcome,
        creates=[],
        adds=[],
        seen=[],
        solvable=False,
        checked=agent["checked"],
        unasked=False,
        page=agent["page"],
        lost=False,
        full="",
    )


def active(agents: Mapping[str, Agent]) -> list[Agent]:
    """The agents at work, in the order they were made."""
    return [agent for agent in agents.values() if agent["status"] == "active"]


def numbers_of(state: RetrieverState, reflections: int = 0) -> Numbers:
    """What the run took so far."""
    spent = total_usage(state["usage"])
    return Numbers(
        tokens=spent["prompt"] + spent["completion"],
        model_calls=spent["calls"],
        reflections=reflections,
        candidates=len(state["pool"]),
        agents=len(state["agents"]),
    )
