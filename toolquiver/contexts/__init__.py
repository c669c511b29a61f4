"""The settings of graphs whose parts work together under other defaults than they have alone."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields, replace
from typing import Annotated, TypeVar, cast

from pydantic import Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from toolquiver.calling.approval import stricter
from toolquiver.context import CommonContext, Context
from toolquiver.contexts.easytool import EasyToolContext, PipelineContext
from toolquiver.contexts.quiver import QuiverContext
from toolquiver.contexts.reverse_chain import ReverseChainContext
from toolquiver.contexts.smurfs import SmurfsContext
from toolquiver.contexts.solver import DfsdtContext, ReactContext, SolverContext
from toolquiver.errors import InputError
from toolquiver.registration import Mode


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
    max_steps: Annotated[int, Field(description="turns in a row that the solver may take", ge=1)] = 12


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
HANDED_OVER = frozenset(["retrieval_part", "solver", "try_part"])
CHAINED = frozenset(["completion", "max_depth"])
ASKED = frozenset(["ask"])
PLANS = frozenset(["plan_only"])
PLANNED = frozenset(["grounding", "max_calls", "max_steps", "max_subtasks", "planner", "today"])
EXECUTED = frozenset(
    "answerer formulas lookups pages rollback runoff subtask_part think_first thinker tool_check verifier".split()
)
SOLVED = (
    frozenset(["branches", "delivery", "max_steps", "solver_calls", "solver_context", "today"])
    | CALLING
    | REGISTERED
    | ACTING
)
_PARTS = (
    CALLING,
    REGISTERED,
    FOUND,
    ACTING,
    SEARCHED,
    JUDGED,
    REFLECTED,
    HANDED_OVER,
    PLANS,
    PLANNED,
    EXECUTED,
    SOLVED,
)
"""What sets single parts of graphs; all other settings, as `model` and `token_budget`, are of use to every graph."""

__all__ = [
    "AnyToolContext",
    "EasyToolContext",
    "PipelineContext",
    "QuiverContext",
    "common_of",
    "form_of",
    "settings_for",
    "within",
]

Settings = TypeVar("Settings", bound=CommonContext)


def within(kind: type[Settings], given: CommonContext) -> Settings:
    """Settings with a graph's own defaults, those of `kind`: what was given is kept, all else takes these defaults.

    A context of that kind, or of another graph's own, stays as it is. Where it is not known what was given (after
    `dataclasses.replace`, or from Pydantic), what equals the usual default counts as not given.

    Raises:
        InputError: something is set that graphs with settings of this `kind` do not have.
    """
    if isinstance(given, kind) or (isinstance(given, Context) and not issubclass(kind, type(given)) and _is_old(kind)):
        return cast("Settings", given)
    named, known = _named(given), {one.name for one in fields(kind)}
    if unknown := sorted(named - known):
        raise InputError(f"This graph has no setting {unknown[0]!r}. It has: {', '.join(sorted(known))}.")
    return kind(**{name: getattr(given, name) for name in named})


def _is_old(kind: type[CommonContext]) -> bool:
    """Whether graphs with settings of this kind take those of any other such graph."""
    return issubclass(kind, Context)


def common_of(own: Settings, given: CommonContext) -> Settings:
    """The settings of a graph inside another one: what every graph reads, as the one around it has it."""
    named = {one.name: getattr(given, one.name) for one in fields(CommonContext)}
    return replace(own, **named | {"approval": stricter(given.approval, own.approval)})


def _named(given: CommonContext) -> frozenset[str]:
    """The names of the settings that were given, as far as that is known."""
    noted, every = getattr(given, "_given", None), fields(given)
    if noted is not None and len(noted) < len(every):
        return cast("frozenset[str]", noted)
    usual = type(given)()
    return frozenset(one.name for one in every if getattr(given, one.name) != getattr(usual, one.name))


def settings_for(own: Settings, given: object, *, inside: bool) -> Settings:
    """The settings of a run of a graph whose own are `own`, where `given` is the context of the run.

    What the run does not name stays as the graph was built, and of two settings of `approval` the stricter holds.
    `inside` another graph that may be a context of another kind, a mapping or an object. Its `approval` holds too, if
    it is stricter; other names may mean other things there.

    Raises:
        InputError: what is given is no context, or its `approval` is none.
    """
    if given is None:
        return own
    if isinstance(given, CommonContext):
        if inside and not isinstance(given, (type(own), Context)):
            return common_of(own, given)
        return _over(own, within(type(own), given))
    if not inside:
        raise InputError(f"The context is {given!r}. Pass a `Context`, or a dict of its settings.")
    asked = given.get("approval") if isinstance(given, Mapping) else getattr(given, "approval", None)
    if asked is None:
        return own
    return replace(own, approval=stricter(replace(own, approval=asked).approval, own.approval))


def _over(own: Settings, given: Settings) -> Settings:
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
