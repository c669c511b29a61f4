"""Smurfs' rollback: what follows from a failure is a rule (3.4, "Stable Rollback"), with local and global memory."""

from itertools import count

import pytest
from langgraph.types import Command

from tests.support.savers import SAVERS, saving
from tests.support.script import an_api, failing, with_method
from tests.support.smurfs import NO_TOOL, SMURFS_THREAD, SmurfsStage, in_turn, smurfs_settings, tools_offered
from toolquiver.calling import CallError

pytestmark = pytest.mark.usefixtures("strict")

PENDING = {"hint": "The year is missing.", "done": False}
DONE = {"hint": "", "done": True}


@pytest.fixture(params=SAVERS)
def saver(request, tmp_path):
    with saving(request.param, tmp_path / "state.db") as found:
        yield found


def failing_at(*places):
    """Every call answers with its number, but those at these places, counted from 0, fail."""
    calls = count()

    def respond(api, _):
        number = next(calls)
        if number in places:
            raise CallError("server_error", f"{api.name} is down.")
        return f"{api.name} answered call {number}"

    return respond


def stage_of(*names, **answers):
    return SmurfsStage(*(an_api(name) for name in names), **answers)


def last_offered(question):
    return {"tool": tools_offered(question)[-1]}


# ---- within a step


def test_a_failed_tool_leaves_the_list_of_its_step(saver):
    stage = stage_of("alpha", "bravo", "charlie", respond=failing_at(0, 1))
    result = stage.ask(saver=saver)
    assert stage.offered() == [["alpha", "bravo", "charlie"], ["bravo", "charlie"], ["charlie"]]
    assert [call["failure"] for call in result["calls"]] == ["server_error", "server_error", None]
    assert result["status"] == "solved"


@pytest.mark.parametrize("kind", ["unauthorized", "rate_limited", "timeout", "not_found", "tool_error", "blocked"])
def test_every_failure_of_a_call_is_one(kind):
    stage = stage_of("alpha", "bravo", respond=failing("alpha", kind))
    result = stage.ask()
    assert [call["failure"] for call in result["calls"]] == [kind, None]
    assert stage.offered() == [["alpha", "bravo"], ["bravo"]]


def test_the_next_thought_is_told_what_failed_and_why():
    stage = stage_of("alpha", "bravo", respond=failing_at(0))
    stage.ask()
    first, second = stage.texts("Thought")
    assert "failed" not in first
    assert "alpha" in second
    assert "server_error, alpha is down." in second


def test_a_tool_that_failed_can_be_chosen_again_at_a_later_step():
    stage = stage_of("alpha", "bravo", respond=failing_at(0), Verdict=in_turn(PENDING, DONE))
    stage.ask()
    assert stage.offered() == [["alpha", "bravo"], ["bravo"], ["alpha", "bravo"]]
    assert "alpha is down." in stage.texts("Thought")[-1], "and the thought knows that it failed"


def test_the_verifiers_hint_is_kept_after_a_failed_call():
    stage = stage_of("alpha", "bravo", respond=failing_at(1), Verdict=in_turn(PENDING, DONE))
    stage.ask()
    first, second, third = stage.texts("Thought")
    assert "The year is missing." not in first
    assert "The year is missing." in second
    assert "The year is missing." in third


def test_where_no_tool_is_left_at_the_first_step_there_is_nothing():
    stage = stage_of("alpha", "bravo", respond=failing_at(0, 1))
    nodes, state = stage.visits()
    assert nodes[-5:] == ["rollback", "step_back", "conclude", "record", "compose"]
    assert (state["answer"], state["status"]) == ("", "failed")
    assert "bravo is down." in state["reason"]
    assert "Digest" not in stage.titles(), "there is nothing to answer from"


# ---- back to earlier steps


def test_an_empty_list_takes_the_step_before_with_its_tool():
    stage = stage_of("alpha", "bravo", respond=failing_at(1, 2), Verdict=in_turn(PENDING, DONE))
    nodes, state = stage.visits()
    assert stage.offered() == [["alpha", "bravo"], ["alpha", "bravo"], ["bravo"], ["bravo"]]
    assert [name for name in nodes if name in ("rollback", "step_back")] == ["rollback", "rollback", "step_back"]
    assert [step["api"] for step in state["trail"]] == ["tests/tests/bravo"]
    assert state["status"] == "solved"


def test_local_memory_and_hint_forget_the_step_and_global_memory_keeps_it():
    digests = in_turn({"answer": "Alpha's answer."}, {"answer": "Bravo's answer."})
    stage = stage_of("alpha", "bravo", respond=failing_at(1, 2), Digest=digests, Verdict=in_turn(PENDING, DONE))
    _, state = stage.visits()
    before, back = stage.texts("Thought")[2:]
    for said in ("Alpha's answer.", "The year is missing."):
        assert said in before
        assert said not in back
    assert [step["answer"] for step in state["trail"]] == ["Bravo's answer."]
    assert [step["answer"] for step in state["history"]] == ["Alpha's answer.", "Bravo's answer."]


def test_the_hint_is_that_of_the_step_which_is_the_last_again():
    hints = in_turn({"hint": "Hint one.", "done": False}, {"hint": "Hint two.", "done": False}, DONE)
    stage = stage_of("alpha", "bravo", respond=failing_at(2, 3), Verdict=hints)
    stage.ask()
    *_, before, back = stage.texts("Thought")
    assert "Hint two." in before
    assert "Hint one." in back
    assert "Hint two." not in back


def test_with_default_settings_a_rollback_goes_over_three_steps(saver):
    """Each step has one tool left when it answers; at t=2 the last one fails, which empties list after list."""
    fails = failing_at(0, 1, 3, 4, 6, 7, 8)
    stage = stage_of("alpha", "bravo", "charlie", respond=fails, Verdict=PENDING)
    result = stage.ask(saver=saver)
    each_step = [["alpha", "bravo", "charlie"], ["bravo", "charlie"], ["charlie"]]
    assert stage.offered() == each_step * 3
    assert (result["status"], len(result["calls"])) == ("partial", 9)
    stage = stage_of("alpha", "bravo", "charlie", respond=failing_at(0, 1, 3, 4, 6, 7, 8), Verdict=PENDING)
    nodes, state = stage.visits()
    assert nodes[-7:] == ["rollback", *["step_back"] * 3, "conclude", "record", "compose"]
    assert (state["trail"], state["tool_lists"]) == ([], [[]])
    assert len(state["history"]) == 2


def test_with_default_settings_and_ten_candidates_it_goes_back_over_three_steps_and_on():
    """At t=1 and t=2 every tool fails or is used up; at t=0 one is left, and it answers."""
    names = [f"tool_{number}" for number in range(10)]
    fails = {*range(8), *range(9, 18), *range(19, 29)}  # 8 answers at t=0, 18 at t=1; at t=2 all ten fail
    stage = stage_of(*names, respond=failing_at(*fails), Verdict=in_turn(PENDING, PENDING, DONE))
    nodes, state = stage.visits()
    goes_back = [place for place, name in enumerate(nodes) if name == "step_back"]
    assert len(goes_back) == 2
    assert goes_back[1] == goes_back[0] + 1, "from t=2 to t=1, and at once to t=0"
    assert stage.offered()[-1] == ["tool_9"]
    assert (state["status"], [step["api"] for step in state["trail"]]) == ("solved", ["tests/tests/tool_9"])
    assert len(state["history"]) == 3


def test_more_steps_are_gone_back_where_more_are_allowed():
    stage = stage_of("alpha", "bravo", respond=failing_at(1, 3, 5, 6), Verdict=PENDING)
    nodes, state = stage.visits(max_steps=9)
    assert max(len(list(group)) for group in _runs(nodes, "step_back")) == 3
    assert len(state["trail"]) == 9


def _runs(nodes, name):
    """The unbroken runs of a node."""
    found = [[]]
    for node in nodes:
        if node == name:
            found[-1].append(node)
        elif found[-1]:
            found.append([])
    return found


def test_where_nothing_is_left_the_answer_comes_from_all_trajectories():
    digests = in_turn({"answer": "First way."}, {"answer": "Second way."}, {"answer": "Both ways."})
    stage = stage_of("alpha", "bravo", respond=failing_at(1, 2, 4, 5), Digest=digests, Verdict=PENDING)
    result = stage.ask()
    assert (result["answer"], result["status"]) == ("Both ways.", "partial")
    shown = stage.texts("Digest")[-1]
    assert "First way." in shown
    assert "Second way." in shown
    assert "alpha is down." in shown


def test_a_choice_of_none_empties_the_list_and_steps_back():
    choices = in_turn({"tool": "alpha"}, {"tool": NO_TOOL}, {"tool": "bravo"})
    stage = stage_of("alpha", "bravo", Choice=choices, Verdict=in_turn(PENDING, DONE))
    nodes, state = stage.visits()
    assert stage.offered() == [["alpha", "bravo"], ["alpha", "bravo"], ["bravo"]]
    assert nodes.count("rollback") == 0
    assert nodes.count("step_back") == 1
    assert state["status"] == "solved"


def test_each_subtask_has_lists_of_its_own():
    stage = stage_of("alpha", "bravo", respond=failing_at(0), Plan={"subtasks": ["One?", "Two?"]})
    stage.ask()
    assert stage.offered() == [["alpha", "bravo"], ["bravo"], ["alpha", "bravo"]]


def test_there_are_never_more_calls_than_the_limit():
    stage = stage_of(*(f"tool_{number}" for number in range(10)), respond=failing_at(*range(99)))
    result = stage.ask(max_calls=4)
    assert (len(result["calls"]), result["status"]) == (4, "failed")


# ---- calls that are not made, or not again


def test_a_refused_call_is_a_failure_like_any_other(tmp_path):
    stage = SmurfsStage(with_method(an_api("alpha"), "POST"), an_api("bravo"))
    with saving("memory", tmp_path) as saver:
        graph = stage.build(checkpointer=saver)
        asked = {"query": "Where is it?", "candidates": stage.ids}
        stopped = graph.invoke(asked, SMURFS_THREAD, context=smurfs_settings(approval="writes"))
        assert stopped["__interrupt__"][0].value["api"] == "tests/tests/alpha"
        result = graph.invoke(Command(resume="refuse"), SMURFS_THREAD, context=smurfs_settings(approval="writes"))
    assert [call["failure"] for call in result["calls"]] == ["blocked", None]
    assert (stage.made(), result["status"]) == (["bravo"], "solved")


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_the_very_same_call_is_made_once(method):
    api = with_method(an_api("alpha"), method)
    stage = SmurfsStage(api, Filled={"arguments": {"note": "a"}}, Verdict=in_turn(PENDING, DONE))
    result = stage.ask(approval="never")
    assert stage.made() == ["alpha"]
    assert (len(result["calls"]), result["status"]) == (1, "solved")
    assert all("alpha says so" in text for text in stage.texts("Digest"))


def test_what_was_read_is_read_again_after_a_change():
    reads, writes = with_method(an_api("alpha"), "GET"), with_method(an_api("bravo"), "POST")
    stage = SmurfsStage(
        reads,
        writes,
        Choice=in_turn({"tool": "alpha"}, {"tool": "bravo"}, {"tool": "alpha"}),
        Filled={"arguments": {"note": "a"}},
        Verdict=in_turn(PENDING, PENDING, DONE),
    )
    stage.ask(approval="never")
    assert stage.made() == ["alpha", "bravo", "alpha"]


@pytest.mark.parametrize("kind", ["timeout", "network", "server_error", "tool_error"])
def test_a_change_that_may_have_been_made_is_not_made_again(kind):
    api = with_method(an_api("alpha"), "POST")
    stage = SmurfsStage(
        api,
        an_api("bravo"),
        respond=failing("alpha", kind),
        Choice=in_turn({"tool": "alpha"}, {"tool": "bravo"}, {"tool": "alpha"}, {"tool": "bravo"}),
        Filled={"arguments": {"note": "a"}},
        Verdict=in_turn(PENDING, DONE),
    )
    result = stage.ask(approval="never")
    assert stage.made() == ["alpha", "bravo"]
    assert [call["failure"] for call in result["calls"]] == [kind, None, kind]


def test_a_read_that_failed_for_the_moment_is_made_again_at_a_later_step():
    api = with_method(an_api("alpha"), "GET")

    tries = count()

    def respond(which, _):
        if which.name == "alpha" and next(tries) == 0:
            raise CallError("timeout", "Not now.")
        return "fine"

    stage = SmurfsStage(
        api,
        an_api("bravo"),
        respond=respond,
        Filled={"arguments": {"note": "a"}},
        Verdict=in_turn(PENDING, DONE),
    )
    result = stage.ask()
    assert stage.made() == ["alpha", "bravo", "alpha"]
    assert result["status"] == "solved"
