"""A chat model that answers as a function says: for tests of graphs, ours and yours."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from langchain_core.language_models import BaseChatModel, ModelProfile
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import RunnableLambda
from langchain_core.utils.function_calling import convert_to_openai_tool

from toolquiver.models.tokens import count_message_tokens, count_tokens

if TYPE_CHECKING:
    from langchain_core.runnables import Runnable

Script = Callable[[list[BaseMessage], dict[str, Any]], Any]
"""From the messages and the JSON Schema asked for ({} when none) to the answer: text, or data sent as JSON."""


class ScriptedModel(BaseChatModel):
    """Answers with what `script` returns for the messages at hand.

    A script looks at the messages and never counts its calls: agents that run in parallel ask in any order.
    The schema's `title` is the name of the decision asked for; for an agent's turn it is `Turn`, and `functions` has
    what can be called. An `AIMessage` is passed on as it is; an
    exception is raised as a provider's would be.
    """

    script: Script

    def __init__(self, script: Script, **data: Any) -> None:
        super().__init__(script=script, **data)  # type: ignore[call-arg]

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def with_structured_output(self, schema: Any, **_: Any) -> Runnable[Any, Any]:
        """The model told of the schema; its answer comes as `{"raw": message}`."""
        return self.bind(schema=schema) | RunnableLambda(lambda reply: {"raw": reply})

    def _generate(self, messages: list[BaseMessage], *_: Any, **options: Any) -> ChatResult:
        said = self.script(messages, options.get("schema", {}))
        if not isinstance(said, AIMessage):
            text = said if isinstance(said, str) else json.dumps(said)
            spent = count_message_tokens(messages), count_tokens(text)
            usage = UsageMetadata(input_tokens=spent[0], output_tokens=spent[1], total_tokens=sum(spent))
            said = AIMessage(text, usage_metadata=usage)
        return ChatResult(generations=[ChatGeneration(message=said)])


class _Calling(ScriptedModel):
    def bind_tools(self, tools: Sequence[Any], **_: Any) -> Runnable[Any, AIMessage]:
        """The model told of the functions it may call; the script gets them as a schema with the title `Turn`."""
        plain = [tool if isinstance(tool, dict) else convert_to_openai_tool(tool) for tool in tools]
        functions = [tool.get("function", tool) for tool in plain]
        return self.bind(schema={"title": "Turn", "functions": functions})


def scripted(script: Script, *, tool_calling: bool = True) -> ScriptedModel:
    """A scripted model that takes schemas, and tools unless told otherwise, which is what most tests want."""
    profile = ModelProfile(structured_output=True, tool_calling=tool_calling)
    if tool_calling:
        return _Calling(script=script, profile=profile)
    return ScriptedModel(script, profile=profile)
