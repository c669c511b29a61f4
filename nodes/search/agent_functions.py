"""What the agents of a search can call: the functions of AnyTool's Table 8, each with the names that exist."""

from __future__ import annotations

from collections.abc import Sequence

from toolquiver.catalog import JsonSchema
from toolquiver.models import Function, function_with

CREATE_CATEGORY, CREATE_TOOL = "create_agent_category_level", "create_agent_tool_level"
TOOLS_IN, TOOL_DESCRIPTIONS = "get_tools_in_category", "get_tool_descriptions"
APIS_IN, API_DETAIL = "get_APIs_in_tool", "get_API_detail"
ADD, CHECK, FINISH, SEARCH = "add_API_into_API_pool", "check_if_request_solvable", "finish_search", "search_apis"

LISTINGS = (TOOLS_IN, APIS_IN, SEARCH)
"""Those that show a page at a time."""

_MOST = 64  # names in a call: the paper's pool has no more

CATEGORY, TOOLS, TOOL, APIS, PAGE, TEXT = "category_name", "tools", "tool_name", "APIs", "page", "text"

FINISH_SEARCH = function_with(FINISH, "End your search: you are done for good.", {})
CHECK_SOLVABLE = function_with(CHECK, "Ask whether the request can be solved with the pool as it is now.", {})


def create_category(categories: Sequence[str]) -> Function:
    """Make a category agent."""
    return function_with(
        CREATE_CATEGORY, "Give a category to an agent that looks through it.", {CATEGORY: _one(categories)}
    )


def create_tool(tools: Sequence[str], most: int) -> Function:
    """Make a tool agent for at most so many tools."""
    return function_with(
        CREATE_TOOL,
        f"Give up to {most} similar tools to an agent that looks through their APIs.",
        some(TOOLS, tools, most),
    )


def tools_in(categories: Sequence[str]) -> Function:
    """List a category's tools."""
    told = "List a category's tools, a page at a time, the likeliest first."
    return _with_page(TOOLS_IN, told, CATEGORY, _one(categories))


def tool_descriptions(tools: Sequence[str]) -> Function:
    """Describe tools."""
    return function_with(TOOL_DESCRIPTIONS, "Describe tools that were listed.", some(TOOLS, tools))


def apis_in(tools: Sequence[str]) -> Function:
    """List a tool's APIs."""
    return _with_page(APIS_IN, "List a tool's APIs, a page at a time, the likeliest first.", TOOL, _one(tools))


def search_apis() -> Function:
    """Search by words."""
    told = "Search for APIs by words, a page at a time, the likeliest first."
    return _with_page(SEARCH, told, TEXT, {"type": "string", "maxLength": 200})


def api_detail(apis: Sequence[str]) -> Function:
    """Describe APIs in full."""
    return function_with(API_DETAIL, "Show APIs that were listed in full.", some(APIS, apis))


def add_api(apis: Sequence[str]) -> Function:
    """Put APIs into the pool."""
    return function_with(ADD, "Put APIs that the request may need into the pool.", some(APIS, apis))


def some(key: str, names: Sequence[str], most: int | None = None, least: int = 1) -> dict[str, JsonSchema]:
    """An argument with some of the names that exist."""
    # Without an end a small model that must fit the schema repeats itself until its tokens are spent.
    end = most or min(len(names), _MOST)
    return {key: {"type": "array", "items": _one(names), "minItems": least, "maxItems": end}}


def _one(names: Sequence[str]) -> JsonSchema:
    return {"type": "string", "enum": list(names)}


def _with_page(name: str, description: str, key: str, value: JsonSchema) -> Function:
    """A function with a page that may be left out."""
    function = function_with(name, description, {key: value, PAGE: {"type": "integer", "minimum": 1}})
    return Function(**{**function, "parameters": function["parameters"] | {"required": [key]}})
