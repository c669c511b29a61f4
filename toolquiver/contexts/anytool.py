"""The settings of AnyTool and of its retriever."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from toolquiver.bounds import MOST, ActionForm, PlainDetail, Reactivated, Retriever, Solver
from toolquiver.contexts.judge import JudgeContext, VotingContext
from toolquiver.registration import Mode


@dataclass(frozen=True, kw_only=True)
class RetrieverContext(VotingContext):
    """The settings of AnyTool's retriever: these, and no others. The defaults are the paper's, where it has one."""

    retriever: Annotated[
        Retriever,
        Field(description="who searches: agents in a hierarchy, one for all (table 3), or a baseline (A.4, A.5)"),
    ] = "hierarchy"
    pool_size: Annotated[int, Field(description="hard limit of APIs in the pool (table 6)", ge=1)] = 64
    tools_per_agent: Annotated[
        int, Field(description="tools that a tool agent may have, K (table 7)", ge=1, le=MOST["tools_per_agent"])
    ] = 5
    searched_apis: Annotated[
        int, Field(description="search only so many APIs of the catalogue, drawn at random (table 5); 0: all", ge=0)
    ] = 0
    check_function: Annotated[
        bool, Field(description="agents can ask whether the pool suffices; a yes ends the search for all")
    ] = True
    plain_detail: Annotated[
        PlainDetail, Field(description="what the plain baseline is shown of each API (table 10)")
    ] = "names"
    agent_turns: Annotated[int, Field(description="turns that an agent may take each time it is woken", ge=1)] = 20
    agent_context: Annotated[
        int, Field(description="tokens of its conversation that an agent is shown; its newest turn is whole", ge=1)
    ] = 32_000
    parallel_agents: Annotated[
        int, Field(description="agents that take a turn at a time", ge=1, le=MOST["parallel_agents"])
    ] = 32
    page: Annotated[int, Field(description="names on a page of a listing", ge=1)] = 20
    action_form: Annotated[
        ActionForm,
        Field(description="how an agent calls: native tool calls, or a decision in JSON; auto goes by the profile"),
    ] = "auto"


@dataclass(frozen=True, kw_only=True)
class AnyToolContext(RetrieverContext, JudgeContext):
    """The settings of AnyTool: these, and no others. The defaults are the paper's, where it has one."""

    solver: Annotated[Solver, Field(description="who answers with the pool: dfsdt, or react (CoT, table 3)")] = "dfsdt"
    max_reflections: Annotated[
        int,
        Field(
            description="how often an unsolved query is tried again; 0: never (table 3)",
            ge=0,
            le=MOST["max_reflections"],
        ),
    ] = 6
    reactivated: Annotated[
        Reactivated,
        Field(description="agents that a reflection wakes: none, tool agents, category agents too, or all (table 4)"),
    ] = "all"
    retrieval_part: Annotated[
        float, Field(description="part of the tokens left that one search may spend, before a solver", gt=0, le=1)
    ] = 0.6
    solver_calls: Annotated[int, Field(description="hard limit of calls in one try of the solver", ge=1)] = 10
    max_steps: Annotated[int, Field(description="turns in a row that the solver may take", ge=1)] = 12
    branches: Annotated[int, Field(description="ways that dfsdt tries from a node", ge=1, le=MOST["branches"])] = 2
    registration: Annotated[
        Mode,
        Field(description="APIs that the solver sees in full: all, on demand (EcoAct), or auto: all of a short list"),
    ] = "all"
