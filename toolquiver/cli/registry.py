"""The graphs by name: every module of `toolquiver.graphs` is one."""

import pkgutil
from importlib import import_module
from types import ModuleType

import toolquiver.graphs
from toolquiver.errors import InputError


def graph_names() -> list[str]:
    """The names of all graphs, in alphabetical order."""
    return sorted(module.name for module in pkgutil.iter_modules(toolquiver.graphs.__path__))


def graph_module(name: str) -> ModuleType:
    """The module of a graph, with its `build` and `graph`.

    Raises:
        InputError: there is no such graph.
    """
    if name not in graph_names():
        raise InputError(f"There is no graph {name!r}. There are: {', '.join(graph_names())}.")
    return import_module(f"toolquiver.graphs.{name}")
