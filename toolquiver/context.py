"""The settings of a run: plain values only, so that Studio draws them as a form."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, Self

from pydantic import Field

from toolquiver.bounds import (
    MOST,
    ActionForm,
    Day,
    DecisionMethod,
    PlainDetail,
    Reactivated,
    Retriever,
    Solver,
    Unsure,
    check,
)
from toolquiver.calling import Approval, Limits
from toolquiver.catalog.shown import Documentation
from toolquiver.registration import Delivery, Listing, Mode, Registration


@dataclass(frozen=True, kw_only=True)
class CommonContext:
    """The settings that every graph reads. Times are in seconds, the budget in tokens."""

    model: Annotated[str, Field(description="'local', or 'provider:model' as LangChain names it")] = "local"
    role_models: Annotated[dict[str, str], Field(description="another model for single roles, such as plan")] = field(
        default_factory=dict
    )
    decision_method: Annotated[
        DecisionMethod, Field(description="how decisions are constrained; auto goes by the model's profile")
    ] = "auto"
    catalog: Annotated[str, Field(description="'demo', or the path of a catalogue file")] = "demo"
    documentation: Annotated[
        Documentation,
        Field(
            description="what models see of an API: its instruction where there is one (EasyTool), that without the"
            " example, its documentation without markup, or as it is"
        ),
    ] = "instructions"
    top_k: Annotated[int, Field(description="candidate APIs per subtask", ge=1)] = 10
    token_budget: Annotated[int, Field(description="hard limit of tokens per query", ge=1)] = 200_000
    approval: Annotated[
        Approval,
        Field(
            description="ask before a call: never, before those that may write, always, or auto: those that may write,"
            " where the run can wait for a person"
        ),
    ] = "auto"
    call_timeout: Annotated[float, Field(description="seconds one call may take", gt=0, le=MOST["call_timeout"])] = 30.0
    call_retries: Annotated[
        int, Field(description="further tries of a call that may yet work", ge=0, le=MOST["call_retries"])
    ] = 2

    def __new__(cls, **given: object) -> Self:
        """Note which settings are given: see `contexts.within`."""
        made = super().__new__(cls)
        object.__setattr__(made, "_given", frozenset(given))
        return made

    def __post_init__(self) -> None:
        """Check the settings; an InputError says which is out of its bounds, or no choice."""
        check(self)

    @property
    def call_limits(self) -> Limits:
        """The limits of one call."""
        return Limits(timeout=self.call_timeout, retries=self.call_retries)


@dataclass(frozen=True, kw_only=True)
class Context(CommonContext):
    """Which model, which catalogue, and every limit. Times are in seconds, the budget in tokens."""

    observation_characters: Annotated[int, Field(description="longest response shown to a model", ge=1)] = 2_000

    shown: Annotated[
        int, Field(description="of the candidates that search found, how many to choose from at a time", ge=1)
    ] = 5
    action_form: Annotated[
        ActionForm,
        Field(description="how an agent calls: native tool calls, or a decision in JSON; auto goes by the profile"),
    ] = "auto"
    solver_calls: Annotated[int, Field(description="hard limit of calls in one attempt of a solver", ge=1)] = 10
    solver_context: Annotated[
        int,
        Field(
            description="tokens of its conversation that a solver is shown; fewer where its model is known to see less",
            ge=1,
        ),
    ] = 32_000
    branches: Annotated[
        int, Field(description="ways that a depth-first search tries from a node", ge=1, le=MOST["branches"])
    ] = 2
    registration: Annotated[
        Mode,
        Field(
            description="which tools the agent sees in full: all, those it registers on demand (EcoAct), or auto: on"
            " demand where all together are long"
        ),
    ] = "all"
    register_above: Annotated[
        int, Field(description="tokens of all tools in full above which auto registers on demand", ge=1)
    ] = 1_200
    register_several: Annotated[bool, Field(description="one call may register several tools")] = False
    listing: Annotated[Listing, Field(description="what is listed of tools that can be registered")] = "names"
    delivery: Annotated[
        Delivery, Field(description="a registered tool's schema is bound, or is the result of registering it")
    ] = "bind"
    feeding: Annotated[
        bool, Field(description="tell the planner which tool's output another one needs, and look such tools up")
    ] = False
    plan_only: Annotated[
        bool, Field(description="reverse_chain plans and calls nothing; a graph that must call to go on refuses it")
    ] = False
    max_subtasks: Annotated[int, Field(description="subtasks a plan may have", ge=1)] = 6
    max_steps: Annotated[int, Field(description="steps of a trajectory", ge=1)] = 3
    max_calls: Annotated[int, Field(description="hard limit of calls per subtask, failed and refused too", ge=1)] = 6
    expansion: Annotated[
        bool, Field(description="search also for what the model says of the tool that a task needs")
    ] = True
    planner: Annotated[bool, Field(description="split the query into subtasks")] = True
    grounding: Annotated[
        bool, Field(description="refuse numbers that stand in no known text; Smurfs doubts calls without the task's")
    ] = True
    answerer: Annotated[bool, Field(description="digest each response; off: keep it raw")] = True
    today: Annotated[Day, Field(description="the day, YYYY-MM-DD, that `tomorrow` goes by; empty: the clock's")] = ""
    votes: Annotated[int, Field(description="votes that a judge's verdict is made of", ge=1, le=MOST["votes"])] = 1
    unsure: Annotated[
        Unsure, Field(description="how an answer counts when the judge cannot tell whether it solves the query")
    ] = "unsolved"
    retriever: Annotated[
        Retriever,
        Field(description="who searches the catalogue: agents in a hierarchy, one for all, or a baseline (AnyTool)"),
    ] = "hierarchy"
    pool_size: Annotated[int, Field(description="hard limit of APIs in the pool (64 in AnyTool's paper)", ge=1)] = 64
    least_pool: Annotated[
        int,
        Field(
            description="APIs that the pool has at least: search fills what agents leave open, from where they looked"
            " first; 0 is agents alone, as in the paper",
            ge=0,
        ),
    ] = 0
    tools_per_agent: Annotated[
        int, Field(description="tools a tool agent may have (K in AnyTool's paper)", ge=1, le=MOST["tools_per_agent"])
    ] = 5
    agent_turns: Annotated[int, Field(description="turns that an agent of the search may take", ge=1)] = 20
    agent_context: Annotated[
        int, Field(description="tokens of its turns that an agent of the search is shown; its newest is whole", ge=1)
    ] = 4_000
    parallel_agents: Annotated[
        int, Field(description="agents of the search that take a turn at a time", ge=1, le=MOST["parallel_agents"])
    ] = 32
    page: Annotated[int, Field(description="names on a page of a listing", ge=1)] = 20
    search_function: Annotated[bool, Field(description="agents can search the catalogue by words, too")] = False
    check_function: Annotated[
        bool, Field(description="agents can ask whether the pool suffices; a yes ends the search for all")
    ] = True
    plain_detail: Annotated[
        PlainDetail, Field(description="what a plain agent is shown of each API (appendix A.4 of AnyTool's paper)")
    ] = "names"
    solver: Annotated[Solver, Field(description="who answers with the pool: dfsdt, or react (chain of thought)")] = (
        "dfsdt"
    )
    max_reflections: Annotated[
        int, Field(description="how often an unsolved query is tried again", ge=0, le=MOST["max_reflections"])
    ] = 6
    reactivated: Annotated[
        Reactivated, Field(description="agents woken by a reflection: none, tool agents, category agents too, all")
    ] = "all"
    retrieval_part: Annotated[
        float, Field(description="part of the tokens left that one search may spend, before a solver", gt=0, le=1)
    ] = 0.6
    try_part: Annotated[
        float, Field(description="part of the tokens left that one try may spend, while others can follow", gt=0, le=1)
    ] = 0.6

    @property
    def registering(self) -> Registration:
        """How tools come into an agent's sight."""
        return Registration(
            mode=self.registration,
            several=self.register_several,
            listing=self.listing,
            delivery=self.delivery,
            above=self.register_above,
        )

    @property
    def call_limits(self) -> Limits:
        """The limits of one call, and of what is kept of its response."""
        return replace(super().call_limits, characters=self.observation_characters)
