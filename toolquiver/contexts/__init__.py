"""The settings of graphs whose parts work together under other defaults than they have alone."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, replace
from typing import TypeVar, cast

from pydantic import GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from toolquiver.calling.approval import stricter
from toolquiver.context import CommonContext, Context
from toolquiver.contexts.anytool import AnyToolContext, RetrieverContext
from toolquiver.contexts.judge import JudgeContext, VotingContext
from toolquiver.contexts.quiver import QuiverContext
from toolquiver.errors import InputError

CALLING = frozenset(["approval", "call_retries", "call_timeout", "observation_characters"])
REGISTERED = frozenset(["listing", "register_above", "register_several", "registration"])
SOUGHT = frozenset(["expansion", "feeding", "top_k"])
FOUND = SOUGHT | {"shown"}
ACTING = frozenset(["action_form"])
CHAINED = frozenset(["completion", "max_depth"])
ASKED = frozenset(["ask"])
PLANS = frozenset(["plan_only"])
PLANNED = frozenset(["drafts", "grounding", "max_calls", "max_steps", "max_subtasks", "planner", "today"])
EXECUTED = frozenset(
    "answerer chain_budget chain_fill chain_missing formulas lookups pages rollback runoff subtask_part think_first"
    " thinker tool_check verifier".split()
)
SOLVED = (
    frozenset(["branches", "delivery", "max_turns", "solver_calls", "solver_context"]) | CALLING | REGISTERED | ACTING
)
DOCUMENTED = frozenset(["describe", "document_tokens", "examples_at_once", "max_repairs", "try_examples"])
_PARTS = (
    CALLING,
    REGISTERED,
    FOUND,
    ACTING,
    CHAINED,
    ASKED,
    PLANS,
    PLANNED,
    EXECUTED,
    SOLVED,
    DOCUMENTED,
)
"""What sets single parts of graphs; all other settings, as `model` and `token_budget`, are of use to every graph."""

__all__ = [
    "AnyToolContext",
    "JudgeContext",
    "QuiverContext",
    "RetrieverContext",
    "VotingContext",
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
    """The settings of a graph inside another one: what every graph reads, as the one around it has it.

    The one around it may have further settings for the graphs inside it, and names them in `handed_down`.
    """
    handed = {one.name for one in fields(own)} & getattr(given, "handed_down", frozenset())
    names = handed | {one.name for one in fields(CommonContext)}
    named = {name: getattr(given, name) for name in names}
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
