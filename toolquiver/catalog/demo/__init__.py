"""A catalogue of small APIs that work offline, on the data of PyPI packages."""

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from inspect import getdoc
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool, ToolException

from toolquiver.errors import CatalogError

__all__ = ["tools"]

MODULES = (
    "airports",
    "arithmetic",
    "banking",
    "barcodes",
    "body",
    "books",
    "business_days",
    "calendars",
    "chinese_calendar",
    "cities",
    "colours",
    "countries",
    "currencies",
    "dates",
    "elements",
    "encoding",
    "finance",
    "geodesy",
    "geometry",
    "iso_codes",
    "languages",
    "molecules",
    "moon",
    "networks",
    "number_theory",
    "phone_numbers",
    "planets",
    "probability",
    "public_holidays",
    "quick_units",
    "schedules",
    "statistic",
    "sun",
    "text",
    "timezones",
    "units",
    "us_states",
    "versions",
    "words",
)


def tools() -> list[BaseTool]:
    """Makes the demo's APIs into tools, their category and tool of origin in the metadata.

    Raises:
        CatalogError: A package of the `demo` extra is not installed.
    """
    made: list[BaseTool] = []
    for name in MODULES:
        try:
            module = import_module(f"{__name__}.{name}")
        except ModuleNotFoundError as error:
            raise CatalogError(f"the demo catalogue needs {error.name}: pip install 'toolquiver[demo]'") from error
        metadata = {"category": module.CATEGORY, "tool": module.TOOL, "effect": "read"}  # all only compute
        made += [
            StructuredTool.from_function(
                _bounded(api), name=api.__name__, description=getdoc(api) or "", metadata=metadata
            )
            for api in module.APIS
        ]
    return made


def _bounded(api: Callable[..., Any]) -> Callable[..., Any]:
    """Makes numbers too large or too small to reckon with a failure of the API, like its others."""

    @wraps(api)
    def answer(*args: Any, **kwargs: Any) -> Any:
        try:
            return api(*args, **kwargs)
        except (ArithmeticError, ValueError) as error:
            raise ToolException(f"an argument is out of range: {error}") from error

    return answer
