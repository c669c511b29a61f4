"""Calling LangChain tools in this process."""

from __future__ import annotations

import asyncio
import json
from functools import wraps
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.tools import BaseTool, StructuredTool, Tool, ToolException
from langgraph.errors import GraphBubbleUp
from langgraph.types import Command
from pydantic import BaseModel, ValidationError
from pydantic_core import to_jsonable_python

from toolquiver.calling.contents import text_of_blocks
from toolquiver.calling.outcome import CallError, Observation
from toolquiver.catalog.langchain import takes_call_id
from toolquiver.threads import in_daemon_thread

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

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
            found = await _answered(_strict(tool), _given(tool, arguments))
            return Observation(text=_told(tool, found))
        except (CallError, GraphBubbleUp):  # of a kind that the tool names itself; an interrupt for the user
            raise
        except ValidationError as error:
            if _is_of_input(error, tool):
                raise CallError("invalid_arguments", _brief(error)) from error
            raise CallError("tool_error", f"{error.title}: {_brief(error)}") from error
        except TimeoutError as error:
            raise CallError("timeout", f"{api.name} took too long: {error}") from error
        except ToolException as error:
            raise CallError("tool_error", str(error) or "The tool failed and did not say why.") from error
        except asyncio.CancelledError as error:
            if (task := asyncio.current_task()) and task.cancelling():  # the call, and not something in the tool
                raise
            raise CallError("tool_error", f"{api.name} was cancelled from within.") from error
        except (Exception, SystemExit) as error:
            raise CallError("tool_error", f"{type(error).__name__}: {error}") from error


def _given(tool: BaseTool, arguments: dict[str, Any]) -> dict[str, Any] | ToolCall:
    """What a tool is invoked with: its arguments, in a whole call where it takes the call's id."""
    if not takes_call_id(tool):
        return arguments
    return ToolCall(type="tool_call", id=uuid4().hex, name=tool.name, args=arguments)


async def _answered(tool: BaseTool, arguments: dict[str, Any] | ToolCall) -> Any:
    """What the tool returns, or raises; one without a coroutine runs in a thread of its own."""
    if isinstance(tool, Tool | StructuredTool) and tool.coroutine is not None:
        return await tool.model_copy(update={"coroutine": _going_on(tool.coroutine)}).ainvoke(arguments)
    if type(tool)._arun not in {kind._arun for kind in (BaseTool, Tool, StructuredTool)}:  # noqa: SLF001 - its own
        return await tool.ainvoke(arguments)
    return await in_daemon_thread(tool.invoke, arguments, name=tool.name)


def _going_on(coroutine: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """The coroutine of a tool, with `sys.exit` in it as a failure: out of a task it would end the loop."""

    @wraps(coroutine)
    async def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return await coroutine(*args, **kwargs)
        except SystemExit as error:
            raise CallError("tool_error", f"SystemExit: {error}") from error

    return call


def _strict(tool: BaseTool) -> BaseTool:
    """The tool; a copy where it turns its errors into answers, which would pass off a failure as an observation."""
    if not (tool.handle_tool_error or tool.handle_validation_error):
        return tool
    return tool.model_copy(update={"handle_tool_error": False, "handle_validation_error": False})


def _told(tool: BaseTool, found: Any) -> str:
    """What a tool returned, as text; what has an artifact beside it, or is a message, is made of blocks.

    Of a command to LangGraph only its message is an answer.

    Raises:
        CallError: the message says that it tells of an error.
    """
    if isinstance(found, Command) and isinstance(found.update, dict):
        said = [message for message in found.update.get("messages", ()) if isinstance(message, ToolMessage)]
        found = said[-1] if said else found
    if isinstance(found, ToolMessage):
        failed = found.status == "error"
        found = found.content
        if failed:
            raise CallError("tool_error", as_text(text_of_blocks(found) or found))
    elif tool.response_format != "content_and_artifact":
        return as_text(found)
    blocks = text_of_blocks(found)
    return as_text(found if blocks is None else blocks)


def as_text(result: object) -> str:
    """A tool's result as a model reads it: text as it is, everything else as JSON.

    Half surrogates, which no request can carry, become `?`.
    """
    if not isinstance(result, str):
        result = json.dumps(to_jsonable_python(result, fallback=str), ensure_ascii=False)
    return result.encode("utf-8", "replace").decode("utf-8")


def _is_of_input(error: ValidationError, tool: BaseTool) -> bool:
    """Whether an error is of the arguments, and not of something that the tool's own code has validated."""
    schema = tool.args_schema
    if not (isinstance(schema, type) and issubclass(schema, BaseModel)):
        return False
    return error.title == (schema.model_config.get("title") or schema.__name__)


def _brief(error: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(str(part) for part in problem['loc'])}: {problem['msg']}" for problem in error.errors()
    )
