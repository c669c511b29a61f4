"""One agent written in several ways, from a loop by hand to our ReAct graph: the same model, tool and messages."""

from __future__ import annotations

import operator
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Any, cast

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import tool
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Command
from typing_extensions import TypedDict

from toolquiver import Catalog
from toolquiver.contexts import ReactContext
from toolquiver.graphs import react
from toolquiver.nodes.bridge import route

Agent = Callable[[], Awaitable[int]]
"""Runs one conversation; the number of calls that it made."""

_ASKED = "How many letters has each of these words?"
_SPENT = UsageMetadata(input_tokens=100, output_tokens=10, total_tokens=110)


class Instant(BaseChatModel):
    """Calls the tool until it was called `turns` times, then answers."""

    turns: int

    @property
    def _llm_type(self) -> str:
        return "instant"

    def bind_tools(self, tools: Any, **options: Any) -> Runnable[Any, AIMessage]:
        """The model bound to the tools, as a provider's would be."""
        return self.bind(tools=tools, **options)

    def _generate(self, messages: list[Any], *_: Any, **__: Any) -> ChatResult:
        made = sum(isinstance(message, ToolMessage) for message in messages)
        calls = [{"name": "letters", "args": {"word": f"word{made}"}, "id": str(made)}] if made < self.turns else []
        said = AIMessage("" if calls else "Five each.", tool_calls=calls, usage_metadata=_SPENT)
        return ChatResult(generations=[ChatGeneration(message=said)])

    async def _agenerate(self, messages: list[Any], *_: Any, **__: Any) -> ChatResult:
        return self._generate(messages)


@tool
async def letters(word: str) -> str:
    """Count the letters of a word."""
    return str(len(word))


def by_hand(model: BaseChatModel) -> Agent:
    """The loop that anybody would write."""
    said = _Said(model)

    async def run() -> int:
        return _calls(await said.all([HumanMessage(_ASKED)]))

    return run


def by_langchain(model: BaseChatModel) -> Agent:
    """LangChain's agent."""
    return _running(create_agent(model, [letters]))


def by_smallest_graph(model: BaseChatModel) -> Agent:
    """The loop as two nodes, as LangGraph's own pages write it."""
    said, graph = _Said(model), StateGraph(MessagesState)
    _two_nodes(graph, said)
    graph.add_conditional_edges("ask", _after_ask, {"calls": "call", "ends": END})
    return _running(graph.compile())


def by_quick_router(model: BaseChatModel) -> Agent:
    """The same, with a router that is not handed to a thread, and messages that are only put behind each other."""
    said, graph = _Said(model), StateGraph(_Plain)
    _two_nodes(graph, said)
    graph.add_conditional_edges("ask", route(_after_ask), {"calls": "call", "ends": END})
    return _running(graph.compile())


def by_command(model: BaseChatModel) -> Agent:
    """The same, without a router: the node says itself where to go."""
    said, graph = _Said(model), StateGraph(_Plain)

    async def ask(state: _Plain) -> Command[str]:
        new = await said.next(state["messages"])
        return Command(update={"messages": [new]}, goto="call" if new.tool_calls else END)

    async def call(state: _Plain) -> _Plain:
        return {"messages": await said.results(state["messages"])}

    graph.add_node("ask", ask, destinations=("call", END))
    graph.add_node("call", call)
    graph.add_edge(START, "ask")
    graph.add_edge("call", "ask")
    return _running(graph.compile())


def by_one_node_a_turn(model: BaseChatModel) -> Agent:
    """One node that asks the model and makes its calls."""
    said, graph = _Said(model), StateGraph(_Plain)

    async def turn(state: _Plain) -> _Plain:
        new = await said.next(state["messages"])
        return {"messages": [new, *await said.results([new])]}

    def again(state: _Plain) -> str:
        return "again" if isinstance(state["messages"][-1], ToolMessage) else "ends"

    graph.add_node("turn", turn)
    graph.add_edge(START, "turn")
    graph.add_conditional_edges("turn", route(again), {"again": "turn", "ends": END})
    return _running(graph.compile())


def by_one_node(model: BaseChatModel) -> Agent:
    """One node with the whole loop inside: what LangGraph costs once."""
    said, graph = _Said(model), StateGraph(_Plain)

    async def loop(state: _Plain) -> _Plain:
        return {"messages": (await said.all(state["messages"]))[1:]}

    graph.add_node("loop", loop)
    graph.add_edge(START, "loop")
    graph.add_edge("loop", END)
    return _running(graph.compile())


def by_react(model: BaseChatModel, path: Path | None) -> Agent:
    """Our ReAct graph, its one candidate given, its catalogue in this file or in memory."""
    catalog = Catalog.from_tools([letters], path=path)
    graph = react.build(model=model, catalog=catalog, context=ReactContext(max_steps=1_000, solver_calls=1_000))
    asked = {"query": _ASKED, "candidates": [api.id for api in catalog.apis()]}

    async def run() -> int:
        return len((await graph.ainvoke(asked, {"recursion_limit": 10_000}))["calls"])

    return run


class _Plain(TypedDict):
    messages: Annotated[list[AnyMessage], operator.add]


class _Said:
    """What model and tool say next in a conversation."""

    def __init__(self, model: BaseChatModel) -> None:
        self._bound = model.bind_tools([letters])

    async def next(self, messages: list[AnyMessage]) -> AIMessage:
        return await self._bound.ainvoke(messages)

    async def results(self, messages: list[AnyMessage]) -> list[AnyMessage]:
        calls = cast("AIMessage", messages[-1]).tool_calls
        return [ToolMessage(await letters.ainvoke(call["args"]), tool_call_id=call["id"]) for call in calls]

    async def all(self, messages: list[AnyMessage]) -> list[AnyMessage]:
        messages = list(messages)
        while True:
            messages.append(await self.next(messages))
            if not (results := await self.results(messages)):
                return messages
            messages += results


def _two_nodes(graph: StateGraph[Any], said: _Said) -> None:
    async def ask(state: Any) -> Any:
        return {"messages": [await said.next(state["messages"])]}

    async def call(state: Any) -> Any:
        return {"messages": await said.results(state["messages"])}

    graph.add_node("ask", ask)
    graph.add_node("call", call)
    graph.add_edge(START, "ask")
    graph.add_edge("call", "ask")


def _after_ask(state: Any) -> str:
    return "calls" if cast("AIMessage", state["messages"][-1]).tool_calls else "ends"


def _running(graph: Any) -> Agent:
    async def run() -> int:
        state = await graph.ainvoke({"messages": [HumanMessage(_ASKED)]}, {"recursion_limit": 1_000})
        return _calls(state["messages"])

    return run


def _calls(messages: list[AnyMessage]) -> int:
    return sum(isinstance(message, ToolMessage) for message in messages)
