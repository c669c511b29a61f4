"""What runs: one compiled state graph a file. `build(...)` makes a graph, `graph` is it."""

import pkgutil
from importlib import import_module
from types import ModuleType

from toolquiver.errors import InputError

__all__ = ["answering", "answering_names", "graph_module", "graph_names"]


def graph_names() -> list[str]:
    """The names of all graphs, in alphabetical order: every module of this package is one."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def graph_module(name: str) -> ModuleType:
    """The module of a graph, with its `build` and `graph`.

    Raises:
        InputError: there is no such graph.
    """
    if name not in graph_names():
        raise InputError(f"There is no graph {name!r}. There are: {', '.join(graph_names())}.")
    return import_module(f"{__name__}.{name}")


def answering_names() -> list[str]:
    """The names of the graphs that take a query and give an answer with a status."""
    return [name for name in graph_names() if _answers(graph_module(name))]


def answering(name: str) -> ModuleType:
    """The module of a graph that takes a query and gives an answer with a status.

    Raises:
        InputError: there is no such graph, or it answers nothing.
    """
    if name not in graph_names():
        raise InputError(f"There is no graph {name!r}. Those that answer are: {', '.join(answering_names())}.")
    module = graph_module(name)
    if not _answers(module):
        raise InputError(f"The graph {name!r} answers no questions. `toolquiver draw {name}` shows what it does.")
    return module


def _answers(module: ModuleType) -> bool:
    return bool("status" in module.graph.channels)
