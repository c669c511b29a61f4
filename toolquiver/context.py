"""The settings of a run: plain values only, so that Studio draws them as a form."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, Self

from pydantic import Field

from toolquiver.bounds import (
    MOST,
    ActionForm,
    CompletionMode,
    Day,
    DecisionMethod,
    Described,
    Examples,
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
            description="what models see of an API: its instruction where there is one (EasyTool), with its example too"
            " (small models copy the values), its documentation condensed by rule, or as it is"
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
    max_turns: Annotated[int, Field(description="turns in a row that a solver's agent may take", ge=1)] = 12
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
    completion: Annotated[
        CompletionMode,
        Field(
            description="how a chain completes arguments: at once, one by one, or values first, then APIs"
            " (section 3.2.2 of Reverse Chain's paper); auto goes by the model's profile"
        ),
    ] = "auto"
    drafts: Annotated[bool, Field(description="a chain takes what holds of a nested call that is written first")] = True
    max_depth: Annotated[int, Field(description="calls that a chain may nest", ge=1, le=MOST["max_depth"])] = 6
    feeding: Annotated[
        bool, Field(description="tell the planner which tool's output another one needs, and look such tools up")
    ] = False
    chain_fill: Annotated[
        bool, Field(description="the executor fills arguments by a reverse chain, which looks up what is missing")
    ] = False
    plan_only: Annotated[
        bool, Field(description="reverse_chain plans and calls nothing; a graph that must call to go on refuses it")
    ] = False
    ask: Annotated[
        bool, Field(description="ask the user for arguments that nothing gives; off: end with the list of them")
    ] = True
    lookups: Annotated[
        int,
        Field(
            description="levels of subtasks that look up what a tool lacks, before it is called; 0: later steps do",
            ge=0,
            le=MOST["lookups"],
        ),
    ] = 2
    max_subtasks: Annotated[int, Field(description="subtasks a plan may have", ge=1)] = 6
    max_steps: Annotated[int, Field(description="steps of a trajectory; APIs reverse_chain tries for a goal", ge=1)] = 3
    max_calls: Annotated[int, Field(description="hard limit of calls per subtask, failed and refused too", ge=1)] = 6
    expansion: Annotated[
        bool, Field(description="search also for what the model says of the tool that a task needs")
    ] = True
    planner: Annotated[bool, Field(description="split the query into subtasks")] = True
    thinker: Annotated[bool, Field(description="think after a failure, a hint or a step, among several tools")] = True
    think_first: Annotated[
        bool, Field(description="with thinker, think before a subtask's first choice among several tools too")
    ] = False
    formulas: Annotated[bool, Field(description="a script or formula where all tools at hand only compute")] = True
    pages: Annotated[bool, Field(description="read page by page where all tools at hand tell of named things")] = True
    runoff: Annotated[
        bool, Field(description="choose again where the planner's tool, or search's, and the executor's differ")
    ] = True
    grounding: Annotated[
        bool, Field(description="refuse numbers that stand in no known text; Smurfs doubts calls without the task's")
    ] = True
    answerer: Annotated[bool, Field(description="digest each response; off: keep it raw")] = True
    verifier: Annotated[bool, Field(description="stop a subtask when it is answered; off: go on to max_steps")] = True
    tool_check: Annotated[bool, Field(description="answer at once when no tool is needed")] = False
    today: Annotated[Day, Field(description="the day, YYYY-MM-DD, that `tomorrow` goes by; empty: the clock's")] = ""
    rollback: Annotated[
        bool, Field(description="after a failure try the tools that are left; off: it ends the subtask")
    ] = True
    subtask_part: Annotated[float, Field(description="share of the tokens left for one subtask", gt=0, le=1)] = 1.0
    chain_budget: Annotated[int, Field(description="tokens of a chain that looks up a tool's arguments", ge=1)] = 2_500
    chain_missing: Annotated[
        bool, Field(description="missing arguments are looked up backwards; with drafts, a plan may be a script")
    ] = True
    try_examples: Annotated[
        Examples,
        Field(description="which examples are run before an instruction has them: none, of calls that only read, all"),
    ] = "reading"
    max_repairs: Annotated[
        int, Field(description="how often a failing example is rewritten", ge=0, le=MOST["max_repairs"])
    ] = 2
    document_tokens: Annotated[
        int, Field(description="tokens of documentation shown at once; longer documents are split by API", ge=1)
    ] = 2_000
    describe: Annotated[
        Described, Field(description="what a model describes: what no line of its documentation says, or all")
    ] = "needed"
    examples_at_once: Annotated[
        int, Field(description="functions that one answer writes examples for; 1: each alone, as in the paper", ge=1)
    ] = 4

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
