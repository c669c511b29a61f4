"""What the framework costs: CPU time per agent turn of `react`, a hand-written loop, and LangChain's `create_agent`.

`make bench-overhead` runs all three in turn, many times, on the same messages: a model that answers at once with one
call a turn, and one tool. Only ratios are told: seconds are another machine's business.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import tool
from langgraph.graph import END, START, MessagesState, StateGraph
from rich.progress import track

from toolquiver import Catalog, Context
from toolquiver.graphs import react
from toolquiver.models.tokens import load_table

Agent = Callable[[], Awaitable[int]]
"""Runs one conversation; the number of calls that it made."""

_ASKED = "How many letters has each of these words?"
_SPENT = UsageMetadata(input_tokens=100, output_tokens=10, total_tokens=110)
_HEAD = """# What the framework costs

Written by `make bench-overhead`: CPU time of this process per turn of an agent, the median of {rounds} rounds in
which they take turns. The model answers at once with one call a turn, {turns} turns a conversation; tool and messages
are the same. The hand-written loop asks the model, runs the tool, and keeps the messages; nothing else. The smallest
graph does just that in two nodes of LangGraph: a graph with a node for each costs no less. `react` besides reads its
APIs from a catalogue, checks arguments, counts tokens and keeps a ledger.

| agent | turns | of the hand-written loop | of `create_agent` |
| --- | --- | --- | --- |
"""


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
    bound = model.bind_tools([letters])

    async def run() -> int:
        messages: list[AnyMessage] = [HumanMessage(_ASKED)]
        while True:
            said = await bound.ainvoke(messages)
            messages.append(said)
            if not said.tool_calls:
                return sum(isinstance(message, ToolMessage) for message in messages)
            messages += [
                ToolMessage(await letters.ainvoke(call["args"]), tool_call_id=call["id"]) for call in said.tool_calls
            ]

    return run


def by_langchain(model: BaseChatModel) -> Agent:
    """LangChain's agent."""
    agent = create_agent(model, [letters])

    async def run() -> int:
        state = await agent.ainvoke({"messages": [("user", _ASKED)]}, {"recursion_limit": 1_000})
        return sum(isinstance(message, ToolMessage) for message in state["messages"])

    return run


def by_smallest_graph(model: BaseChatModel) -> Agent:
    """The loop as two nodes."""
    bound = model.bind_tools([letters])

    async def ask(state: MessagesState) -> MessagesState:
        return {"messages": [await bound.ainvoke(state["messages"])]}

    async def call(state: MessagesState) -> MessagesState:
        calls = cast("AIMessage", state["messages"][-1]).tool_calls
        return {"messages": [ToolMessage(await letters.ainvoke(one["args"]), tool_call_id=one["id"]) for one in calls]}

    def after_ask(state: MessagesState) -> str:
        return "calls" if cast("AIMessage", state["messages"][-1]).tool_calls else "ends"

    graph = StateGraph(MessagesState)
    graph.add_node("ask", ask)
    graph.add_node("call", call)
    graph.add_edge(START, "ask")
    graph.add_conditional_edges("ask", after_ask, {"calls": "call", "ends": END})
    graph.add_edge("call", "ask")
    agent = graph.compile()

    async def run() -> int:
        state = await agent.ainvoke({"messages": [HumanMessage(_ASKED)]}, {"recursion_limit": 1_000})
        return sum(isinstance(message, ToolMessage) for message in state["messages"])

    return run


def by_react(model: BaseChatModel, path: Path | None) -> Agent:
    """Our ReAct graph, its one candidate given, its catalogue in this file or in memory."""
    catalog = Catalog.from_tools([letters], path=path)
    graph = react.build(model=model, catalog=catalog, context=Context(max_turns=1_000, solver_calls=1_000))
    asked = {"query": _ASKED, "candidates": [api.id for api in catalog.apis()]}

    async def run() -> int:
        return len((await graph.ainvoke(asked, {"recursion_limit": 10_000}))["calls"])

    return run


async def measured(agents: dict[str, Agent], turns: int, rounds: int) -> dict[str, float]:
    """Median CPU seconds a turn, by agent, after one round that does not count."""
    spent: dict[str, list[float]] = {name: [] for name in agents}
    for number in track(range(rounds + 1), f"{turns} turns"):
        for name, run in agents.items():
            began = time.process_time()
            made = await run()
            assert made == turns, f"{name} made {made} calls"
            if number:
                spent[name].append((time.process_time() - began) / (turns + 1))
    return {name: statistics.median(times) for name, times in spent.items()}


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", default="5,20", help="turns of a conversation, comma-separated")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--report", type=Path, help="write the page of results here")
    options = parser.parse_args()
    load_table()
    lengths = [int(turns) for turns in options.turns.split(",")]
    lines = [_HEAD.format(rounds=options.rounds, turns=" or ".join(map(str, lengths)))]
    for turns in lengths:
        model = Instant(turns=turns)
        with TemporaryDirectory() as folder:
            agents = {
                "by hand": by_hand(model),
                "the smallest graph": by_smallest_graph(model),
                "create_agent": by_langchain(model),
                "react, catalogue in memory": by_react(model, None),
                "react, catalogue in a file": by_react(model, Path(folder) / "catalog.db"),
            }
            took = asyncio.run(measured(agents, turns, options.rounds))
        for name, seconds in took.items():
            shares = seconds / took["by hand"], seconds / took["create_agent"]
            lines.append(f"| {name} | {turns} | {shares[0]:.2f} | {shares[1]:.2f} |\n")
    text = "".join(lines)
    print(text)
    if options.report:
        options.report.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
