"""LangChain tools out of a module that the user names, as `module:attribute`."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from toolquiver.errors import CatalogError

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool


def is_module_path(location: str) -> bool:
    """Whether a location is written `module:attribute`, both maybe dotted."""
    parts = location.split(":")
    return len(parts) == 2 and all(name.isidentifier() for part in parts for name in part.split("."))  # noqa: PLR2004


def load_tools(location: str) -> list[BaseTool]:
    """The tools that `module:attribute` leads to; the module is found in the current folder too, and runs.

    The attribute is a list of tools, one tool, a toolkit with `get_tools()`, or a function that returns any of these.

    Raises:
        CatalogError: there is no such module or attribute, it fails, or it is something else.
    """
    from langchain_core.tools import BaseTool  # noqa: PLC0415 - only whoever calls or imports pays for it

    found = attribute_at(location)
    if callable(found) and not isinstance(found, BaseTool) and not _is_toolkit(found):
        found = _made(location, found)
    if _is_toolkit(found):
        found = _made(location, found.get_tools)
    tools = [found] if isinstance(found, BaseTool) else found
    if not isinstance(tools, list | tuple):
        raise CatalogError(f"{location} is no list of LangChain tools but a {type(found).__name__}. Name such a list.")
    for tool in tools:
        if not isinstance(tool, BaseTool):
            raise CatalogError(
                f"{location} has a {type(tool).__name__} among its tools. Make each a LangChain tool, with @tool."
            )
    return list(tools)


def attribute_at(location: str) -> Any:
    """What `module:attribute` leads to; the module is found in the current folder too, and runs.

    Raises:
        CatalogError: there is no such module or attribute, or the module fails.
    """
    if not is_module_path(location):
        raise CatalogError(f"{location!r} is not written module:attribute, such as my_tools:tools. Write it so.")
    name, _, attribute = location.partition(":")
    module = _module(name)
    try:
        return attrgetter(attribute)(module)
    except AttributeError as error:
        raise CatalogError(f"{location} cannot be found: {error}. Correct the name after the colon.") from error


def _module(name: str) -> ModuleType:
    # As `python -m` and uvicorn do it. It stays, for a tool may import more when it is called.
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
    importlib.invalidate_caches()
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if f"{name}.".startswith(f"{error.name}."):
            raise CatalogError(
                f"There is no module {name!r}. Run this in the folder that holds it, or put that on PYTHONPATH."
            ) from error
        raise CatalogError(f"The module {name!r} needs {error.name!r}, which is not there. Install it.") from error
    except (Exception, SystemExit) as error:
        raise _broken(f"The module {name!r}", error) from error


def _made(location: str, make: Callable[[], Any]) -> Any:
    try:
        made = make()
    except (Exception, SystemExit) as error:
        raise _broken(location, error) from error
    if inspect.iscoroutine(made):
        made.close()
        raise CatalogError(f"{location} is an async function. Name a plain one, or a list of tools.")
    return made


def _broken(what: str, error: BaseException) -> CatalogError:
    return CatalogError(f"{what} fails: {type(error).__name__}: {error}. Correct it there.")


def _is_toolkit(found: Any) -> bool:
    return not isinstance(found, type) and callable(getattr(found, "get_tools", None))
