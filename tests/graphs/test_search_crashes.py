"""A search, or the loop around it, that ends in mid-run goes on with no agent lost, no turn and no call made twice."""

import os
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.graphs.searching import Policy, only
from tests.graphs.test_anytool import EVERYBODY, one_after_the_other, tools_of
from tests.graphs.test_search_property import AGENTS, CONFIG, SEARCH, SEEDS, Restless, histories
from toolquiver.contexts import AnyToolContext
from toolquiver.errors import ModelError

sqlite = pytest.importorskip("langgraph.checkpoint.sqlite")

LIMITS = {"max_reflections": 1, "agent_turns": 4, "call_retries": 0}


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


def go(name, policy, path, asked, durability="sync", **limits):
    """A run, or the rest of one, with its checkpoints in a file: its result, and the histories."""
    search = SEARCH[name]
    search.policy = policy
    with sqlite.SqliteSaver.from_conn_string(str(path)) as saver:
        graph = search.build(checkpointer=saver)
        result = graph.invoke(asked, CONFIG, context=AnyToolContext(**LIMITS | limits), durability=durability)
        return result, histories(graph)


def saved(name, path):
    """What a file of checkpoints holds of a run that was stopped."""
    with sqlite.SqliteSaver.from_conn_string(str(path)) as saver:
        return SEARCH[name].build(checkpointer=saver).get_state(CONFIG)


QUERY = {"query": "alpha"}


@settings(max_examples=8)
@given(
    st.builds(lambda agents, seed: partial(agents, seed, certain=True), AGENTS, SEEDS),
    st.floats(0, 1),
    st.sampled_from(["sync", "async", "exit"]),
    st.sampled_from(list(SEARCH)),
)
def test_after_a_crash_no_agent_is_lost_and_none_takes_a_turn_twice(tmp_path_factory, agents, where, durability, name):
    path = tmp_path_factory.mktemp("crash")
    undisturbed, disturbed = Ending(agents()), agents()
    whole = go(name, undisturbed, path / "whole.db", QUERY, durability)
    policy = Ending(disturbed, 1 + int(where * (undisturbed.calls - 1)))
    with pytest.raises(ModelError):
        go(name, policy, path / "crashed.db", QUERY, durability)
    assert go(name, policy, path / "crashed.db", None, durability) == whole
    if durability == "sync":  # asked twice are at most those that took their turn when it crashed, each once
        assert 0 <= len(disturbed.asked) - len(undisturbed.policy.asked) <= len(whole[0]["agents"])


def every_end(messages, schema):
    """A solver that calls a tool, goes back or answers, and, told that it did not do, gives up for a tool's sake."""
    tools, note = tools_of(schema), {"note": str(len(messages))}
    turns = sum(bool(message.type == "ai" and message.tool_calls) for message in messages)
    if not turns or "not solved" in messages[-1].text:
        return [(tools[-1], note)]
    if messages[-1].type == "tool" and turns % 2:
        goes_back = any(function["name"] == "give_up_and_restart" for function in schema["functions"])
        return [("give_up_and_restart", {"reason": "No."}) if goes_back else ("give_answer", {"answer": "It is so."})]
    if "tried before" in messages[-1].text:
        return [(tools[0], note)]
    return [("give_up", {"reason": f"No {len(messages)}.", "failed": tools[:1]})]


def a_long_loop():
    """A policy under which tool agents and category agents are woken in each of two reflections."""
    policy = Policy(
        meta=only("Maps", "Music"), category=EVERYBODY["category"], tool=one_after_the_other, solver=every_end
    )
    policy.decides["Judgement"] = {"reason": "No.", "verdict": "unsolved"}
    return policy


LONG = {"max_reflections": 2, "agent_turns": 20}


@pytest.mark.parametrize("solver", ["dfsdt", "react"])
def test_a_loop_that_crashes_anywhere_comes_to_the_same_end_and_calls_nothing_twice(solver, tmp_path):
    undisturbed, limits, made = Ending(a_long_loop()), LONG | {"solver": solver}, SEARCH["anytool"].caller.made
    made.clear()
    whole = go("anytool", undisturbed, tmp_path / "whole.db", QUERY, **limits)
    assert [waking["level"] for waking in whole[0]["wakings"]] == ["tool", "category"] * 2
    calls, crashed = list(made), set()
    assert len(calls) >= 3
    for number in range(8, undisturbed.calls + 1, 3):
        path, policy = tmp_path / f"{number}.db", Ending(a_long_loop(), number)
        made.clear()
        with pytest.raises(ModelError):
            go("anytool", policy, path, QUERY, **limits)
        state = saved("anytool", path)
        crashed.add((state.next[0], state.values["reflections"]))
        assert go("anytool", policy, path, None, **limits) == whole
        assert made == calls
    assert {reflections for node, reflections in crashed if node == solver} == {0, 1, 2}
    assert {node for node, _ in crashed} >= {solver, "judge", "tool_agent", "category_agent"}


POLICIES = {"restless": lambda: Restless(5, certain=True), "long": a_long_loop}
KILLED = """
import sys
from tests.graphs.test_search_crashes import LONG, POLICIES, QUERY, Ending, go, killed
name, policy, number, path = sys.argv[1:]
go(name, Ending(POLICIES[policy](), int(number), killed), path, QUERY, **LONG)
"""


@pytest.mark.parametrize(
    ("name", "policy", "number", "reached"),
    [("retriever", "restless", 9, ("agents", 0, 0)), ("anytool", "long", 38, ("dfsdt", 2, 2))],
)
def test_a_killed_process_is_gone_on_with_by_another(name, policy, number, reached, tmp_path):
    command = [sys.executable, "-c", KILLED, name, policy, str(number), str(tmp_path / "killed.db")]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, check=False)
    assert done.returncode == 9, done.stderr.decode()
    state = saved(name, tmp_path / "killed.db")
    where = "agents" if state.next[0].endswith("_agent") else state.next[0]
    assert (where, state.values.get("reflections", 0), len(state.values.get("calls", ()))) == reached
    assert {agent["kind"] for agent in state.values["agents"].values()} == {"meta", "category", "tool"}
    whole = go(name, POLICIES[policy](), tmp_path / "whole.db", QUERY, **LONG)
    assert go(name, POLICIES[policy](), tmp_path / "killed.db", None, **LONG) == whole
