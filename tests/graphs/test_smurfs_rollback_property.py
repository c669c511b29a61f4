"""Whatever fails, is chosen, or is said by the verifier: every event of a run of Smurfs is as the rule wants it."""

from itertools import cycle

from hypothesis import HealthCheck, event, example, given, settings
from hypothesis import strategies as st
from langgraph.types import Overwrite

from tests.support.script import an_api
from tests.support.smurfs import NO_TOOL, SmurfsReference, SmurfsStage, numbered, smurfs_settings, tools_offered
from toolquiver.calling import CallError

NAMES = ("alpha", "bravo", "charlie", "delta", "echo")
ADDED = {"history", "calls"}


@st.composite
def runs(draw):
    """Everything that a run depends on. The sequences are used from their beginning again when they end."""
    return {
        "subtasks": draw(st.integers(1, 3)),
        "candidates": draw(st.integers(1, 5)),
        "max_steps": draw(st.integers(1, 4)),
        "max_calls": draw(st.integers(1, 12)),
        "broken": draw(st.sets(st.sampled_from(NAMES), max_size=2)),
        "fails": draw(st.lists(st.sampled_from([False, False, True]), min_size=1, max_size=12)),
        "fills": draw(st.lists(st.sampled_from([True] * 5 + [False]), min_size=1, max_size=6)),
        "choices": draw(st.lists(st.sampled_from([*range(5), *range(5), None]), min_size=1, max_size=8)),
        "verdicts": draw(st.lists(st.sampled_from([False, False, None, True]), min_size=1, max_size=8)),
    }


def staged(run):
    """The stage for a run, and what became of each call of a tool."""
    fails, fills, choices, verdicts = (cycle(run[key]) for key in ("fails", "fills", "choices", "verdicts"))
    notes, outcomes = numbered(), []

    def respond(api, _):
        outcomes.append(api.name not in run["broken"] and not next(fails))
        if not outcomes[-1]:
            raise CallError("server_error", "It is broken.")
        return "fine"

    def choice(question):
        number, offered = next(choices), tools_offered(question)
        return {"tool": NO_TOOL if number is None else offered[number % len(offered)]}

    def verdict(_):
        done = next(verdicts)
        return "no verdict" if done is None else {"hint": "", "done": done}

    stage = SmurfsStage(
        *(an_api(name) for name in NAMES[: run["candidates"]]),
        respond=respond,
        Plan={"subtasks": [f"Where is {name}?" for name in NAMES[: run["subtasks"]]]},
        Choice=choice,
        Filled=lambda question: notes(question) if next(fills) else {"missing": ["note"]},
        Verdict=verdict,
    )
    return stage, outcomes


class Follower:
    """The run as its updates tell it, next to the reference, which is compared after each."""

    def __init__(self, run, pool):
        self.limits = {"max_steps": run["max_steps"], "max_calls": run["max_calls"]}
        self.pool = pool
        self.state = {"history": [], "calls": []}
        self.reference = SmurfsReference()
        self.solved = []

    def take(self, node, update):
        for key, value in (update or {}).items():
            if isinstance(value, Overwrite):
                self.state[key] = value.value
            elif key in ADDED:
                self.state[key] = self.state[key] + value
            else:
                self.state[key] = value
        getattr(self, f"_{node}", lambda: None)()
        if self.state["tool_lists"]:
            self.compare()

    def compare(self):
        trail, history, reference = self.state["trail"], self.state["history"], self.reference
        assert [step["api"] for step in history] == reference.history
        assert trail == [history[place] for place in reference.trajectory]
        assert self.state["tool_lists"] == reference.lists()[: len(self.state["tool_lists"])]
        assert len(self.state["tool_lists"]) - len(trail) in {0, 1}

    def _retrieve(self):
        assert self.state["pool"] == self.pool
        self.reference = SmurfsReference(self.pool, self.reference.history)

    def _think(self):
        assert len(self.state["tool_lists"]) == len(self.state["trail"]) + 1
        assert self.reference.may_go_on(**self.limits)

    def _choose(self):
        if self.state["chosen"] is None:
            self.reference.choose_none()
        else:
            self.reference.choose(self.state["chosen"])

    def _fill(self):
        if self.state["decided"] == "cannot fill":
            self.reference.called()

    def _call(self):
        self.reference.called()

    def _rollback(self):
        assert not self.state["calls"][-1]["ok"]
        self.reference.fail()

    def _step_back(self):
        self.reference.step_back()

    def _verify(self):
        assert self.state["calls"][-1]["ok"]
        self.reference.keep(done=self.state["decided"] == "subtask done")

    def _record(self):
        assert not self.reference.may_go_on(**self.limits)
        assert self.state["known"][-1]["solved"] == self.reference.solved
        self.solved.append(self.reference.solved)
        self.state["tool_lists"] = []


def right_status(solved, history):
    """All subtasks done, or an answer out of some steps, or nothing."""
    if all(solved):
        return "solved"
    return "partial" if history else "failed"


DEEP = {
    "subtasks": 1,
    "candidates": 2,
    "max_steps": 4,
    "max_calls": 12,
    "broken": set(),
    "fails": [False, True, False, True, False, True, True],
    "fills": [True],
    "choices": [0],
    "verdicts": [False],
}
"""Two APIs and three steps: one API fails at each step, at the last both, which empties list after list."""


@example(DEEP)
@example(DEEP | {"candidates": 1, "fails": [False, False, False, True]})
@example(DEEP | {"subtasks": 2, "candidates": 3, "fails": [False, False, True, True, True]})
@example(DEEP | {"choices": [0, 1, None]})
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(runs())
def test_every_event_is_as_the_rule_wants_it(run):
    stage, outcomes = staged(run)
    follower = Follower(run, stage.ids)
    asked = {"query": "Where are they?", "candidates": stage.ids}
    for update in stage.build().stream(asked, context=smurfs_settings(**follower.limits), stream_mode="updates"):
        for node, changes in update.items():
            follower.take(node, changes)
    state = follower.state
    made = [call["ok"] for call in state["calls"] if call["failure"] != "invalid_arguments"]
    assert made == outcomes
    assert len(follower.solved) == run["subtasks"]
    for subtask in range(run["subtasks"]):
        assert sum(call["subtask"] == subtask for call in state["calls"]) <= run["max_calls"]
    assert state["status"] == right_status(follower.solved, state["history"])
    event(state["status"])
