"""The settings of graphs whose parts work together under other defaults than they have alone."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields, replace
from typing import Annotated, TypeVar, cast

from pydantic import Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from toolquiver.bounds import MOST, AgentSearch
from toolquiver.calling.approval import stricter
from toolquiver.context import Context
from toolquiver.errors import InputError
from toolquiver.registration import Listing, Mode


@dataclass(frozen=True, kw_only=True)
class AnyToolContext(Context):
    """The settings of AnyTool: the same, but its solver does not see a whole pool in full.

    64 APIs are about 7,500 tokens in every turn, which do not fit a small model's context of 8,192.
    """

    registration: Annotated[
        Mode,
        Field(description="which tools the solver sees in full: all, on demand (EcoAct), or auto: all of a short list"),
    ] = "auto"
    register_above: Annotated[
        int, Field(description="tokens of all tools in full above which auto registers on demand", ge=1)
    ] = 3_000


@dataclass(frozen=True, kw_only=True)
class QuiverContext(Context):
    """The settings of quiver: the same, with defaults under which all its parts work together.

    Its agents go down once where search did not suffice: a page each of what fits best, few turns, and no questions of
    theirs whether the pool suffices, which quiver asks itself.
    """

    registration: Annotated[
        Mode, Field(description="which tools are shown in full: all, or one at a time (EcoAct)")
    ] = "on_demand"
    listing: Annotated[Listing, Field(description="what is listed of tools that can be registered")] = "descriptions"
    retriever: Annotated[
        AgentSearch, Field(description="which agents search: those of a hierarchy, or one for all (AnyTool)")
    ] = "hierarchy"
    max_reflections: Annotated[
        int, Field(description="how often an unsolved query is tried again", ge=0, le=MOST["max_reflections"])
    ] = 2
    subtask_part: Annotated[float, Field(description="share of the tokens left for one subtask", gt=0, le=1)] = 0.6
    agent_turns: Annotated[int, Field(description="turns that an agent of the search may take", ge=1)] = 4
    agent_context: Annotated[
        int, Field(description="tokens of its turns that an agent of the search is shown; its newest is whole", ge=1)
    ] = 1_500
    page: Annotated[int, Field(description="names on a page of a listing", ge=1)] = 12
    check_function: Annotated[
        bool, Field(description="agents can ask whether the pool suffices; a yes ends the search for all")
    ] = False


SEARCHED = frozenset(
    "agent_context agent_turns check_function least_pool page parallel_agents plain_detail pool_size retriever"
    " search_function tools_per_agent".split()
)
CALLING = frozenset(["approval", "call_retries", "call_timeout", "observation_characters"])
REGISTERED = frozenset(["listing", "register_above", "register_several", "registration"])
SOUGHT = frozenset(["expansion", "feeding", "top_k"])
FOUND = SOUGHT | {"shown"}
ACTING = frozenset(["action_form"])
JUDGED = frozenset(["unsure", "votes"])
REFLECTED = frozenset(["max_reflections", "reactivated"])
HANDED_OVER = frozenset(["grounding", "retrieval_part", "solver", "try_part"])
CHAINED = frozenset(["completion", "max_depth"])
ASKED = frozenset(["ask"])
PLANS = frozenset(["plan_only"])
PLANNED = frozenset(["drafts", "grounding", "max_calls", "max_steps", "max_subtasks", "planner", "today"])
EXECUTED = frozenset(
    "answerer chain_fill chain_missing formulas lookups pages rollback runoff think_first thinker tool_check"
    " verifier".split()
)
SOLVED = (
    frozenset(["branches", "delivery", "max_turns", "solver_calls", "solver_context"]) | CALLING | REGISTERED | ACTING
)
QUIVERED = frozenset("agents agents_budget chain_budget judging search_decides siblings subtask_part".split())
DOCUMENTED = frozenset(["describe", "document_tokens", "examples_at_once", "max_repairs", "try_examples"])
_PARTS = (
    CALLING,
    REGISTERED,
    FOUND,
    ACTING,
    SEARCHED,
    JUDGED,
    REFLECTED,
    HANDED_OVER,
    CHAINED,
    ASKED,
    PLANS,
    PLANNED,
    EXECUTED,
    SOLVED,
    QUIVERED,
    DOCUMENTED,
)
"""What sets single parts of graphs; all other settings, as `model` and `token_budget`, are of use to every graph."""

Settings = TypeVar("Settings", bound=Context)


def within(kind: type[Context], given: Context) -> Context:
    """Settings with a graph's own defaults, those of `kind`: what was given is kept, all else takes these defaults.

    A context of that kind, or of another graph's own, stays as it is. Where it is not known what was given (after
    `dataclasses.replace`, or from Pydantic), what equals the usual default counts as not given.
    """
    if isinstance(given, kind) or not issubclass(kind, type(given)):
        return given
    return kind(**{name: getattr(given, name) for name in _named(given)})


def _named(given: Context) -> frozenset[str]:
    """The names of the settings that were given, as far as that is known."""
    noted, every = getattr(given, "_given", None), fields(given)
    if noted is not None and len(noted) < len(every):
        return cast("frozenset[str]", noted)
    usual = type(given)()
    return frozenset(one.name for one in every if getattr(given, one.name) != getattr(usual, one.name))


def settings_for(own: Context, given: object, *, inside: bool) -> Context:
    """The settings of a run of a graph whose own are `own`, where `given` is the context of the run.

    What the run does not name stays as the graph was built, and of two settings of `approval` the stricter holds.
    `inside` another graph that may be a context of another kind, a mapping or an object. Its `approval` holds too, if
    it is stricter; other names may mean other things there.

    Raises:
        InputError: what is given is no context, or its `approval` is none.
    """
    if given is None:
        return own
    if isinstance(given, Context):
        return _over(own, within(type(own), given))
    if not inside:
        raise InputError(f"The context is {given!r}. Pass a `Context`, or a dict of its settings.")
    asked = given.get("approval") if isinstance(given, Mapping) else getattr(given, "approval", None)
    if asked is None:
        return own
    return replace(own, approval=stricter(replace(own, approval=asked).approval, own.approval))


def _over(own: Context, given: Context) -> Context:
    """The settings of a run, and beside them those of the graph that the run says nothing about."""
    lacking = {one.name for one in fields(own)} - {one.name for one in fields(given)}
    if lacking:  # the graph was built with settings of its own
        named = {name: getattr(given, name) for name in _named(given)}
        return replace(own, **named | {"approval": stricter(given.approval, own.approval)})
    kept = {name: getattr(own, name) for name in _named(own) - _named(given)}
    kept["approval"] = stricter(given.approval, own.approval)
    differs = any(getattr(given, name) != value for name, value in kept.items())
    return replace(given, **kept) if differs else given


def form_of(settings: type[Settings], *parts: AbstractSet[str]) -> type[Settings]:
    """A subclass of `settings` whose form has only what these parts of a graph use; in code all can be set."""
    hidden = frozenset[str]().union(*_PARTS) - frozenset[str]().union(*parts)

    def shown(core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        written = handler.resolve_ref_schema(handler(core))
        written["properties"] = {name: about for name, about in written["properties"].items() if name not in hidden}
        return written

    names = {"__get_pydantic_json_schema__": staticmethod(shown), "__module__": settings.__module__}
    return cast("type[Settings]", type(settings.__name__, (settings,), names))
