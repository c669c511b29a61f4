"""The local model as a LangChain chat model."""

import asyncio
from collections.abc import Sequence
from typing import Any

import openai
from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage
from langchain_core.runnables import Runnable
from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_openai import ChatOpenAI

from toolquiver.models.local.settings import CONTEXT_TOKENS
from toolquiver.models.local.share import Endpoint, acquire
from toolquiver.models.portable import portable
from toolquiver.models.profile import Form, PlanForm

TIMEOUT_SECONDS = 600.0
MAX_OUTPUT_TOKENS = 1024


class LocalChatModel(ChatOpenAI):
    """The local model: it can call, but says first what it would call, and loses the thread.

    So it writes its calls down (`action_form`), and plans one call at a time
    (`plan_form`). An order it does better than the questions that it makes of one (`takes_orders_whole`). It never
    sees a schema (`reads_schemas`), which bounds what it can write.
    """

    action_form: Form = "written"
    plan_form: PlanForm = "steps"
    takes_orders_whole: bool = True
    reads_schemas: bool = False

    def bind_tools(self, tools: Sequence[Any], **options: Any) -> Runnable[LanguageModelInput, AIMessage]:
        """As the base class does, with schemas of which the server can make a grammar (`portable`)."""
        made = [convert_to_openai_tool(tool) for tool in tools]
        for function in (tool["function"] for tool in made if "function" in tool):
            function["parameters"] = portable(function.get("parameters", {}))
        return super().bind_tools(made, **options)


def local_chat_model(**overrides: Any) -> ChatOpenAI:
    """Make a chat model that the local server answers, starting the server if need be.

    It may be used from any thread and any event loop, and finds the server again if that was restarted.

    Args:
        overrides: Arguments of ChatOpenAI that replace ours, such as temperature or max_tokens.

    Returns:
        The model: greedy (temperature 0), with a time limit of 600 s a request and 1024 tokens an answer.

    Raises:
        ModelError: As `acquire` does.
    """
    endpoint = acquire()
    ours: dict[str, Any] = {
        "base_url": endpoint.base_url,
        "api_key": endpoint.api_key,
        "model": endpoint.model,
        "temperature": 0,
        "max_tokens": MAX_OUTPUT_TOKENS,
        "timeout": TIMEOUT_SECONDS,
        "stream_chunk_timeout": TIMEOUT_SECONDS,
        "max_retries": 2,
        "stream_usage": True,
        "use_responses_api": False,
        "openai_proxy": None,
        "profile": {
            "name": "Local model",
            "max_input_tokens": CONTEXT_TOKENS,
            "max_output_tokens": MAX_OUTPUT_TOKENS,
            "text_inputs": True,
            "text_outputs": True,
            "tool_calling": True,
            "tool_choice": True,
            "structured_output": True,
        },
        **_clients(),
    }
    return LocalChatModel(**(ours | overrides))


def _clients() -> dict[str, Any]:
    """Make HTTP clients that keep no connection, so that they belong to no event loop, and use no proxy."""
    common: dict[str, Any] = {"trust_env": False, "timeout": TIMEOUT_SECONDS, "headers": {"Connection": "close"}}
    return {
        "http_client": openai.DefaultHttpxClient(event_hooks={"request": [_redirect]}, **common),
        "http_async_client": openai.DefaultAsyncHttpxClient(event_hooks={"request": [_aredirect]}, **common),
    }


def _redirect(request: Any) -> None:
    _point(request, acquire())


async def _aredirect(request: Any) -> None:
    _point(request, await asyncio.to_thread(acquire))


def _point(request: Any, endpoint: Endpoint) -> None:
    """Send a request to the server as it is now: one that was restarted has another port and key."""
    port = int(endpoint.base_url.rsplit(":", 1)[1].split("/")[0])
    request.url = request.url.copy_with(port=port)
    request.headers["Host"] = f"127.0.0.1:{port}"
    request.headers["Authorization"] = f"Bearer {endpoint.api_key}"
