"""Calling LangChain tools in this process."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from langchain_core.tools import ToolException
from langgraph.errors import GraphBubbleUp
from pydantic import ValidationError
from pydantic_core import to_jsonable_python

from toolquiver.calling.outcome import CallError, Observation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from langchain_core.tools import BaseTool

    from toolquiver.catalog.records import API, ApiId


class PythonCaller:
    """Calls the LangChain tools it was given, by API id."""

    def __init__(self, tools: Mapping[ApiId, BaseTool]) -> None:
        self._tools = tools

    async def call(self, api: API, arguments: dict[str, Any]) -> Observation:
        """Run the tool; whatever it raises becomes a `tool_error`, so a run never dies of a tool."""
        tool = self._tools.get(api.id)
        if tool is None:
            raise CallError(
                "unknown_api",
                f"The Python tool behind {api.id} is not loaded. Pass it: Catalog.open(..., tools=[...]).",
            )
        try:
            return Observation(text=as_text(await _strict(tool).ainvoke(arguments)))
        except (CallError, GraphBubbleUp):  # of a kind that the tool names itself; an interrupt for the user
            raise
        except ValidationError as error:
            raise CallError("invalid_arguments", _brief(error)) from error
        except TimeoutError as error:
            raise CallError("timeout", f"{api.name} took too long: {error}") from error
        except ToolException as error:
            raise CallError("tool_error", str(error) or "The tool failed and did not say why.") from error
        except Exception as error:
            raise CallError("tool_error", f"{type(error).__name__}: {error}") from error


def _strict(tool: BaseTool) -> BaseTool:
    """The tool; a copy where it turns its errors into answers, which would pass off a failure as an observation."""
    if not (tool.handle_tool_error or tool.handle_validation_error):
        return tool
    return tool.model_copy(update={"handle_tool_error": False, "handle_validation_error": False})


def as_text(result: object) -> str:
    """A tool's result as a model reads it: text as it is, everything else as JSON.

    Half surrogates, which no request can carry, become `?`.
    """
    if not isinstance(result, str):
        result = json.dumps(to_jsonable_python(result, fallback=str), ensure_ascii=False)
    return result.encode("utf-8", "replace").decode("utf-8")


def _brief(error: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(str(part) for part in problem['loc'])}: {problem['msg']}" for problem in error.errors()
    )
