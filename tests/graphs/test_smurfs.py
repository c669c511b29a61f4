"""Smurfs: each role does its part and sees what the paper gives it (3.3 and 3.4)."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.savers import SAVERS, saving
from tests.support.script import an_api
from tests.support.smurfs import NO_TOOL, SmurfsStage, in_turn
from toolquiver.errors import InputError
from toolquiver.models import tokens

pytestmark = pytest.mark.usefixtures("strict")

FIGURE_7 = (
    "I'm planning a trip to Turkey and need information about postal codes in Istanbul. Can you provide me with the"
    " postal code and district for Istanbul province with plate number 34? Additionally, I would like to know if there"
    " are any transit agencies available in Istanbul. Please fetch their names and contact numbers."
)
ITS_PLAN = [
    "Determine the postal code and district for Istanbul province with plate number 34.",
    "Find out if there are any transit agencies in Istanbul.",
    "Get the names of the transit agencies in Istanbul.",
    "Obtain the contact numbers for the transit agencies in Istanbul.",
]
PENDING = {"hint": "The year is missing.", "done": False}
DONE = {"hint": "", "done": True}


@pytest.fixture(params=SAVERS)
def saver(request, tmp_path):
    with saving(request.param, tmp_path / "state.db") as found:
        yield found


def two(**answers):
    return SmurfsStage(an_api("alpha"), an_api("bravo"), **answers)


# ---- the planner (3.3)


def test_figure_7_is_planned_as_its_four_subtasks_by_one_question(saver):
    stage = two(Plan={"subtasks": ITS_PLAN})
    result = stage.ask(FIGURE_7, saver=saver)
    assert result["subtasks"] == ITS_PLAN
    assert stage.titles().count("Plan") == 1
    assert [call["subtask"] for call in result["calls"]] == [0, 1, 2, 3]
    assert (result["answer"], result["status"], result["missing"]) == ("Found it.", "solved", [])


def test_the_planner_sees_the_request_and_the_clock_and_no_tool():
    stage = two()
    stage.ask("What happens tomorrow?")
    (shown,) = stage.texts("Plan")
    for said in ("What happens tomorrow?", "Sunday", "2026-11-29", "UTC"):
        assert said in shown
    assert "alpha" not in shown


@pytest.mark.parametrize("said", [{"subtasks": []}, {"subtasks": ["  "]}, "nonsense"])
def test_what_is_not_split_is_one_subtask(said):
    assert two(Plan=said).ask("Where is it?")["subtasks"] == ["Where is it?"]


def test_a_later_subtask_sees_the_questions_and_answers_before_it():
    answers = in_turn({"answer": "It is Ankara."}, {"answer": "It rains."})
    stage = two(Plan={"subtasks": ["What is the capital?", "How is the weather there?"]}, Digest=answers)
    stage.ask()
    earlier = "Earlier task 1: What is the capital?\nIts answer: It is Ankara."
    for title in ("NeedsTool", "Thought", "Filled", "Digest", "Verdict"):
        first, second = stage.texts(title)
        assert "Earlier task" not in first
        assert earlier in second
    (composed,) = stage.texts("FinalAnswer")
    assert "It is Ankara." in composed
    assert "It rains." in composed


def test_local_memory_and_hint_end_with_the_subtask():
    stage = two(Plan={"subtasks": ["One?", "Two?"]}, Verdict=in_turn(PENDING, DONE), Thought={"thought": "A thought."})
    stage.ask()
    *_, last = stage.texts("Thought")
    assert "The year is missing." not in last
    assert "of this task" not in last


# ---- the tool check (figure 8)


def test_a_subtask_that_needs_no_tool_is_answered_directly(saver):
    stage = two(NeedsTool={"needs_tool": False}, DirectAnswer={"answer": "Happy birthday!"})
    result = stage.ask("Write a birthday greeting.", saver=saver)
    assert (result["answer"], result["status"], result["calls"]) == ("Happy birthday!", "solved", [])
    assert stage.titles() == ["Plan", "NeedsTool", "DirectAnswer"]


def test_each_subtask_is_checked():
    needs = in_turn({"needs_tool": True}, {"needs_tool": False})
    stage = two(
        Plan={"subtasks": ["How warm is it?", "Is that warm?"]}, NeedsTool=needs, DirectAnswer={"answer": "Yes."}
    )
    result = stage.ask()
    assert [call["subtask"] for call in result["calls"]] == [0]
    assert "Earlier task 1: How warm is it?\nIts answer: Found it." in stage.texts("DirectAnswer")[0]
    assert result["status"] == "solved"


def test_where_there_is_no_direct_answer_a_tool_is_used_after_all():
    stage = two(NeedsTool={"needs_tool": False}, DirectAnswer={"answer": " "})
    result = stage.ask()
    assert (result["answer"], stage.made()) == ("Found it.", ["alpha"])


# ---- the executor: think, choose, fill (equations 2 to 4)


def test_there_is_a_thought_before_each_choice_and_a_choice_before_each_call():
    stage = SmurfsStage(an_api("alpha"), Verdict=in_turn(PENDING, DONE))
    stage.ask()
    assert stage.titles() == [
        *("Plan", "NeedsTool"),
        *("Thought", "Choice", "Filled", "Digest", "Verdict"),
        *("Thought", "Choice", "Filled", "Digest", "Verdict"),
    ]


def test_a_thought_sees_the_subtask_the_list_local_memory_and_the_hint():
    stage = two(
        Thought=in_turn({"thought": "First I look."}, {"thought": "Then I go on."}), Verdict=in_turn(PENDING, DONE)
    )
    stage.ask("Since when?")
    first, second = stage.texts("Thought")
    assert "of this task" not in first
    for said in ("Since when?", "alpha (tests): Look up alpha.", "First I look.", "Found it.", "The year is missing."):
        assert said in second


def test_a_choice_sees_the_subtask_the_thought_and_the_list_and_no_memory():
    stage = two(
        Thought=in_turn({"thought": "First I look."}, {"thought": "Then I go on."}), Verdict=in_turn(PENDING, DONE)
    )
    stage.ask("Since when?")
    _, second = stage.texts("Choice")
    for said in ("Since when?", "Then I go on.", "bravo (tests): Look up bravo."):
        assert said in second
    for unsaid in ("First I look.", "Found it.", "The year is missing."):
        assert unsaid not in second


def test_who_fills_arguments_sees_local_memory_the_clock_and_the_whole_document_of_the_tool():
    about = "The station. " + ", ".join(f"value {number}" for number in range(500))
    api = an_api("alpha", description="Look up trains. " * 100)
    note = {"type": "string", "description": about}
    api = api.model_copy(update={"parameters": {"type": "object", "properties": {"note": note}, "required": ["note"]}})
    stage = SmurfsStage(api, an_api("bravo"), Thought={"thought": "I look."}, Verdict=in_turn(PENDING, DONE))
    stage.ask("When tomorrow?")
    _, second = stage.texts("Filled")
    for said in (about, api.description.strip(), "When tomorrow?", "I look.", "Found it.", "2026-11-29"):
        assert said in second
    assert "Look up bravo" not in second


@pytest.mark.parametrize("documentation", ["instructions", "condensed", "raw"])
def test_who_fills_arguments_sees_the_text_of_the_tool_once_and_no_cut_copy(documentation):
    about = "Look up <b>trains</b>. Look up trains. Only trains of today."
    stage = SmurfsStage(an_api("alpha", description=about))
    stage.ask(documentation=documentation)
    (shown,) = stage.texts("Filled")
    assert shown.count(about) == 1
    assert shown.count("Only trains of today.") == 1


def test_steps_and_parts_are_numbered_and_what_is_not_complete_is_marked():
    stage = two(Plan={"subtasks": ["One?", "Two?"]}, Verdict=in_turn(PENDING, PENDING, PENDING, DONE))
    stage.ask()
    concluding = next(text for text in stage.texts("Digest") if "could not be completed" in text)
    assert [f"Step {number} of this task: " in concluding for number in (1, 2, 3, 4)] == [True, True, True, False]
    assert "Earlier task 1: One?\nIts answer: Found it. (not complete)" in stage.texts("Thought")[-1]
    (composed,) = stage.texts("FinalAnswer")
    assert "Part 1: One?\nIts answer: Found it. (not complete)\nPart 2: Two?\nIts answer: Found it.\n" in composed


def test_arguments_are_sent_as_the_model_gives_them():
    given = {"note": "Vienna, +43 1 58858, -33.87, morgen = 2026-11-30"}
    stage = two(Filled={"arguments": given})
    stage.ask("Wien, 01 58858, 33.87 S, morgen")
    assert stage.caller.made == [("alpha", given)]


def test_a_tool_without_parameters_is_called_without_a_question():
    stage = SmurfsStage(an_api("alpha", inputs={}))
    assert stage.ask()["status"] == "solved"
    assert "Filled" not in stage.titles()
    assert stage.caller.made == [("alpha", {})]


def test_a_tool_whose_schema_refers_to_its_own_parts_is_filled():
    parameters = {
        "type": "object",
        "properties": {"place": {"$ref": "#/$defs/place"}},
        "required": ["place"],
        "$defs": {"place": {"type": "string", "enum": ["here", "there"]}},
    }
    api = an_api("alpha").model_copy(update={"parameters": parameters})
    stage = SmurfsStage(api, Filled={"arguments": {"place": "there"}})
    assert stage.ask()["status"] == "solved"
    assert stage.caller.made == [("alpha", {"place": "there"})]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"missing": ["note"]}, "Nothing gives note."),
        ({"arguments": {"note": 7}}, "no arguments that fit"),
        ({"arguments": {"nonsense": "a"}}, "no arguments that fit"),
        ("nonsense", "no arguments that fit"),
    ],
)
def test_no_valid_arguments_are_a_failure_of_the_call(said, why):
    filled = (
        in_turn(said, said, {"arguments": {"note": "a"}})
        if "missing" not in said
        else in_turn(said, {"arguments": {"note": "a"}})
    )
    stage = two(Filled=filled)
    result = stage.ask()
    assert [(call["api"], call["failure"]) for call in result["calls"]] == [
        ("tests/tests/alpha", "invalid_arguments"),
        ("tests/tests/bravo", None),
    ]
    assert why in result["calls"][0]["message"]
    assert stage.made() == ["bravo"]
    assert why in stage.texts("Thought")[1], "the next thought is told"


def test_only_required_arguments_can_be_missing():
    stage = two(Filled={"missing": ["nonsense"], "arguments": {"note": "a"}})
    assert stage.ask()["status"] == "failed"
    (first, *_) = [question.schema for question in stage.script.asked if question.title == "Filled"]
    assert first["properties"]["missing"]["items"]["enum"] == ["note"]


def test_where_no_tool_is_chosen_nothing_is_called_and_the_run_says_so(saver):
    stage = two(Choice={"tool": NO_TOOL})
    result = stage.ask(saver=saver)
    assert (result["answer"], result["status"], result["calls"]) == ("", "failed", [])
    assert result["missing"] == ["Where is it?"]
    assert "Where is it?" in result["reason"]
    assert stage.titles() == ["Plan", "NeedsTool", "Thought", "Choice"]


# ---- the candidates


def test_an_invalid_choice_says_nothing_of_the_tools_and_ends_the_subtask_under_its_own_label():
    stage = SmurfsStage(an_api("alpha"), an_api("beta"), Choice={"tool": "tests.alpha"})
    nodes, state = stage.visits()
    assert nodes == ["plan", "check", "retrieve", "think", "choose", "conclude", "record", "compose"]
    assert state["tool_lists"] == [stage.ids]
    assert (state["status"], stage.made()) == ("failed", [])
    assert "The model made no valid choice of a tool." in state["reason"]


def test_the_candidates_of_a_subtask_are_what_search_finds_for_it():
    stage = SmurfsStage(
        an_api("rain_tomorrow", description="Rain in a city tomorrow."),
        an_api("exchange_rate", description="The exchange rate of two currencies."),
        Plan={"subtasks": ["How much rain is there tomorrow?", "What is the exchange rate?"]},
    )
    stage.ask(candidates=False, top_k=1)
    assert stage.made() == ["rain_tomorrow", "exchange_rate"]


def test_no_api_is_a_candidate_beyond_those_that_search_finds():
    needs = an_api("rain_tomorrow", inputs={"station_id": "string", "grid_id": "string"}, description="Rain tomorrow.")
    gives = an_api("find_place", outputs=("station_id", "grid_id"), description="Look a name up.")
    stage = SmurfsStage(needs, gives, *(an_api(f"other_{n}") for n in range(5)))
    stage.ask("rain tomorrow", candidates=False, top_k=1)
    assert stage.offered()[0] == ["rain_tomorrow"]


def test_an_empty_catalogue_is_told_as_a_failure():
    stage = SmurfsStage()
    result = stage.ask(candidates=False)
    assert (result["status"], result["missing"]) == ("failed", ["Where is it?"])


# ---- answer and verifier (equations 6 and 7)


def test_the_answer_agent_sees_the_whole_response_and_local_memory():
    response = json.dumps({"filler": "x" * 5_000, "href": "https://example.com/17"})
    stage = two(respond=lambda *_: response, Thought={"thought": "I look."}, Verdict=in_turn(PENDING, DONE))
    stage.ask("Since when?")
    first, second = stage.texts("Digest")
    for said in (response, "Since when?"):
        assert said in first
    assert "Its answer: Found it." in second


def test_the_verifier_sees_the_subtask_with_those_before_and_the_answers_and_no_response():
    digests = in_turn({"answer": "She is Ada."}, {"answer": "It is 17."})
    plan = {"subtasks": ["Who is it?", "How old is she?"]}
    stage = two(respond=lambda *_: "a secret of the response", Plan=plan, Digest=digests)
    stage.ask("How old is the mayor?")
    _, shown = stage.texts("Verdict")
    for said in ("Who is it?", "She is Ada.", "How old is she?", "It is 17."):
        assert said in shown
    assert "a secret" not in shown


@pytest.mark.parametrize("answer", ["It is not known.", "", "word " * 800, "The concert is sold out."])
def test_the_verifiers_yes_is_final(answer):
    result = two(Digest={"answer": answer}).ask()
    assert result["status"] == ("solved" if answer else "failed")
    assert result["answer"] == answer
    assert len(result["calls"]) == 1


def test_the_verifiers_no_is_final(saver):
    stage = two(Digest={"answer": "It is there, complete and right."}, Verdict=PENDING)
    result = stage.ask(saver=saver)
    assert result["status"] == "partial"
    assert len(result["calls"]) == 3, "max_steps"
    assert result["missing"] == ["Where is it?"]


def test_pending_is_no_rollback_the_next_step_has_a_fresh_list():
    stage = two(Verdict=in_turn(PENDING, DONE))
    nodes, state = stage.visits()
    assert stage.offered() == [["alpha", "bravo"], ["alpha", "bravo"]]
    assert [step["answer"] for step in state["trail"]] == ["Found it.", "Found it."]
    assert "rollback" not in nodes
    assert nodes.count("advance") == 1


def test_without_a_verdict_the_subtask_is_pending():
    assert two(Verdict=in_turn("nonsense", "nonsense", DONE)).ask()["status"] == "solved"
    assert two(Verdict="nonsense").ask()["status"] == "partial"


def test_at_the_limit_of_steps_the_answer_comes_from_all_trajectories():
    stage = two(
        Digest=in_turn(*({"answer": f"Part {number}."} for number in range(3)), {"answer": "All parts."}),
        Verdict=PENDING,
    )
    result = stage.ask()
    assert (result["answer"], result["status"]) == ("All parts.", "partial")
    assert all(f"Part {number}." in stage.texts("Digest")[-1] for number in range(3))


def test_the_answer_of_a_single_subtask_stands_as_it_is():
    stage = two(Plan={"subtasks": ["Which gate?"]}, Digest={"answer": "Gate B12."})
    assert stage.ask("Which gate, please?")["answer"] == "Gate B12."
    assert "FinalAnswer" not in stage.titles()


def test_the_composed_answer_stands_as_it_is_and_what_it_misses_counts():
    said = {"answer": "Together 280 EUR.", "missing": ["the tax"]}
    result = two(Plan={"subtasks": ["One?", "Two?"]}, FinalAnswer=said).ask()
    assert (result["answer"], result["status"], result["missing"]) == ("Together 280 EUR.", "partial", ["the tax"])


# ---- ablations (table 5)


def test_without_the_planner_the_request_is_the_only_subtask():
    stage = two(Plan={"subtasks": ITS_PLAN})
    assert stage.ask(FIGURE_7, planner=False)["subtasks"] == [FIGURE_7]
    assert "Plan" not in stage.titles()


def test_without_the_answer_agent_memory_has_the_responses():
    stage = two(Verdict=in_turn(PENDING, DONE))
    result = stage.ask(answerer=False)
    assert "Digest" not in stage.titles()
    assert "Its answer: alpha says so" in stage.texts("Thought")[1]
    assert "alpha says so" in stage.texts("Verdict")[0]
    assert (result["answer"], result["status"]) == ("Found it.", "solved"), "composed of the responses"


def test_without_the_verifier_the_search_goes_on_to_the_limit():
    stage = two()
    result = stage.ask(verifier=False)
    assert "Verdict" not in stage.titles()
    assert (len(result["calls"]), result["status"]) == (3, "partial")


def test_without_the_tool_check_every_subtask_uses_tools():
    stage = two(NeedsTool={"needs_tool": False})
    assert len(stage.ask(tool_check=False)["calls"]) == 1
    assert "NeedsTool" not in stage.titles()


# ---- registration on demand (EcoAct)


def test_a_tool_is_listed_by_name_until_it_is_chosen():
    stage = two(Verdict=in_turn(PENDING, DONE))
    result = stage.ask(registration="on_demand")
    first, second = stage.texts("Thought")
    assert "Look up" not in first
    assert "Look up alpha." in second
    assert "Look up bravo." not in second
    assert result["registered"] == [{"api": "tests/tests/alpha", "since": 0, "until": None}]


# ---- limits and settings


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(100, 9_000), st.integers(1, 3))
def test_no_run_spends_more_than_its_budget(budget, subtasks):
    plan = {"subtasks": [f"Where is part {number}?" for number in range(subtasks)]}
    stage = two(Plan=plan, Verdict=PENDING, Thought={"thought": "word " * 50})
    try:
        result = stage.ask(token_budget=budget)
    except InputError:  # too small to start
        assert stage.titles() == []
        return
    assert tokens(result["usage"]) <= budget
    assert result["status"] in ("partial", "failed")
    assert result["reason"]


def test_what_was_found_before_the_budget_ends_is_told():
    stage = two(Plan={"subtasks": ["One?", *(f"Where is part {n}?" for n in range(9))]}, Digest={"answer": "It is 17."})
    result = stage.ask(token_budget=6_000)
    assert result["status"] == "partial"
    assert "It is 17." in result["answer"]
    assert "token_budget" in result["reason"]


def test_an_empty_request_is_refused():
    with pytest.raises(InputError, match="empty"):
        two().ask("  ")


def test_a_second_run_on_a_thread_begins_afresh(tmp_path):
    with saving("memory", tmp_path) as saver:
        stage = two(Verdict=PENDING)
        first, second = stage.ask(saver=saver), stage.ask(saver=saver)
    assert first["calls"] != second["calls"]
    assert len(second["calls"]) == 3
    assert second["usage"]["plan"]["calls"] == 1
