"""Whatever the agents do: the pool, the order of waking and the budget hold; and a run that breaks off goes on."""

import os
import random
import re
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.anytool_search import FINISH, Policy, Search
from toolquiver.errors import InputError, ModelError
from toolquiver.graphs import anytool, retriever

CONFIG = {"configurable": {"thread_id": "one"}}
ORDER = ("tool", "category", "meta")
SEARCH = {name: Search(graph=graph) for name, graph in (("retriever", retriever), ("anytool", anytool))}
"""Made once: a catalogue takes longer than a run."""


class Erratic(Policy):
    """Agents that do anything that they can, silence and nonsense too, always the same in the same conversation."""

    def __init__(self, seed, *, ends=True, certain=False):
        super().__init__()
        self.seed, self.ends = seed, ends
        self.plays = dict.fromkeys(("meta", "category", "tool", "flat", "solver"), self.play)
        self.decides = {
            "Solvability": lambda messages: {
                "reason": "Perhaps.",
                "verdict": "unsolvable" if certain else self.chance(messages).choice(["solvable", "unsolvable"]),
            },
            "Judgement": lambda messages: {
                "reason": "Perhaps.",
                "verdict": self.chance(messages).choice(["unsolved", "unsure", *(["solved"] * ends)]),
            },
        }

    def chance(self, messages):
        return random.Random(f"{self.seed}{[(m.text, getattr(m, 'tool_calls', '')) for m in messages]}")

    def play(self, messages, schema):
        chance = self.chance(messages)
        functions = [one for one in schema["functions"] if self.ends or one["name"] != FINISH[0][0]]
        if chance.random() < 0.1:
            return "Hm."
        calls = [chance.choice(functions) for _ in range(chance.randint(1, 3))]
        return [(one["name"], self.arguments(one, messages, chance)) for one in calls]

    def arguments(self, function, messages, chance):
        """Some of the names that were listed, sometimes one that there is not."""
        names = re.findall(r"^- ([^:(\n]+)", "\n".join(message.text for message in messages), re.MULTILINE)
        names = [name.strip() for name in names] or ["nonsense"]
        found = {}
        for key, part in function["parameters"]["properties"].items():
            if part.get("type") == "array":
                found[key] = chance.sample(names, min(len(names), chance.randint(1, 4)))
                found[key] += ["nonsense"] * (chance.random() < 0.2)
            elif part.get("type") == "integer":
                found[key] = chance.randint(1, 3)
            else:
                found[key] = chance.choice(part.get("enum") or [*names, "", 7])
        return found


SEEDS = st.integers(0, 10**6)
SETTINGS = st.fixed_dictionaries(
    {
        "pool_size": st.integers(1, 20),
        "tools_per_agent": st.integers(1, 6),
        "agent_turns": st.integers(1, 6),
        "page": st.integers(2, 20),
        "parallel_agents": st.sampled_from([1, 2, 32]),
        "agent_context": st.sampled_from([50, 4_000]),
        "check_function": st.booleans(),
        "retriever": st.sampled_from(["hierarchy", "hierarchy", "flat"]),
    }
)


def run(name, policy, **limits):
    """Every update of a run, and its result."""
    search = SEARCH[name]
    search.policy = policy
    updates, result = [], None
    context = search.graph.graph.context_schema(**{"call_retries": 0} | limits)
    stream = search.build().stream(
        {"query": "Tell of rain."}, CONFIG, context=context, stream_mode=["updates", "values"]
    )
    for mode, event in stream:
        if mode == "values":
            result = event
        else:
            updates += event.items()
    return updates, result


def holds(result, limits):
    """What must be so of every search."""
    agents = result["agents"].values()
    assert len(result["pool"]) == len(set(result["pool"])) <= limits["pool_size"]
    assert set(result["pool"]) <= {api for agent in agents for api in agent["added"]}
    assert {agent["status"] for agent in agents} <= {"finished", "parked"}
    assert all(agent["turns"] <= limits["agent_turns"] for agent in agents)
    given = Counter((agent["category"], tool) for agent in agents for tool in agent["tools"])
    assert all(times == 1 for times in given.values())
    assert all(len(agent["tools"]) <= limits["tools_per_agent"] for agent in agents)


@settings(max_examples=15)
@given(SEEDS, SETTINGS, st.booleans())
def test_the_pool_and_the_agents_keep_their_limits(seed, limits, ends):
    updates, result = run("retriever", Erratic(seed, ends=ends), **limits)
    holds(result, limits)
    assert all(len((update or {}).get("pool", ())) <= limits["pool_size"] for _, update in updates)


@settings(max_examples=15)
@given(SEEDS, SETTINGS, st.sampled_from(["none", "tools", "categories", "all"]), st.integers(0, 3))
def test_no_finished_agent_is_woken_and_levels_come_in_order(seed, limits, reactivated, most):
    updates, result = run(
        "anytool", Erratic(seed, ends=seed % 2), **limits, reactivated=reactivated, max_reflections=most
    )
    holds(result, limits)
    assert result["reflections"] <= most
    assert not set(result["pool"]) & set(result["removed"])
    finished = set()
    for name, update in updates:
        for waking in update["wakings"] if name.startswith("wake_") else ():
            assert not finished & set(waking["agents"])
        finished |= {id_ for id_, one in (update or {}).get("agents", {}).items() if one["status"] == "finished"}
    may = ORDER[: ["none", "tools", "categories", "all"].index(reactivated)]
    for number in range(1, most + 1):
        levels = [ORDER.index(one["level"]) for one in result["wakings"] if one["reflection"] == number]
        assert levels == sorted(set(levels))
        assert all(ORDER[level] in may for level in levels)


@settings(max_examples=10)
@given(SEEDS, st.integers(300, 20_000), st.sampled_from(["dfsdt", "react"]))
def test_the_budget_is_over_everything_and_hard(seed, budget, solver):
    try:
        _, result = run("anytool", Erratic(seed, ends=False), token_budget=budget, solver=solver)
    except InputError as error:
        assert "too small to start" in str(error)  # noqa: PT017
    else:
        assert result["numbers"]["tokens"] <= budget


@settings(max_examples=15)
@given(SEEDS, SETTINGS)
def test_every_call_of_an_agent_is_answered_right_behind_it(seed, limits):
    policy = Erratic(seed, ends=False)
    run("retriever", policy, **limits)
    for _, messages in policy.asked:
        for place, message in enumerate(messages):
            ids = [call["id"] for call in getattr(message, "tool_calls", ())]
            told = [getattr(one, "tool_call_id", None) for one in messages[place + 1 :][: len(ids)]]
            assert sorted(told, key=str) == sorted(ids)


# ---- runs that break off


class StatusError(Exception):
    status_code = 503


def down():
    raise StatusError("down")


def killed():
    os._exit(9)


class Ending:
    """A policy that ends the run by `end` when the model is asked for the n-th time, once; 0 is never."""

    def __init__(self, policy, number=0, end=down):
        self.policy, self.number, self.end = policy, number, end
        self.calls, self.lock = 0, threading.Lock()

    def __call__(self, messages, schema):
        with self.lock:
            self.calls += 1
            ends = self.calls == self.number
        if ends:
            self.end()
        return self.policy(messages, schema)


def go(name, policy, path, asked):
    """A run, or the rest of one, with its checkpoints in a file."""
    sqlite = pytest.importorskip("langgraph.checkpoint.sqlite")
    search = SEARCH[name]
    search.policy = policy
    limits = {"agent_turns": 4, "call_retries": 0} | ({"max_reflections": 1} if name == "anytool" else {})
    with sqlite.SqliteSaver.from_conn_string(str(path)) as saver:
        context = search.graph.graph.context_schema(**limits)
        return search.build(checkpointer=saver).invoke(asked, CONFIG, context=context, durability="sync")


QUERY = {"query": "Tell of rain."}


@settings(max_examples=5)
@given(SEEDS, st.floats(0, 1), st.sampled_from(list(SEARCH)))
def test_after_a_crash_it_comes_to_the_same_end_and_calls_nothing_twice(tmp_path_factory, seed, where, name):
    path = tmp_path_factory.mktemp("crash")
    made = SEARCH[name].caller.made
    made.clear()
    undisturbed = Ending(Erratic(seed, certain=True))
    whole = go(name, undisturbed, path / "whole.db", QUERY)
    calls = list(made)
    made.clear()
    policy = Ending(Erratic(seed, certain=True), 1 + int(where * (undisturbed.calls - 1)))
    with pytest.raises(ModelError):
        go(name, policy, path / "crashed.db", QUERY)
    assert go(name, policy, path / "crashed.db", None) == whole
    assert made == calls


KILLED = """
import sys
from tests.graphs.test_anytool_property import QUERY, Ending, Erratic, go, killed
go("anytool", Ending(Erratic(5, ends=False, certain=True), int(sys.argv[1]), killed), sys.argv[2], QUERY)
"""


@pytest.mark.parametrize("number", [4, 12])
def test_a_killed_process_is_gone_on_with_by_another(number, tmp_path):
    command = [sys.executable, "-c", KILLED, str(number), str(tmp_path / "killed.db")]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, check=False)
    assert done.returncode == 9, done.stderr.decode()
    whole = go("anytool", Erratic(5, ends=False, certain=True), tmp_path / "whole.db", QUERY)
    assert go("anytool", Erratic(5, ends=False, certain=True), tmp_path / "killed.db", None) == whole
