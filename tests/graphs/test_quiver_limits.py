"""How quiver ends: what failed stays away, limits are hard, and the reason is the true one."""

import pytest

from tests.graphs.quivers import AIRPORT, QUERY, Whole, an_airport
from tests.graphs.script import failing
from tests.graphs.searching import FINISH
from toolquiver.calling import CallError
from toolquiver.nodes.loop.lacking import gaps


def broken(api, _):
    raise CallError("server_error", "It is broken.")


def test_a_given_candidate_that_failed_is_not_called_again():
    whole = Whole(respond=broken)
    result = whole.ask("How high is Alpha?", candidates=["tests/tests/alpha"], judging="always", max_reflections=2)
    assert whole.made() == ["alpha"]
    assert (result["status"], result["removed"], result["reflections"]) == ("failed", ["tests/tests/alpha"], 0)


def test_of_given_candidates_those_that_are_left_are_tried():
    whole = Whole(respond=failing("alpha", "server_error"), Judgement={"verdict": "unsolved"})
    given = ["tests/tests/alpha", "tests/tests/bravo"]
    result = whole.ask("How high is Alpha?", candidates=given, judging="always", rollback=False, max_reflections=1)
    assert result["removed"] == ["tests/tests/alpha"]
    assert whole.made().count("alpha") == 1
    assert "bravo" in whole.made()


@pytest.mark.parametrize("candidates", [None, ["tests/tests/alpha"]])
@pytest.mark.parametrize("kind", ["rate_limited", "timeout", "network"])
def test_what_failed_at_the_moment_is_tried_again(kind, candidates):
    def respond(api, _):
        if whole.made() == ["alpha"]:
            raise CallError(kind, "Not now.")
        return f"{api.name} says 8848"

    whole = Whole(respond=respond, plays={"meta": lambda *_: FINISH}, Judgement={"verdict": "unsolved"})
    settings = {"judging": "in_doubt", "rollback": False, "max_reflections": 1}
    result = whole.ask("How high is Alpha?", candidates=candidates, **settings)
    assert whole.made() == ["alpha", "alpha"]
    assert (result["answer"], result["removed"]) == ("It is 8848 m.", [])


@pytest.mark.parametrize(("kind", "tries"), [("timeout", 3), ("unauthorized", 1)])
def test_a_call_that_always_fails_is_made_as_often_as_reflections_go_or_once(kind, tries):
    whole = Whole(respond=failing("alpha", kind), Judgement={"verdict": "unsolved"})
    given = ["tests/tests/alpha"]
    result = whole.ask("How high is Alpha?", candidates=given, judging="always", rollback=False, max_reflections=2)
    assert whole.made() == ["alpha"] * tries
    assert (result["status"], result["removed"]) == ("failed", given if tries == 1 else [])


def test_no_model_is_asked_about_an_answer_that_no_call_supports():
    result = Whole(respond=broken, Judgement={"verdict": "solved"}).ask(judging="always", max_reflections=0)
    assert (result["status"], result["verdict"]) == ("failed", "unsolved")
    assert "judge" not in result["usage"]


@pytest.mark.parametrize("calls", [1, 2])
def test_what_a_chain_looks_up_counts_as_a_call_of_the_subtask(calls):
    whole = an_airport()
    query = "What is the distance to the airport of Lisbon?"
    whole.ask(query, candidates=AIRPORT, max_calls=calls, max_reflections=0, ask=False)
    assert len(whole.made()) <= calls
    assert ("distance" in whole.made()) == (calls == 2)


@pytest.mark.parametrize("stopped", ["", "The budget is spent."])
def test_a_subtask_that_the_budget_ended_lacks_nothing_else(stopped):
    state = {
        "subtasks": [QUERY],
        "current": 0,
        "known": [{"question": QUERY, "answer": "No tool gave an answer.", "observation": "", "solved": False}],
        "calls": [],
        "planned": [None],
        "stopped": stopped,
        "allowed": None,
    }
    (gap,) = gaps(state)
    assert ("budget" in gap["why"]) == bool(stopped)
