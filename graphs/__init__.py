"""What runs: one compiled state graph a file. `build(...)` makes a graph, `graph` is it."""

import pkgutil
from importlib import import_module
from types import ModuleType

from toolquiver.errors import InputError

__all__ = ["answering", "graph_module", "graph_names"]


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


def answering(name: str) -> ModuleType:
    """The module of a graph that takes a query and gives an answer with a status, as all but the judge do.

    Raises:
        InputError: there is no such graph, or it answers nothing.
    """
    module = graph_module(name)
    if "status" not in module.graph.channels:
        raise InputError(f"The graph {name!r} answers no questions. `toolquiver draw {name}` shows what it does.")
    return module
