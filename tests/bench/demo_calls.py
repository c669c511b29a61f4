"""The calls that the demo's questions take, recorded while their answers are worked out by the demo's own functions."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import wraps
from importlib import import_module
from types import ModuleType
from typing import Any

import toolquiver.catalog.demo
from tests.e2e import questions_fresh, questions_tuned
from toolquiver.catalog.demo import tools

Recorded = list[tuple[str, dict[str, Any]]]


def calls_of_questions() -> list[tuple[str, Recorded]]:
    """Each question of the demo with its calls in order, as function name and arguments.

    An argument that an earlier call returned as a field is a reference to it: `$n.field`.
    """
    found = []
    for question in [*questions_tuned.QUESTIONS, *questions_fresh.QUESTIONS]:
        with _recording() as calls:
            question.facts()
        if calls:
            found.append((question.text, _linked(calls)))
    return found


@contextmanager
def _recording() -> Iterator[list[tuple[str, dict[str, Any], Any]]]:
    """Record the calls of the demo's functions, each once, with what they return."""
    made: list[tuple[str, dict[str, Any], Any]] = []
    names = {tool.name for tool in tools()}
    replaced: list[tuple[ModuleType, str, Any]] = []
    for module in _modules():
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if name in names:
                replaced.append((module, name, function))
                setattr(module, name, _recorded(function, name, made))
    try:
        yield made
    finally:
        for module, name, function in replaced:
            setattr(module, name, function)


def _modules() -> list[ModuleType]:
    package = toolquiver.catalog.demo
    return [import_module(f"{package.__name__}.{one.name}") for one in pkgutil.iter_modules(package.__path__)]


def _recorded(function: Any, name: str, made: list[tuple[str, dict[str, Any], Any]]) -> Any:
    @wraps(function)
    def recording(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        arguments = dict(inspect.signature(function).bind(*args, **kwargs).arguments)
        if (name, arguments) not in [(one, given) for one, given, _ in made]:
            made.append((name, arguments, result))
        return result

    return recording


def _linked(calls: list[tuple[str, dict[str, Any], Any]]) -> Recorded:
    linked: Recorded = []
    for number, (name, arguments, _) in enumerate(calls):
        linked.append((name, {key: _source(value, calls[:number]) for key, value in arguments.items()}))
    return linked


def _source(value: Any, before: list[tuple[str, dict[str, Any], Any]]) -> Any:
    """The field of an earlier result that a value is, where it is one; else the value."""
    if isinstance(value, str | float) or (isinstance(value, int) and abs(value) > 100):
        for number, (_, _, result) in enumerate(before):
            if isinstance(result, dict):
                for field, held in result.items():
                    if type(held) is type(value) and held == value:
                        return f"${number}.{field}"
    return value
