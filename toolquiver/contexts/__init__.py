"""The settings of the graphs, each in a file of its own, and what follows from those that a run names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TypeVar

from toolquiver.calling.approval import stricter
from toolquiver.context import Context
from toolquiver.contexts.anytool import AnyToolContext, RetrieverContext
from toolquiver.contexts.clocked import ClockedContext
from toolquiver.contexts.easytool import EasyToolContext, PipelineContext
from toolquiver.contexts.judge import JudgeContext, VotingContext
from toolquiver.contexts.quiver import QuiverContext
from toolquiver.contexts.reverse_chain import ReverseChainContext
from toolquiver.contexts.smurfs import SmurfsContext
from toolquiver.contexts.solver import DfsdtContext, ReactContext, SolverContext
from toolquiver.errors import InputError

__all__ = [
    "AnyToolContext",
    "ClockedContext",
    "DfsdtContext",
    "EasyToolContext",
    "JudgeContext",
    "PipelineContext",
    "QuiverContext",
    "ReactContext",
    "RetrieverContext",
    "ReverseChainContext",
    "SmurfsContext",
    "SolverContext",
    "VotingContext",
    "common_of",
    "settings_for",
    "within",
]

Settings = TypeVar("Settings", bound=Context)


def within(kind: type[Settings], given: Context) -> Settings:
    """Settings with a graph's own defaults, those of `kind`: what was given is kept, all else takes these defaults.

    A context of that kind stays as it is. Where it is not known what was given (after `dataclasses.replace`, or from
    Pydantic), what equals the usual default counts as not given.

    Raises:
        InputError: something is set that graphs with settings of this `kind` do not have.
    """
    if isinstance(given, kind):
        return given
    named, known = _named(given), {one.name for one in fields(kind)}
    if unknown := sorted(named - known):
        raise InputError(f"This graph has no setting {unknown[0]!r}. It has: {', '.join(sorted(known))}.")
    return kind(**{name: getattr(given, name) for name in named})


def common_of(own: Settings, given: Context) -> Settings:
    """The settings of a graph inside another one: what every graph reads, as the one around it has it."""
    named = {one.name: getattr(given, one.name) for one in fields(Context)}
    return replace(own, **named | {"approval": stricter(given.approval, own.approval)})


def _named(given: Context) -> frozenset[str]:
    """The names of the settings that were given, as far as that is known."""
    noted, every = getattr(given, "_given", None), fields(given)
    if noted is not None and len(noted) < len(every):
        return frozenset[str](noted)
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
    if isinstance(given, Context):
        if inside and type(given) is not Context and not isinstance(given, type(own)):
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
