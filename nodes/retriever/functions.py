"""What each kind of agent can call (AnyTool, table 8).

The functions stay the same from turn to turn, and no list of names stands in them: names are said once, in the prompt
or in what a function returns. A name that does not exist is answered with so much.
"""

from __future__ import annotations

from typing import Any, Literal

from toolquiver.models import Function, function_with
from toolquiver.nodes.agents import Kind

CREATE_CATEGORY, CREATE_TOOL = "create_agent_category_level", "create_agent_tool_level"
TOOLS_IN, TOOL_DESCRIPTIONS = "get_tools_in_category", "get_tool_descriptions"
APIS_IN, API_DETAIL = "get_APIs_in_tool", "get_API_detail"
ADD, CHECK, FINISH = "add_API_into_API_pool", "check_if_request_solvable", "finish_search"
CATEGORY, TOOLS, TOOL, APIS, PAGE = "category_name", "tools", "tool_name", "APIs", "page"

_MOST = 64  # names in a call
_NAME = {"type": "string", "description": "as it was listed"}
_PAGED = {"type": "integer", "minimum": 1, "description": "1 unless given"}


def _names(most: int = _MOST) -> dict[str, Any]:
    # Without an end a small model that must fit the schema repeats itself until its tokens are spent.
    return {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": most, "description": "as listed"}


def _paged(name: str, description: str, key: str) -> Function:
    function = function_with(name, description, {key: _NAME, PAGE: _PAGED})
    return Function(**{**function, "parameters": function["parameters"] | {"required": [key]}})


_FUNCTIONS: dict[str, Function] = {
    CREATE_CATEGORY: function_with(CREATE_CATEGORY, "Give a category to an agent of its own.", {CATEGORY: _NAME}),
    TOOLS_IN: _paged(TOOLS_IN, "List the tools of a category, a page at a time.", CATEGORY),
    TOOL_DESCRIPTIONS: function_with(TOOL_DESCRIPTIONS, "Say what tools are for.", {TOOLS: _names()}),
    APIS_IN: _paged(APIS_IN, "List the APIs of a tool, a page at a time.", TOOL),
    API_DETAIL: function_with(API_DETAIL, "Show APIs in full: inputs, outputs, purpose.", {APIS: _names()}),
    ADD: function_with(ADD, "Put APIs that the request may need into the pool.", {APIS: _names()}),
    CHECK: function_with(CHECK, "Ask whether the request can be solved with the pool that all agents fill.", {}),
    FINISH: function_with(FINISH, "End your search for good: you will never be asked again.", {}),
}
_OF: dict[Kind | Literal["plain"], tuple[str, ...]] = {
    "meta": (CREATE_CATEGORY, TOOLS_IN, TOOL_DESCRIPTIONS, FINISH),
    "category": (CREATE_TOOL, TOOLS_IN, TOOL_DESCRIPTIONS, FINISH),
    "tool": (ADD, APIS_IN, API_DETAIL, CHECK, FINISH),
    "flat": (TOOLS_IN, TOOL_DESCRIPTIONS, APIS_IN, API_DETAIL, ADD, CHECK, FINISH),
    "plain": (ADD, FINISH),
}


def functions_of(kind: Kind | Literal["plain"], *, most_tools: int, checks: bool) -> list[Function]:
    """The functions of an agent of this kind.

    `most_tools` is how many tools a tool agent may have; `checks` says whether agents may ask about the pool.
    """
    create = function_with(
        CREATE_TOOL, f"Give up to {most_tools} similar tools to an agent of their own.", {TOOLS: _names(most_tools)}
    )
    every = _FUNCTIONS | {CREATE_TOOL: create}
    return [every[name] for name in _OF[kind] if checks or name != CHECK]
