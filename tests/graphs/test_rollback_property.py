"""Whatever fails, whatever is chosen, whatever the verifier says: every event of a run is as the rule wants it."""

from itertools import cycle

from hypothesis import HealthCheck, event, example, given, settings
from hypothesis import strategies as st
from langgraph.types import Overwrite

from tests.graphs.reference import Reference
from tests.graphs.script import Stage, an_api, numbered_notes, options, plan_of
from toolquiver.calling import CallError
from toolquiver.context import Context

NAMES = ("alpha", "bravo", "charlie", "delta", "echo")
INVALID = {"note": 7}


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
        "choices": draw(st.lists(st.sampled_from([*range(5), None]), min_size=1, max_size=8)),
        "verdicts": draw(st.lists(st.sampled_from([False, False, None, True]), min_size=1, max_size=8)),
    }


def staged(run):
    """The stage for a run, and what became of each call of a tool."""
    fails, fills, choices, verdicts = (cycle(run[key]) for key in ("fails", "fills", "choices", "verdicts"))
    notes, outcomes = numbered_notes(), []

    def respond(api, _):
        outcomes.append(api.name not in run["broken"] and not next(fails))
        if not outcomes[-1]:
            raise CallError("server_error", "It is broken.")
        return "fine"

    def choice(question):
        number = next(choices)
        return "no choice" if number is None else {"tool": options(question)[number % len(options(question))]}

    def arguments(question):
        return notes(question) if next(fills) else INVALID

    def verdict(_):
        done = next(verdicts)
        return "no verdict" if done is None else {"done": done}

    stage = Stage(
        *(an_api(name) for name in NAMES[: run["candidates"]]),
        respond=respond,
        Plan=plan_of(*(f"Where is {name}?" for name in NAMES[: run["subtasks"]])),
        Choice=choice,
        Arguments=arguments,
        Verdict=verdict,
    )
    return stage, outcomes


class Follower:
    """The run as its updates tell it, next to the reference, which is compared after each."""

    def __init__(self, run, pool):
        self.run, self.pool = run, pool
        self.state = {"history": [], "calls": []}
        self.reference = Reference()
        self.solved = []

    def take(self, node, update):
        for key, value in (update or {}).items():
            if isinstance(value, Overwrite):
                self.state[key] = value.value
            elif key in {"history", "calls"}:
                self.state[key] = self.state[key] + value
            else:
                self.state[key] = value
        getattr(self, f"_{node}", lambda: None)()
        if "trail" in self.state:
            self.compare()

    def compare(self):
        trail, history, reference = self.state["trail"], self.state["history"], self.reference
        assert [step["api"] for step in history] == reference.history
        assert trail == [history[place] for place in reference.trajectory]
        assert list(reference.trajectory) == sorted(set(reference.trajectory))
        assert self.state["tool_lists"] == reference.lists()[: len(self.state["tool_lists"])]
        assert len(self.state["tool_lists"]) - len(trail) in {0, 1}

    def _retrieve(self):
        assert self.state["pool"] == self.pool
        self.reference = Reference(self.pool, self.reference.history)

    def _think(self):
        assert len(self.state["tool_lists"]) == len(self.state["trail"]) + 1
        assert self.reference.may_go_on(max_steps=self.run["max_steps"], max_calls=self.run["max_calls"])

    def _choose(self):
        self.reference.choose(self.state["chosen"])

    def _fill(self):
        if self.state["arguments"] is None:
            self.reference.called()

    def _call(self):
        self.reference.called()

    def _rollback(self):
        assert not self.state["calls"][-1]["ok"]
        self.reference.roll_back()
        assert len(self.state["tool_lists"]) == len(self.state["trail"]) + 1

    def _verify(self):
        assert self.state["calls"][-1]["ok"]
        self.reference.keep(done=self.state["decided"] == "subtask done")

    def _record(self):
        assert not self.reference.may_go_on(max_steps=self.run["max_steps"], max_calls=self.run["max_calls"])
        assert self.state["known"][-1]["solved"] == self.reference.solved
        self.solved.append(self.reference.solved)


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
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(runs())
def test_every_event_is_as_the_rule_wants_it(run):
    stage, outcomes = staged(run)
    query = f"Where are {' and '.join(name.title() for name in NAMES[: run['subtasks']])}?"
    limits = {"max_steps": run["max_steps"], "max_calls": run["max_calls"], "call_retries": 0}
    follower = Follower(run, stage.ids)
    for update in stage.build().stream(
        {"query": query, "candidates": stage.ids}, context=Context(**limits), stream_mode="updates"
    ):
        for node, changes in update.items():
            follower.take(node, changes)
    state = follower.state
    made = [call["ok"] for call in state["calls"] if call["arguments"] != {} and call["failure"] != "invalid_arguments"]
    assert made == outcomes
    assert len(follower.solved) == run["subtasks"]
    for subtask in range(run["subtasks"]):
        assert 1 <= sum(call["subtask"] == subtask for call in state["calls"]) <= run["max_calls"]
    assert state["status"] == right_status(follower.solved, state["history"])
    event(state["status"])
