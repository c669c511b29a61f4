"""LangChain's `create_agent` as a baseline: the same model and candidates, its own loop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage
from langchain_core.tools import BaseTool, StructuredTool, ToolException
from langgraph.errors import GraphRecursionError

from toolquiver.calling import Caller, Failure, callers_of, perform
from toolquiver.catalog import API
from toolquiver.contexts import SolverContext
from toolquiver.evaluation.reached import reached
from toolquiver.evaluation.records import Question, Resources, Result
from toolquiver.evaluation.systems.candidates import candidates_of
from toolquiver.evaluation.systems.conversation import result_of_messages


@dataclass(frozen=True, kw_only=True)
class AgentSystem:
    """`create_agent` with a model and the candidates as tools; stopped after `max_steps` turns."""

    model: BaseChatModel
    context: SolverContext

    async def __call__(self, question: Question, resources: Resources) -> Result:
        """The agent's answer; its last words where it was stopped."""
        from langchain.agents import create_agent  # noqa: PLC0415 - it takes long, and only this system needs it

        apis = candidates_of(question, resources, self.context)
        callers = {**callers_of(resources.catalog), **resources.callers}
        agent: Any = create_agent(self.model, [_tool(api, callers, self.context) for api in apis])
        messages: list[BaseMessage] = []
        reached(lambda: _result(messages, apis))
        # A turn is a superstep, and so are the calls after it; none follow the last.
        limit = {"recursion_limit": 2 * self.context.max_steps - 1}
        with suppress(GraphRecursionError):
            async for state in agent.astream({"messages": [("user", question.query)]}, limit, stream_mode="values"):
                messages[:] = state["messages"]
        return _result(messages, apis)


def _result(messages: Sequence[BaseMessage], apis: Sequence[API]) -> Result:
    found = result_of_messages(messages, {api.function: api.id for api in apis})
    return found.model_copy(update={"candidates": tuple(api.id for api in apis)})


def _tool(api: API, callers: Mapping[str, Caller], context: SolverContext) -> BaseTool:
    """An API as a LangChain tool, called under the same limits and checks as by our graphs."""

    async def call(**arguments: Any) -> str:
        outcome = await perform(api, arguments, callers, context.call_limits)
        if isinstance(outcome, Failure):
            raise ToolException(f"{outcome.kind}: {outcome.message}")
        return outcome.text

    return StructuredTool(
        name=api.function,
        description=api.whole_description or api.name,
        args_schema=api.parameters,
        coroutine=call,
        handle_tool_error=True,
    )
