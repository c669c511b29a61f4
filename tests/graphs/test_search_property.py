"""Whatever the agents do: the pool, the order of waking and the budget hold, and nothing is lost or done twice."""

import itertools
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.graphs.searching import Policy, Search, a_catalog, choices, only
from tests.graphs.test_anytool import tools_of
from toolquiver.context import Context
from toolquiver.errors import InputError, ModelError
from toolquiver.graphs import anytool, retriever

sqlite = pytest.importorskip("langgraph.checkpoint.sqlite")

CONFIG = {"configurable": {"thread_id": "one"}, "recursion_limit": 2_000}
WORDS = ["rain", "lions", ["nonsense"], 7, ""]
ORDER = ("tool", "category", "meta")


class Erratic(Policy):
    """Agents that do anything that they can, silence and nonsense too, always the same in the same conversation."""

    def __init__(self, seed, *, certain=False):
        super().__init__()
        self.seed, self.certain = seed, certain
        self.plays = dict.fromkeys(("meta", "category", "tool", "flat", "solver"), self.play)
        self.decides = {
            "Solvability": lambda messages: {
                "reason": "Perhaps.",
                "verdict": "unsolvable" if certain else self.chance(messages).choice(["solvable", "unsolvable"]),
            },
            "Judgement": lambda messages: {
                "reason": "Perhaps.",
                "verdict": self.chance(messages).choice(["solved", "unsolved", "unsure"]),
            },
        }

    def chance(self, messages):
        return random.Random(f"{self.seed}{[(m.text, getattr(m, 'tool_calls', '')) for m in messages]}")

    def play(self, messages, schema):
        chance = self.chance(messages)
        if chance.random() < 0.1:
            return "Hm."
        calls = [chance.choice(schema["functions"]) for _ in range(chance.randint(1, 3))]
        return [(one["name"], self.arguments(one, chance)) for one in calls]

    def arguments(self, function, chance):
        """Some of the names that there are, sometimes one that there is not."""
        found = {}
        for key, part in function["parameters"]["properties"].items():
            if part.get("type") == "array" and "enum" in part["items"]:
                names = part["items"]["enum"]
                found[key] = chance.sample(names, min(len(names), chance.randint(1, 4)))
                found[key] += ["nonsense"] * (chance.random() < 0.2)
            elif "enum" in part:
                found[key] = chance.choice(part["enum"])
            else:
                found[key] = chance.randint(1, 3) if part.get("type") == "integer" else chance.choice(WORDS)
        return found


SETTINGS = st.fixed_dictionaries(
    {
        "pool_size": st.integers(1, 20),
        "tools_per_agent": st.integers(1, 6),
        "agent_turns": st.integers(1, 6),
        "page": st.integers(2, 20),
        "parallel_agents": st.sampled_from([1, 2, 32]),
        "agent_context": st.sampled_from([50, 4_000]),
        "search_function": st.booleans(),
        "check_function": st.booleans(),
        "retriever": st.sampled_from(["hierarchy", "hierarchy", "flat"]),
        "least_pool": st.sampled_from([0, 0, 6]),
        "solver": st.sampled_from(["dfsdt", "react"]),
    }
)
SEEDS = st.integers(0, 10**6)
SEARCH = {name: Search(graph=graph) for name, graph in (("retriever", retriever), ("anytool", anytool))}
"""Made once: a catalogue takes longer than a run."""


def run(name, policy, **settings):
    """Every update of a run, and its result."""
    search = SEARCH[name]
    search.policy = policy
    updates, result = [], None
    context = Context(**{"call_retries": 0} | settings)
    stream = search.build().stream(
        {"query": "Tell of rain."}, CONFIG, context=context, stream_mode=["updates", "values"]
    )
    for mode, event in stream:
        if mode == "values":
            result = event
        else:
            updates += event.items()
    return updates, result


def holds(result, settings):
    """What must be so of every search."""
    agents = result["agents"].values()
    assert len(result["pool"]) == len(set(result["pool"])) <= settings["pool_size"]
    if not settings["least_pool"]:
        assert set(result["pool"]) <= {api for agent in agents for api in agent["added"]}
    assert {agent["status"] for agent in agents} <= {"finished", "parked"}
    assert all(agent["turns"] <= settings["agent_turns"] for agent in agents)
    given = Counter((agent["category"], tool) for agent in agents for tool in agent["tools"])
    assert all(times == 1 for times in given.values())
    assert all(len(agent["tools"]) <= settings["tools_per_agent"] for agent in agents)


@settings(max_examples=30)
@given(SEEDS, SETTINGS)
def test_the_pool_and_the_agents_keep_their_limits(seed, limits):
    updates, result = run("retriever", Erratic(seed), **limits)
    holds(result, limits)
    for _, update in updates:
        assert len((update or {}).get("pool", ())) <= limits["pool_size"]


@settings(max_examples=30)
@given(SEEDS, SETTINGS, st.sampled_from(["none", "tools", "categories", "all"]), st.integers(0, 3))
def test_no_finished_agent_is_woken_and_levels_come_in_order(seed, limits, reactivated, most):
    updates, result = run("anytool", Erratic(seed), **limits, reactivated=reactivated, max_reflections=most)
    holds(result, limits)
    finished = set()
    for _, update in updates:
        for agent in (update or {}).get("agents", {}).values():
            assert agent["id"] not in finished or agent["status"] == "finished"
            finished |= {agent["id"]} if agent["status"] == "finished" else set()
    allowed = {"none": 0, "tools": 1, "categories": 2, "all": 3}[reactivated]
    for reflection in range(most + 1):
        woken = [waking["level"] for waking in result["wakings"] if waking["reflection"] == reflection]
        assert woken == [level for level in ORDER[:allowed] if level in woken]
    assert result["reflections"] <= most
    assert not set(result["removed"]) & set(result["pool"])
    supported = any(call["ok"] and call["api"] not in result["removed"] for call in result["calls"])
    assert supported or result["status"] != "solved"


@settings(max_examples=30)
@given(SEEDS, SETTINGS, st.sampled_from(["retriever", "anytool"]), st.integers(300, 20_000))
def test_the_budget_is_never_passed(seed, limits, name, budget):
    try:
        _, result = run(name, Erratic(seed), **limits, token_budget=budget, max_reflections=2)
    except InputError:  # not even the first turn fits
        return
    assert result["numbers"]["tokens"] <= budget


def histories(graph):
    """What each agent has said and heard, as it is kept."""
    kept = graph.get_state(CONFIG).values["histories"]
    return {agent: [(m.type, m.text, getattr(m, "tool_calls", None)) for m in said] for agent, said in kept.items()}


class StatusError(Exception):
    status_code = 503


def down():
    raise StatusError("down")


class Stopped(Erratic):
    """Ends the run by `end` when it is asked for the n-th time, once."""

    def __init__(self, seed, number, end=down):
        super().__init__(seed, certain=True)
        self.left, self.end = number, end

    def __call__(self, messages, schema):
        self.left -= 1
        if self.left == 0:
            self.end()
        return super().__call__(messages, schema)


LIMITS = {"max_reflections": 1, "agent_turns": 4, "call_retries": 0}


def go(name, policy, path, asked, durability):
    """A run, or the rest of one, with its checkpoints in a file: its result, and the histories."""
    search = SEARCH[name]
    search.policy = policy
    with sqlite.SqliteSaver.from_conn_string(str(path)) as saver:
        graph = search.build(checkpointer=saver)
        result = graph.invoke(asked, CONFIG, context=Context(**LIMITS), durability=durability)
        return result, histories(graph)


@settings(max_examples=12)
@given(SEEDS, st.integers(1, 30), st.sampled_from(["sync", "async", "exit"]), st.sampled_from(["retriever", "anytool"]))
def test_after_a_crash_no_agent_is_lost_and_none_takes_a_turn_twice(tmp_path_factory, seed, number, durability, name):
    path = tmp_path_factory.mktemp("crash")
    undisturbed, policy = Erratic(seed, certain=True), Stopped(seed, number)
    whole = go(name, undisturbed, path / "whole.db", {"query": "alpha"}, durability)
    try:
        resumed = go(name, policy, path / "crashed.db", {"query": "alpha"}, durability)
    except ModelError:
        resumed = go(name, policy, path / "crashed.db", None, durability)
    assert resumed == whole
    if durability == "sync":  # asked twice are at most those that took their turn when it crashed, each once
        assert 0 <= len(policy.asked) - len(undisturbed.asked) <= len(whole[0]["agents"])


KILLED = """
import os, sys
from tests.graphs.test_search_property import Stopped, go
name, path, seed, number = sys.argv[1:]
go(name, Stopped(int(seed), int(number), lambda: os._exit(9)), path, {"query": "alpha"}, "sync")
"""


@pytest.mark.parametrize(("name", "number"), [("retriever", 4), ("anytool", 9)])
def test_a_killed_process_is_gone_on_with_by_another(name, number, tmp_path):
    seed = 5
    command = [sys.executable, "-c", KILLED, name, str(tmp_path / "killed.db"), str(seed), str(number)]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, check=False)
    assert done.returncode == 9, done.stderr.decode()
    whole = go(name, Erratic(seed, certain=True), tmp_path / "whole.db", {"query": "alpha"}, "sync")
    assert go(name, Erratic(seed, certain=True), tmp_path / "killed.db", None, "sync") == whole


def always_another():
    """An agent that searches for something else at every turn."""
    calls = itertools.count()
    return lambda *_: [("search_apis", {"text": f"rain {next(calls)}"})]


def test_checkpoints_grow_with_the_turns_and_not_with_their_square(tmp_path):
    sizes = {}
    for turns in (40, 80, 160):
        search = Search(Policy(flat=always_another()))
        path = tmp_path / f"{turns}.db"
        with sqlite.SqliteSaver.from_conn_string(str(path)) as saver:
            context = Context(retriever="flat", agent_turns=turns, search_function=True, token_budget=10**9)
            graph = search.build(checkpointer=saver)
            result = graph.invoke({"query": "alpha"}, CONFIG, context=context)
            assert len(histories(graph)["flat"]) == 2 + 2 * turns
        assert result["agents"]["flat"]["turns"] == turns
        sizes[turns] = path.stat().st_size
    assert linear(sizes)


def linear(sizes):
    """Whether what is added by twice as many turns is about twice as much: 2 is linear, 4 is quadratic."""
    few, more, most = (sizes[turns] for turns in sorted(sizes))
    return (most - more) / (more - few) < 2.6


def size_of(search, path, **settings):
    """How large the file of checkpoints of a run is, and what came of it."""
    with sqlite.SqliteSaver.from_conn_string(str(path)) as saver:
        result = search.build(checkpointer=saver).invoke(
            {"query": "alpha"}, CONFIG, context=Context(**{"call_retries": 0, "token_budget": 10**9} | settings)
        )
    return path.stat().st_size, result


def always_calling():
    """A solver that makes another call at every turn."""
    numbers = itertools.count()
    return lambda _, schema: [(tools_of(schema)[0], {"note": str(next(numbers))})]


@pytest.mark.parametrize("solver", ["react", "dfsdt"])
def test_so_do_those_of_a_solver(solver, tmp_path):
    sizes = {}
    for calls in (20, 40, 80):
        search = Search(
            Policy(meta=only("Maps"), solver=always_calling()), graph=anytool, respond=lambda *_: "word " * 100
        )
        settings = {"solver": solver, "solver_calls": calls, "max_turns": calls + 5, "max_reflections": 0}
        sizes[calls], result = size_of(search, tmp_path / f"{calls}.db", **settings)
        assert len(result["calls"]) == calls
    assert linear(sizes)


def turning_pages():
    """A category agent that turns a page, and looks at something on it, at every turn."""
    turns = Counter()

    def play(_, schema):
        (category,) = choices(schema, "get_tools_in_category", "category_name")
        turns[category] += 1
        looked_at = choices(schema, "get_tool_descriptions", "tools")[-1:]
        return [
            ("get_tools_in_category", {"category_name": category, "page": turns[category] + 1}),
            ("get_tool_descriptions", {"tools": looked_at}),
        ]

    return play


def test_so_do_those_of_category_agents_that_turn_pages(tmp_path):
    catalog, sizes = a_catalog({"Weather": 420, "Music": 420}, apis=1), {}
    for turns in (20, 40, 80):
        search = Search(Policy(meta=only("Weather", "Music"), category=turning_pages()), catalog=catalog)
        settings = {"agent_turns": turns, "page": 5, "agent_context": 100}
        sizes[turns], result = size_of(search, tmp_path / f"{turns}.db", **settings)
        assert [agent["turns"] for agent in result["agents"].values()] == [2, turns, turns]
    assert linear(sizes)


def test_these_agents_play_every_part():
    asked = set()
    for seed in range(10):
        policy = Erratic(seed)
        run("anytool", policy, max_reflections=0)
        asked |= set(policy.kinds())
    assert asked == {"meta", "category", "tool", "solver"}
