"""Smurfs at its limits: switches, budgets, steps, and models that fail."""

from contextlib import suppress

import pytest

from tests.graphs.script import FOUND, Stage, an_api, failing, numbered_notes, options, plan_of
from toolquiver.errors import InputError, ModelError, ModelUnreachable
from toolquiver.models import ScriptedModel, tokens

TWO = plan_of("Where is alpha?", "Where is bravo?")
BOTH = "Where are Alpha and Bravo?"
ROLES = ("NeedsTool", "Plan", "Thought", "Choice", "Arguments", "Digest", "Verdict", "FinalAnswer")


def a_stage(*names, **answers):
    return Stage(*(an_api(name) for name in names or ("alpha", "bravo")), **answers)


@pytest.mark.parametrize(
    ("switch", "decision"),
    [("planner", "Plan"), ("thinker", "Thought"), ("answerer", "Digest"), ("verifier", "Verdict")],
)
def test_a_role_that_is_switched_off_is_not_asked(switch, decision):
    stage = a_stage("alpha", "bravo", "carol", Arguments=numbered_notes(), Plan=TWO, respond=failing("alpha"))
    stage.ask(BOTH)
    assert decision in stage.script.titles()
    stage.script.asked.clear()
    stage.ask(BOTH, **{switch: False})
    assert decision not in stage.script.titles()


def test_without_planner_the_question_is_the_only_subtask():
    assert a_stage(Plan=TWO).ask(BOTH, planner=False)["subtasks"] == [BOTH]


@pytest.mark.parametrize("first", [True, False])
def test_the_thinker_may_be_asked_before_the_first_choice_too(first):
    stage = a_stage()
    stage.ask(think_first=first)
    assert ("Thought" in stage.script.titles()) == first


def test_without_answerer_the_raw_response_stands():
    assert a_stage().ask(answerer=False)["answer"] == "alpha says so"


def test_without_verifier_the_steps_go_on_to_the_limit():
    stage = a_stage(Arguments=numbered_notes())
    result = stage.ask(verifier=False, max_steps=3)
    assert len(stage.caller.made) == 3
    assert result["status"] == "solved"


def test_the_tool_check_answers_at_once_what_needs_no_tool():
    stage = a_stage(NeedsTool={"needs_tool": False}, DirectAnswer={"answer": "Hello."})
    result = stage.ask("Hi", tool_check=True)
    assert (result["answer"], result["status"], result["calls"]) == ("Hello.", "solved", [])
    assert stage.script.titles() == ["NeedsTool", "DirectAnswer"]
    assert sum(role["calls"] for role in result["usage"].values()) == 2


def test_the_tool_check_is_off_unless_asked_for():
    stage = a_stage(NeedsTool={"needs_tool": False})
    assert stage.ask()["calls"]
    assert "NeedsTool" not in stage.script.titles()


@pytest.mark.parametrize("said", [{"needs_tool": True}, "no idea"])
def test_the_tool_check_goes_on_with_tools_unless_it_says_no(said):
    stage = a_stage(NeedsTool=said)
    result = stage.ask(tool_check=True)
    assert (result["status"], len(result["calls"])) == ("solved", 1)
    assert "check" in str(result["usage"])


def test_a_direct_answer_that_does_not_come_is_a_failure():
    stage = a_stage(NeedsTool={"needs_tool": False}, DirectAnswer="not JSON")
    result = stage.ask("Hi", tool_check=True)
    assert (result["status"], result["answer"]) == ("failed", "")
    assert result["reason"]


def test_a_spent_budget_ends_with_what_there_is_and_is_never_passed():
    """Every budget between too little to begin and enough for all."""
    needed = tokens(a_stage(Plan=TWO).ask(BOTH)["usage"])
    seen = []
    for budget in range(50, needed + 1_000, 97):
        stage = a_stage(Plan=TWO)
        with suppress(InputError):  # too little to begin
            result = stage.ask(BOTH, token_budget=budget)
            seen.append(result["status"])
            assert stage.script.asked
            assert tokens(result["usage"]) <= budget
            assert result["status"] == "solved" or "budget" in result["reason"]
            assert result["answer"]
        assert seen or not stage.script.asked
    assert seen == sorted(seen, key=["failed", "partial", "solved"].index)
    assert set(seen) == {"failed", "partial", "solved"}


@pytest.mark.parametrize(
    "settings", [{}, {"tool_check": True}, {"planner": False}, {"planner": False, "thinker": False}]
)
def test_a_budget_too_small_to_start_is_said_at_once(settings):
    stage = a_stage()
    with pytest.raises(InputError, match="token_budget"):
        stage.ask(token_budget=20, **settings)
    assert not stage.script.asked


@pytest.mark.parametrize("most", [1, 2, 5])
def test_a_trajectory_has_at_most_max_steps(most):
    stage = a_stage(Verdict={"done": False}, Arguments=numbered_notes())
    result = stage.ask(max_steps=most)
    assert len(stage.caller.made) == most
    assert result["status"] != "solved"
    assert result["answer"] == FOUND


def test_many_steps_need_no_setting_of_langgraph():
    """More supersteps than LangGraph's old limit of 25, with the default configuration."""
    stage = a_stage(Verdict={"done": False}, Arguments=numbered_notes())
    stage.ask(max_steps=40, max_calls=40)
    assert len(stage.caller.made) == 40


def test_a_hint_of_the_verifier_reaches_the_next_step():
    stage = a_stage(Verdict={"done": False, "missing": "the harbour"}, Arguments=numbered_notes())
    stage.ask(max_steps=2)
    after = stage.script.asked[stage.script.titles().index("Verdict") + 1 :]
    assert any("the harbour" in question.text for question in after if question.title in ("Thought", "Choice"))


@pytest.mark.parametrize("query", ["", "  ", "\n\t"])
def test_an_empty_question_is_refused(query):
    stage = a_stage()
    with pytest.raises(InputError, match="empty"):
        stage.ask(query)
    assert not stage.script.asked


class StatusError(Exception):
    """A provider's error as their clients raise it."""

    status_code = 401


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    ("raised", "expected"), [(StatusError("key"), ModelError), (ConnectionError(), ModelUnreachable)]
)
def test_a_model_that_cannot_be_used_is_an_error_and_no_answer(role, raised, expected):
    def fail(_):
        raise raised

    answers = {"Plan": TWO, "NeedsTool": {"needs_tool": True}} | {role: fail}
    stage = a_stage("alpha", "bravo", "carol", respond=failing("alpha"), **answers)
    with pytest.raises(expected) as caught:
        stage.ask(BOTH, tool_check=True)
    assert "Traceback" not in str(caught.value)
    assert stage.script.titles()[-1] == role


@pytest.mark.parametrize("said", ["", "I do not know.", "{", "[]", '{"unexpected": 1}'])
def test_a_model_that_never_gives_valid_output_still_comes_to_an_end(said):
    stage = Stage(an_api("alpha"), an_api("bravo"), an_api("clock", inputs={}), **dict.fromkeys(ROLES, said))
    result = stage.ask(BOTH, tool_check=True)
    assert result["status"] in {"failed", "partial"}
    assert all(call["arguments"] == {} for call in result["calls"])
    assert result["answer"]
    assert result["reason"]


def test_a_setting_that_makes_no_sense_is_refused():
    with pytest.raises(InputError, match="max_steps"):
        a_stage().ask(max_steps=0)


@pytest.mark.parametrize(("query", "cancelled"), [("Where is order 7?", False), ("Cancel order 7.", True)])
def test_whoever_asks_a_question_has_nothing_changed(query, cancelled):
    answers = {"Verdict": {"done": False}, "Choice": last_offered, "respond": failing("find_order")}
    stage = a_stage("find_order", "cancel_order", **answers)
    stage.build().invoke({"query": query})
    made = {name for name, _ in stage.caller.made}
    assert made == ({"find_order", "cancel_order"} if cancelled else {"find_order"})


def last_offered(question):
    """The choice of the tool that is listed last."""
    return {"tool": options(question)[-1]}


class OrdersWhole(ScriptedModel):
    takes_orders_whole: bool = True


@pytest.mark.parametrize(("query", "plans"), [("Find Alpha. Also, please find Bravo.", 0), ("Where is Alpha?", 1)])
def test_a_model_may_say_that_it_takes_orders_whole(query, plans):
    stage = a_stage(Arguments=numbered_notes())
    graph = stage.build(model=OrdersWhole(stage.script, profile={"structured_output": True}))
    result = graph.invoke({"query": query, "candidates": stage.ids})
    assert stage.script.titles().count("Plan") == plans
    if not plans:
        assert result["subtasks"] == ["Find Alpha.", "Also, please find Bravo."]


def test_a_tool_without_inputs_that_has_answered_is_not_offered_again():
    stage = a_stage(Verdict={"done": False}, Arguments=numbered_notes())
    stage.catalog.add(an_api("charlie", inputs={}))
    stage.script.answers["Choice"] = lambda q: {"tool": "charlie" if "charlie" in options(q) else options(q)[0]}
    stage.ask("Where is it?", candidates=[*stage.ids, "tests/tests/charlie"], planner=False, max_steps=3)
    assert [name for name, _ in stage.caller.made].count("charlie") == 1
    chosen_of = [options(question) for question in stage.script.asked if question.schema.get("title") == "Choice"]
    assert chosen_of[0] == ["alpha", "bravo", "charlie"]
    assert all("charlie" not in options_ for options_ in chosen_of[1:])


def test_questions_for_which_the_plan_has_no_room_are_named():
    stage = a_stage("alpha", "bravo", "charlie", Arguments=numbered_notes())
    result = stage.ask("Where is Alpha? Where is Bravo? Where is Charlie?", max_subtasks=2)
    assert (result["status"], result["subtasks"]) == ("partial", ["Where is Alpha?", "Where is Bravo?"])
    assert result["reason"] == "Not answered: Where is Charlie? (max_subtasks leaves no room for it)"
    whole = stage.ask("Where is Alpha? Where is Bravo?", max_subtasks=2)
    assert (whole["status"], whole["reason"]) == ("solved", "Every subtask was answered.")
