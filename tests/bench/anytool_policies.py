"""Scripted agents for the retriever: one that waits as a model would, one that knows the needed APIs."""

from __future__ import annotations

import asyncio
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatResult

from toolquiver.catalog import API, Catalog
from toolquiver.models.scripted import _Calling

Call = tuple[str, dict[str, Any]]
FINISH: list[Call] = [("finish_search", {})]
_LIKELY = 3  # of what is listed first an agent takes so many besides what is needed


class Delayed(_Calling):
    """A scripted model that takes `seconds` for each answer, without holding a thread."""

    seconds: float = 0.05

    async def _agenerate(self, messages: list[BaseMessage], *_: Any, **options: Any) -> ChatResult:
        result = self._generate(messages, **options)
        slow = result.generations[0].message.response_metadata.get("slow", 1)
        await asyncio.sleep(self.seconds * slow)
        return result


def said(calls: list[Call], number: int, **more: Any) -> AIMessage:
    """A message with these calls."""
    made = [{"name": name, "args": args, "id": f"{number}-{n}"} for n, (name, args) in enumerate(calls)]
    return AIMessage("", tool_calls=made, **more)


def names(schema: dict[str, Any], function: str, key: str) -> list[str]:
    """What an argument of a function may be; nothing where there is no such function."""
    for one in schema["functions"]:
        if one["name"] == function:
            part = one["parameters"]["properties"][key]
            return part.get("enum") or part["items"]["enum"]
    return []


def turn_of(messages: list[BaseMessage]) -> int:
    """How often the agent has spoken."""
    return sum(isinstance(message, AIMessage) for message in messages)


class Oracle:
    """Knows which APIs are needed, and takes besides what is listed first, as a model without judgement would."""

    def __init__(self, catalog: Catalog, needed: list[API], most: int) -> None:
        self.needed = needed
        self.most = most

    def __call__(self, messages: list[BaseMessage], schema: dict[str, Any]) -> Any:
        if schema.get("title") != "Turn":
            return {"reason": "It cannot be told.", "verdict": "unsolvable"}
        calls = FINISH if turn_of(messages) else self._first(schema)
        return said(calls or FINISH, len(messages))

    def _first(self, schema: dict[str, Any]) -> list[Call]:
        if categories := names(schema, "create_agent_category_level", "category_name"):
            ours = dict.fromkeys(api.category for api in self.needed)
            return [("create_agent_category_level", {"category_name": one}) for one in ours if one in categories]
        if tools := names(schema, "create_agent_tool_level", "tools"):
            ours = [api.tool for api in self.needed if api.tool in tools]
            taken = list(dict.fromkeys([*tools[:_LIKELY], *ours, *tools]))[: max(2 * self.most, len(ours))]
            groups = [taken[at : at + self.most] for at in range(0, len(taken), self.most)]
            return [("create_agent_tool_level", {"tools": group}) for group in groups]
        apis = names(schema, "add_API_into_API_pool", "APIs")
        ours = [api.function for api in self.needed if api.function in apis]
        return [("add_API_into_API_pool", {"APIs": list(dict.fromkeys([*ours, *apis]))})] if apis else FINISH
