"""What the framework costs: CPU time per agent turn of `react`, a hand-written loop, and LangChain's `create_agent`.

`make bench-overhead` runs all three in turn, many times, on the same messages: a model that answers at once with one
call a turn, and one tool. Only ratios are told: seconds are another machine's business.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.progress import track

from tests.bench import overhead_agents as agents
from tests.bench.overhead_agents import Agent, Instant
from tests.bench.pages import write_page
from toolquiver.models.tokens import load_table

_HEAD = """# What the framework costs

Written by `make bench-overhead`: CPU time of this process per turn of an agent, the least of {rounds} rounds in
which they take turns: other programs disturb that least. The model answers at once with one call a turn, {turns} turns
a conversation; tool and messages are the same.

- **By hand**: a loop that asks the model, runs the tool, and keeps the messages; nothing else.
- **Two nodes**: the same as a graph, as LangGraph's own pages write it. With **a quick router**: LangGraph hands a
  plain function to a thread, `nodes/bridge.py` runs it where it stands. With **`Command`**: the node itself says where
  to go.
- **One node** for a turn, or for all turns, shows less of what happens: it is how low a graph can come.
- **`react`** has three node visits a turn with one call, and a state of twenty fields. It also reads its APIs from a
  catalogue, checks arguments, counts tokens before each call, and keeps a ledger.

| agent | turns | of the hand-written loop | of `create_agent` |
| --- | --- | --- | --- |
"""
_TAIL = """
Two nodes a turn with only the loop in them cost {two:.2f} of the loop by hand and {two_of:.2f} of `create_agent`.
What `react` costs beyond that is a visit for each call, its checks, its counting, and its larger state.
A model's answer takes far longer.
"""


async def measured(ways: dict[str, Agent], turns: int, rounds: int) -> dict[str, float]:
    """The least CPU seconds a turn, by agent, after one round that does not count."""
    spent: dict[str, list[float]] = {name: [] for name in ways}
    for number in track(range(rounds + 1), f"{turns} turns"):
        for name, run in ways.items():
            began = time.process_time()
            made = await run()
            assert made == turns, f"{name} made {made} calls"
            if number:
                spent[name].append((time.process_time() - began) / (turns + 1))
    return {name: min(times) for name, times in spent.items()}


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
            ways = {
                "by hand": agents.by_hand(model),
                "two nodes, the smallest graph": agents.by_smallest_graph(model),
                "two nodes, a quick router": agents.by_quick_router(model),
                "two nodes, `Command`": agents.by_command(model),
                "one node a turn": agents.by_one_node_a_turn(model),
                "one node for all turns": agents.by_one_node(model),
                "create_agent": agents.by_langchain(model),
                "react, catalogue in memory": agents.by_react(model, None),
                "react, catalogue in a file": agents.by_react(model, Path(folder) / "catalog.db"),
            }
            took = asyncio.run(measured(ways, turns, options.rounds))
        for name, seconds in took.items():
            shares = seconds / took["by hand"], seconds / took["create_agent"]
            lines.append(f"| {name} | {turns} | {shares[0]:.2f} | {shares[1]:.2f} |\n")
        two = min(seconds for name, seconds in took.items() if name.startswith("two nodes"))
    lines.append(_TAIL.format(two=two / took["by hand"], two_of=two / took["create_agent"]))
    text = "".join(lines)
    print(text)
    if options.report:
        write_page(options.report, text)


if __name__ == "__main__":
    main()
