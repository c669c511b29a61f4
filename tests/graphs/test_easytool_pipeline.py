"""The four stages: a failed call goes back to selection, up to R tries (EasyTool, 3.1)."""

import asyncio
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tests.support.pipeline import (
    PIPELINE_SOURCE,
    THREAD,
    PipelineStage,
    a_tool,
    filled,
    in_turn,
    settings_of,
    subtasks,
)
from tests.support.savers import SAVERS, saving
from toolquiver.catalog.instruction import Guideline, Stored, api_hash, parameters_of
from toolquiver.contexts import PipelineContext
from toolquiver.errors import InputError
from toolquiver.evaluation import Question
from toolquiver.evaluation.records import Resources
from toolquiver.evaluation.systems import system_named
from toolquiver.models import scripted

pytestmark = pytest.mark.usefixtures("strict")

NAMES = ("alpha", "bravo", "charlie", "delta")


@pytest.fixture(params=SAVERS)
def saver(request, tmp_path):
    with saving(request.param, tmp_path / "state.db") as found:
        yield found


def a_stage(*names, **more):
    return PipelineStage(*map(a_tool, names or NAMES), **more)


# ---- planning


def test_the_request_is_split_and_each_subtask_goes_through_the_stages_once(saver):
    stage = a_stage(TaskPlan=subtasks("Look up alpha.", "Look up bravo."))
    result = stage.ask(saver=saver)
    assert stage.titles() == ["TaskPlan", *["Choice", "Filled"] * 2, "FinalAnswer"]
    assert [name for name, _ in stage.made] == ["alpha", "bravo"]
    assert [(call["subtask"], call["ok"], call["text"]) for call in result["calls"]] == [
        (0, True, "alpha says so"),
        (1, True, "bravo says so"),
    ]
    assert (result["answer"], result["status"], result["missing"]) == ("Here it is.", "solved", [])
    assert result["subtasks"] == ["Look up alpha.", "Look up bravo."]
    assert set(result["usage"]) == {"plan", "select", "fill", "answer"}


def test_a_later_subtask_sees_what_the_earlier_ones_came_to():
    stage = a_stage(TaskPlan=subtasks("Look up alpha.", ("Look up bravo of it.", [1])))
    stage.ask()
    for title in ("Choice", "Filled"):
        first, second = stage.texts(title)
        assert "alpha says so" not in first
        assert "Subtask 1: Look up alpha.\n<result>alpha says so</result>" in second
    assert "<result>bravo says so</result>" in stage.texts("FinalAnswer")[0]


def test_a_subtask_that_needs_what_was_not_done_is_passed_over():
    plan = subtasks(
        "Look up alpha.", ("Look up bravo of it.", [1]), ("Look up charlie of that.", [2]), "Look up delta."
    )
    stage = a_stage(TaskPlan=plan, failing=dict.fromkeys(NAMES[:3], "tool_error"))
    result = stage.ask()
    assert [name for name, _ in stage.made] == ["alpha", "bravo", "charlie", "delta"]
    assert {call["subtask"] for call in result["calls"]} == {0, 3}
    assert "It was not done: It needs the result of subtask 2." in stage.texts("FinalAnswer")[0]


@pytest.mark.parametrize("after", [[1], [2], [0], [-1]])
def test_a_subtask_can_only_come_after_earlier_ones(after):
    stage = a_stage(TaskPlan=in_turn(subtasks(("Look up alpha.", after)), subtasks("Look up alpha.")))
    result = stage.ask()
    assert "can only come after earlier ones" in stage.texts("TaskPlan")[1]
    assert result["status"] == "solved"


def test_a_request_that_needs_no_tool_is_answered_at_once():
    stage = a_stage(TaskPlan=subtasks())
    assert stage.ask("Hello!")["status"] == "solved"
    assert (stage.titles(), stage.made) == (["TaskPlan", "FinalAnswer"], [])


def test_without_a_valid_plan_the_request_is_the_only_subtask():
    result = (stage := a_stage(TaskPlan="no JSON")).ask("Where is alpha?")
    assert (result["subtasks"], len(stage.made)) == (["Where is alpha?"], 1)


def test_a_plan_keeps_to_its_limit():
    stage = a_stage(TaskPlan=in_turn(subtasks(*["Look up alpha."] * 3), subtasks("Look up alpha.")))
    assert len(stage.ask(max_subtasks=2)["subtasks"]) == 1
    assert "no more than 2 subtasks" in stage.texts("TaskPlan")[0]


@pytest.mark.parametrize("title", ["TaskPlan", "Filled", "FinalAnswer"])
def test_who_plans_fills_or_answers_is_told_the_date_the_weekday_and_the_zone(title):
    stage = a_stage()
    stage.ask()
    assert "It is Sunday, 2026-11-29, 12:00, time zone UTC (UTC+0000)." in stage.texts(title)[0]


# ---- retrieval


def test_the_k_tools_that_are_most_like_the_subtask_are_retrieved():
    stage = PipelineStage(*(a_tool(name, about=f"Tells the {name} of a town.") for name in ("tides", "taxes", "trams")))
    stage.answers["TaskPlan"] = subtasks("Tell the taxes of a town.", "Tell the trams of a town.")
    stage.ask(candidates=False, top_k=1)
    assert stage.offered() == [["taxes", "none of these"], ["trams", "none of these"]]


def test_of_the_apis_that_are_given_no_others_are_retrieved():
    stage = a_stage()
    stage.ask(candidates=stage.ids[2:])
    assert set(stage.offered()[0]) == {"charlie", "delta", "none of these"}


def test_a_subtask_that_search_finds_no_tool_for_is_given_up():
    stage = PipelineStage()
    stage.answers["FinalAnswer"] = {"answer": "", "missing": ["all of it"]}
    result = stage.ask(candidates=False)
    assert (result["status"], "no tool" in result["reason"], stage.titles()) == (
        "failed",
        True,
        ["TaskPlan", "FinalAnswer"],
    )


# ---- selection


def test_tools_are_selected_by_their_descriptions_and_filled_by_their_whole_documents():
    long = "Pass one of the values: " + ", ".join(f"value{n}" for n in range(400)) + "."
    stage = PipelineStage(a_tool("alpha", about="Look up **alpha**."))
    api = stage.catalog.get(stage.ids[0])
    note = {"note": {"type": "string", "description": long, "examples": ["red"]}}
    api = api.model_copy(update={"parameters": api.parameters | {"properties": note}})
    stage.catalog.update(api)
    said = Guideline(
        description="tells alphas",
        parameters=parameters_of(api),
        scenario="if you want red ones",
        arguments={"note": "red"},
        proof="called",
    )
    made = {"document": api_hash(api), "prompt": "p", "model": "m", "made": datetime.now(UTC)}
    stage.catalog.instructions.put([Stored(subject=api.id, content=said, **made)])
    stage.ask()
    (selected,), (filled_from,) = stage.texts("Choice"), stage.texts("Filled")
    assert "- alpha (tests): tells alphas" in selected
    assert "value1" not in selected
    assert "Look up **alpha**." in filled_from
    assert "value399." in filled_from
    assert 'Example, if you want red ones: {"note": "red"}' in filled_from


def test_none_of_the_tools_may_be_selected():
    stage = a_stage(Choice={"tool": "none of these"}, FinalAnswer={"answer": "Nobody knows.", "missing": ["alpha"]})
    result = stage.ask()
    assert (stage.made, stage.titles()) == ([], ["TaskPlan", "Choice", "FinalAnswer"])
    assert (result["status"], result["reason"]) == ("failed", "None of the tools can do it.")


def test_an_invalid_choice_is_told_as_such():
    stage = a_stage(Choice={"tool": "tests.alpha"}, FinalAnswer={"answer": "Nobody knows.", "missing": ["alpha"]})
    result = stage.ask()
    assert (stage.made, result["status"], result["reason"]) == ([], "failed", "The model made no valid choice.")


def test_arguments_that_do_not_fit_are_asked_for_again_with_the_reason():
    stage = a_stage(Filled=in_turn(filled(boat="red"), filled(note="red")))
    stage.ask()
    assert "boat" in stage.texts("Filled")[1]
    assert stage.made == [("alpha", {"note": "red"})]


def test_a_tool_whose_required_value_nothing_gives_is_not_called_and_another_is_selected():
    stage = a_stage(Filled=in_turn(filled(missing=["note"]), filled(note="red")))
    result = stage.ask()
    assert [name for name, _ in stage.made] == ["bravo"]
    assert "Tried before: alpha: Nothing gives note." in stage.texts("Choice")[1]
    assert result["status"] == "solved"


# ---- execution


def test_a_failed_call_goes_back_to_selection_without_its_tool(saver):
    stage = a_stage(failing={"alpha": "tool_error"})
    result = stage.ask(saver=saver)
    assert [name for name, _ in stage.made] == ["alpha", "bravo"]
    first, second = stage.offered()
    assert set(first) - set(second) == {"alpha"}
    assert "Tried before: alpha: The call failed (tool_error): It is broken." in stage.texts("Choice")[1]
    assert ([call["ok"] for call in result["calls"]], result["status"]) == ([False, True], "solved")


@pytest.mark.parametrize("most", [1, 2, 3])
def test_there_are_r_tries_a_subtask_and_no_more(most):
    stage = a_stage(failing=dict.fromkeys(NAMES, "tool_error"), TaskPlan=subtasks("Look up alpha.", "Look up bravo."))
    result = stage.ask(max_tries=most)
    assert len(stage.made) == 2 * most
    assert (result["status"], "tool_error" in result["reason"]) == ("failed", True)


def test_where_no_tool_is_left_the_tries_end():
    stage = a_stage("alpha", "bravo", failing={"alpha": "not_found", "bravo": "not_found"})
    stage.ask(max_tries=9)
    assert [name for name, _ in stage.made] == ["alpha", "bravo"]


@given(
    broken=st.sets(st.sampled_from(NAMES)),
    tasks=st.integers(1, 4),
    tries=st.integers(1, 5),
)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_tool_is_tried_twice_for_a_subtask_and_none_more_than_r(broken, tasks, tries):
    stage = a_stage(failing=dict.fromkeys(broken, "tool_error"), TaskPlan=subtasks(*["Look up it."] * tasks))
    result = stage.ask(max_tries=tries)
    for number in range(tasks):
        made = [call for call in result["calls"] if call["subtask"] == number]
        assert len({call["api"] for call in made}) == len(made) <= tries
        assert [call["ok"] for call in made[:-1]] == [False] * (len(made) - 1)
        assert made[-1]["ok"] or len(made) == min(tries, len(NAMES))


@pytest.mark.parametrize(("reply", "made"), [("approve", ["alpha"]), ("refuse", ["bravo"])])
def test_the_user_is_asked_before_a_call_that_may_write_and_a_refusal_leads_to_another_tool(reply, made):
    stage = PipelineStage(a_tool("alpha", effect="write"), a_tool("bravo"))
    graph = stage.build(checkpointer=InMemorySaver())
    asked = {"query": "Change alpha.", "candidates": stage.ids}
    waiting = graph.invoke(asked, THREAD, context=settings_of())["__interrupt__"]
    assert (waiting[0].value["api"], stage.made) == (stage.ids[0], [])
    result = graph.invoke(Command(resume=reply), THREAD, context=settings_of())
    assert [name for name, _ in stage.made] == made
    assert result["status"] == "solved"


# ---- the end


def test_the_status_goes_by_what_is_missing():
    stage = a_stage(FinalAnswer={"answer": "Alpha is there.", "missing": ["its height"]})
    result = stage.ask()
    assert (result["status"], result["missing"], result["reason"]) == ("partial", ["its height"], "Missing: its height")


def test_without_a_valid_answer_the_last_result_stands_in():
    result = a_stage(FinalAnswer="no JSON").ask()
    assert (result["answer"], result["status"]) == ("alpha says so", "partial")


def test_a_long_result_is_cut_with_a_mark_and_kept_whole():
    stage = a_stage(respond=lambda *_: "x" * 100_000)
    result = stage.ask()
    assert "more characters]" in stage.texts("FinalAnswer")[0]
    assert len(result["calls"][0]["text"]) == 100_000


def test_a_spent_budget_ends_the_run_with_what_is_known():
    stage = a_stage(TaskPlan=subtasks(*["Look up alpha."] * 9))
    result = stage.ask(token_budget=4_000)
    assert len(stage.made) < 9
    assert (result["status"], "budget" in result["reason"]) == ("partial", True)
    with pytest.raises(InputError, match="token_budget"):
        a_stage().ask(token_budget=20)


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path):
    for kind in SAVERS[1:]:
        with saving(kind, tmp_path / "state.db") as kept:
            stage = a_stage(failing={"alpha": "tool_error"}, TaskPlan=subtasks("Look up alpha.", "Look up bravo."))
            graph = stage.build(checkpointer=kept)
            asked = {"query": "Where?", "candidates": stage.ids}
            graph.invoke(asked, THREAD, context=settings_of(), interrupt_after=["execute"])
            result = graph.invoke(None, THREAD, context=settings_of())
            assert [name for name, _ in stage.made] == ["alpha", "bravo", "bravo"]
            assert result["status"] == "solved"


def test_a_second_question_on_a_thread_begins_afresh():
    stage, kept = a_stage(), InMemorySaver()
    first, second = (stage.ask(saver=kept) for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    ("query", "said"), [(" ", "question is empty"), ({"query": "x", "candidates": ["no/such/api"]}, "no/such/api")]
)
def test_what_cannot_be_asked_is_refused(query, said):
    with pytest.raises(InputError, match=said):
        a_stage().ask(query)
    with pytest.raises(InputError, match="no time zone 'Nowhere'"):
        a_stage().ask(time_zone="Nowhere")


def test_it_is_a_system_of_the_evaluation():
    stage = a_stage(failing={"alpha": "tool_error"})
    system = system_named(
        "easytool_pipeline", model=scripted(stage.reply), settings={"max_tries": 2, "call_retries": 0}
    )
    assert isinstance(system.context, PipelineContext)
    question = Question(id="1", query="Where is alpha?", candidates=tuple(stage.ids))
    found = asyncio.run(system(question, Resources(catalog=stage.catalog, callers={PIPELINE_SOURCE: stage})))
    assert (found.outcome, [call.ok for call in found.calls]) == ("solved", [False, True])
    assert set(found.candidates) == set(stage.ids)


def test_a_choice_that_does_not_exist_cannot_be_made():
    stage = a_stage(Choice=in_turn({"tool": "zulu"}, {"tool": "bravo"}))
    stage.ask()
    assert [name for name, _ in stage.made] == ["bravo"]
