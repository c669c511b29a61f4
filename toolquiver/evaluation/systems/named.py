"""A system by its name, with a model and settings."""

from __future__ import annotations

from typing import Any, cast, get_args

from langchain_core.language_models import BaseChatModel
from langgraph.checkpoint.base import BaseCheckpointSaver
from pydantic import JsonValue

from toolquiver.catalog.modules import is_module_path
from toolquiver.context import Context
from toolquiver.contexts import ReactContext
from toolquiver.errors import InputError
from toolquiver.evaluation.records import System
from toolquiver.evaluation.systems.ablations import ABLATIONS, ECOACT, ECOACT_STEPS
from toolquiver.evaluation.systems.agent import AgentSystem
from toolquiver.evaluation.systems.graphs import GraphSystem
from toolquiver.evaluation.systems.nested import NestedSystem, Way
from toolquiver.evaluation.systems.own import own_system
from toolquiver.evaluation.systems.settings import context_with
from toolquiver.graphs import answering, answering_names, graph_names

AGENT = "create_agent"
WHOLE = "quiver"
_WAYS: tuple[Way, ...] = get_args(Way)


def system_names() -> list[str]:
    """Our graphs that answer, EcoAct under both solvers, quiver without each of its parts, and the baselines.

    Beside these `module:attribute` is an agent of a user's own.
    """
    return [*answering_names(), *ECOACT, *ABLATIONS, AGENT, *_WAYS]


def system_named(
    name: str,
    *,
    model: BaseChatModel | None = None,
    settings: dict[str, JsonValue] | None = None,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    run: str = "",
) -> System:
    """The system of this name; `model` answers for all but a user's own agent, which has its own.

    `settings` are values of fields of the graph's context. Unless they say so, quiver asks the user nothing, and no
    graph asks before a call (`approval`, `auto` too), because nobody is there to reply. `checkpointer` keeps a question
    in progress, of a graph alone.

    Raises:
        InputError: there is no such system, or it does not take what is given.
    """
    settings = _with_fixed(name, settings or {})
    kind, name = settings_kind(name), _graph_of(name)
    if name == WHOLE:
        settings = {"ask": False, **settings}
    graph = name in graph_names()
    if checkpointer is not None and not graph:
        raise InputError(f"{name} keeps no checkpoints. Leave them out, or measure a graph.")
    if is_module_path(name):
        if settings:
            raise InputError(f"{name} takes no settings. Set them in the module, or name another function there.")
        return own_system(name)
    if not graph and name not in (AGENT, *_WAYS):
        known = ", ".join(system_names())
        raise InputError(f"There is no system {name!r}. There are: {known}, and your own as module:attribute.")
    context: Any = context_with(settings, kind)
    if model is None:
        raise InputError(f"{name} needs a model. Give one.")
    if graph:
        return GraphSystem(
            build=answering(name).build, model=model, context=context, checkpointer=checkpointer, run=run
        )
    if name == AGENT:
        return AgentSystem(model=model, context=context)
    return NestedSystem(way=cast("Way", name), model=model, context=context)


def settings_kind(name: str) -> type[Context]:
    """The kind of context whose settings a system takes; that of all graphs where there is no such system.

    Raises:
        InputError: the graph of this name answers no questions.
    """
    graph = _graph_of(name)
    if graph in graph_names():
        return cast("type[Context]", answering(graph).graph.context_schema)
    return ReactContext if graph == AGENT else Context


def _graph_of(name: str) -> str:
    """The graph of a system that is one under certain settings; else the system's own name."""
    if name in ECOACT:
        return ECOACT[name][0]
    return WHOLE if name in ABLATIONS else name


def _with_fixed(name: str, settings: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """These settings with those that make a system what it is.

    Raises:
        InputError: one of the latter is given with another value, which the system would not have.
    """
    if name in ECOACT:
        settings = {"max_steps": ECOACT_STEPS, **settings}
    fixed = ECOACT[name][1] if name in ECOACT else ABLATIONS.get(name, {})
    for setting, value in settings.items():
        if setting in fixed and value != fixed[setting]:
            whole = _graph_of(name)
            raise InputError(
                f"{name} has {setting}={fixed[setting]!r} always. Leave that setting out, or measure {whole}."
            )
    return settings | fixed
