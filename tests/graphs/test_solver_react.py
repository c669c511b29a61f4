"""ReAct: think, call, observe until the model ends; a test for each rule."""

import pytest
from langchain_core.messages import AIMessage

from tests.support.solver_talk import DONE, NAMES, Talk, call, failing, solver_api
from toolquiver.contexts import ReactContext
from toolquiver.errors import InputError
from toolquiver.graphs import react

pytestmark = pytest.mark.usefixtures("strict")


def talk(*turns, **more):
    return Talk(react, *turns, **more)


def test_it_calls_sees_the_result_and_answers():
    one = talk([call("alpha")], [DONE])
    result = one.ask()
    assert (result["answer"], result["status"]) == ("It is done.", "solved")
    assert [(made["api"], made["ok"], made["text"]) for made in result["calls"]] == [
        ("tests/tests/alpha", True, "alpha a")
    ]
    assert one.results() == ["alpha a"]
    assert one.bound[0] == ["give_answer", "give_up", "api_docs", *NAMES]
    assert result["usage"]["act"]["calls"] == 2


def test_the_defaults_are_those_of_the_papers():
    settings = ReactContext()
    assert (settings.max_steps, settings.solver_calls, settings.token_budget) == (12, 10, 200_000)
    assert (settings.registration, settings.listing, settings.register_several) == ("all", "names", False)


def test_a_text_is_the_answer_after_a_call():
    result = talk([call("alpha")], "Alpha ist da, Status: versandt.").ask()
    assert (result["answer"], result["status"]) == ("Alpha ist da, Status: versandt.", "solved")


def test_a_text_is_the_answer_before_any_call():
    one = talk("Happy birthday!")
    result = one.ask(one.query("Write a birthday greeting."))
    assert (result["answer"], result["status"], result["calls"]) == ("Happy birthday!", "solved", [])
    assert len(one.shown) == 1


def test_a_question_that_needs_no_function_is_answered_though_search_finds_none():
    one = talk("Happy birthday!", apis=())
    assert one.ask({"query": "Write a birthday greeting."})["status"] == "solved"


def test_where_no_api_may_be_used_no_model_is_asked():
    one = talk("Hm.")
    result = one.ask({"query": "What is it?", "candidates": []})
    assert (result["status"], result["reason"], one.shown) == ("failed", "No API fits the question.", [])


def test_the_calls_of_a_turn_are_all_made():
    one = talk([call("alpha"), call("bravo", "b")], [DONE])
    one.ask()
    assert sorted(one.caller.made) == [("alpha", "a"), ("bravo", "b")]
    assert one.results() == ["alpha a", "bravo b"]


def test_good_results_of_a_turn_survive_a_bad_one():
    one = talk([call("alpha"), call("bravo"), ("nowhere", {}), call("charlie")], [DONE], respond=failing("bravo"))
    result = one.ask()
    assert [made["ok"] for made in result["calls"]] == [True, False, False, True]
    assert one.results()[0] == "alpha a"
    assert one.results()[1] == "It failed (tool_error): It is broken."
    assert one.results()[2].startswith("It failed (unknown_api): There is no function 'nowhere'")
    assert one.results()[3] == "charlie a"
    assert result["status"] == "solved"


@pytest.mark.parametrize("arguments", [{}, {"note": 1}, {"note": "a", "more": 1}])
def test_arguments_that_do_not_fit_the_schema_are_told_and_not_sent(arguments):
    one = talk([("alpha", arguments)], [DONE])
    assert one.ask()["calls"][0]["failure"] == "invalid_arguments"
    assert one.results()[0].startswith("It failed (invalid_arguments)")
    assert not one.caller.made


def test_arguments_that_are_no_json_are_told():
    broken = AIMessage("", invalid_tool_calls=[{"name": "alpha", "args": "{no", "id": "x", "error": "no JSON"}])
    one = talk(broken, [DONE])
    assert one.ask()["calls"][0]["failure"] == "invalid_arguments"
    assert "not a JSON object" in one.results()[0]


@pytest.mark.parametrize(
    "note", ["Vienna", "-33.87", "350", "lightly active", "1436 x 1.375 = 1974.5", "EUR", "the day after 2026-11-29"]
)
def test_no_argument_is_refused_or_changed_because_of_its_words(note):
    one = talk([call("alpha", note)], [DONE])
    assert one.ask(one.query("Wie heiß ist es morgen in Wien, in euros?"))["calls"][0]["ok"]
    assert one.caller.made == [("alpha", note)]


@pytest.mark.parametrize("answer", ["Ja, Status: versandt. 280 EUR, up 25%.", "x" * 5_000, "ausverkauft"])
def test_an_answer_is_told_as_it_is(answer):
    assert talk([call("alpha")], [("give_answer", {"answer": answer})]).ask()["answer"] == answer


def test_the_same_read_is_made_again_where_the_model_wants_it():
    one = talk([call("alpha")], [call("alpha")], [call("alpha")], [DONE])
    assert one.ask()["status"] == "solved"
    assert one.caller.made == [("alpha", "a")] * 3


@pytest.mark.parametrize("effect", ["write", "unknown"])
def test_a_call_that_may_have_written_is_not_made_again(effect):
    one = talk(
        [call("send")],
        [call("send")],
        [DONE],
        apis=[solver_api("send", effect=effect)],
        respond=failing("send", kind="timeout"),
    )
    result = one.ask()
    assert len(one.caller.made) == 1
    assert [made["failure"] for made in result["calls"]] == ["timeout", "blocked"]
    assert "may have been carried out already" in one.results()[1]


def test_an_answer_beside_calls_waits_for_their_results():
    one = talk([call("alpha"), DONE], [("give_answer", {"answer": "Alpha says a."})])
    result = one.ask()
    assert one.results() == ["alpha a", "Not yet: there are calls beside it. Look at what they return, then end."]
    assert result["answer"] == "Alpha says a."


def test_an_answer_beside_calls_that_were_answered_already_is_taken():
    one = talk([call("alpha"), DONE], [call("alpha"), DONE])
    assert (one.ask()["answer"], one.caller.made) == ("It is done.", [("alpha", "a")])


def test_an_end_beside_a_call_of_nothing_is_not_taken():
    one = talk([("nowhere", {}), ("give_up", {"reason": "No.", "failed": [], "known": ""})], [DONE])
    assert one.ask()["status"] == "solved"


def test_an_answer_without_a_text_is_asked_for_again():
    one = talk([("give_answer", {})], [DONE])
    assert one.ask()["answer"] == "It is done."
    assert "no answer in it" in one.results()[0]


def test_giving_up_says_why_what_is_of_no_use_and_what_is_known():
    said = {"reason": "No alpha today.", "failed": ["alpha", "nowhere"], "known": "Bravo is open."}
    result = talk([call("alpha")], [("give_up", said)]).ask()
    assert (result["status"], result["answer"]) == ("partial", "Bravo is open.")
    assert result["reason"] == "Given up: No alpha today."
    assert result["given_up"] == {"reason": "No alpha today.", "failed": ["tests/tests/alpha"]}


def test_giving_up_with_nothing_known_is_a_failure():
    result = talk([("give_up", {"reason": "No."})]).ask()
    assert (result["status"], result["answer"], result["given_up"]["failed"]) == ("failed", "", [])


def test_the_calls_are_limited_within_a_turn_too_and_the_model_then_only_ends():
    one = talk([call("alpha", str(n)) for n in range(5)], [DONE])
    result = one.ask(solver_calls=3)
    assert len(one.caller.made) == len(result["calls"]) == 3
    assert one.results()[3:] == ["This call was not made: the run may make no more calls. End with what is known."] * 2
    assert one.bound[1] == ["give_answer", "give_up"]
    assert result["status"] == "solved"


def test_failed_and_refused_calls_count():
    one = talk([("nowhere", {})], [call("alpha", "b")], [call("alpha", "c")], [DONE], respond=failing("alpha"))
    result = one.ask(solver_calls=2)
    assert [made["failure"] for made in result["calls"]] == ["unknown_api", "tool_error"]


def test_in_its_last_step_the_model_only_ends():
    one = talk([call("alpha")], [call("alpha", "b")], [DONE])
    result = one.ask(max_steps=3)
    assert one.bound[2] == ["give_answer", "give_up"]
    assert result["status"] == "solved"


def test_where_the_steps_are_used_up_what_is_known_is_told():
    one = talk([call("alpha")])
    result = one.ask(max_steps=2)
    assert (result["answer"], result["status"]) == ("What is known.", "partial")
    assert result["reason"] == "The steps are used up."
    assert "The steps are used up." in one.shown[-1][-1].text


def test_where_nothing_is_known_no_model_is_asked_for_it():
    one = talk([call("alpha")], respond=failing("alpha"))
    result = one.ask(max_steps=2)
    assert (result["status"], result["answer"], len(one.shown)) == ("failed", "", 2)


def test_an_empty_reply_is_told_once():
    one = talk(AIMessage(""), [DONE])
    assert one.ask()["status"] == "solved"
    assert "empty" in one.shown[1][-1].text
    assert talk(AIMessage("")).ask()["reason"] == "The model gave neither a call nor an answer."


def test_an_answer_that_was_cut_off_is_partial():
    cut = AIMessage("It is", response_metadata={"finish_reason": "length"})
    result = talk(cut).ask()
    assert (result["answer"], result["status"]) == ("It is", "partial")


def test_a_spent_budget_ends_with_what_is_known():
    one = talk(*([call("alpha", "x" * 400 + str(n))] for n in range(90)))
    result = one.ask(token_budget=4_000, max_steps=90, solver_calls=90)
    assert (result["status"], result["answer"]) == ("partial", "What is known.")
    assert "token_budget" in result["reason"]


def test_every_turn_is_told_the_date_the_weekday_and_the_zone():
    one = talk([DONE])
    one.ask(today="2031-05-02", time_zone="Europe/Vienna")
    assert "It is Friday, 2031-05-02, 12:00, time zone Europe/Vienna (UTC+0200)." in one.shown[0][1].text
    with pytest.raises(InputError, match="There is no time zone 'Vienna'"):
        one.ask(time_zone="Vienna")


def test_a_long_result_is_cut_with_a_mark_and_the_rest_can_be_asked_for():
    text = "".join(f"{n:>9}." for n in range(3_000))
    one = talk([call("alpha")], [("show_result", {"call": 1, "start": 27_000})], [DONE], respond=lambda *_: text)
    result = one.ask()
    first, rest = one.results()
    assert text.startswith(first.partition("\n[cut: ")[0])
    assert "show_result(call=1, start=" in first
    assert rest == text[27_000:]
    assert "show_result" not in one.bound[0]
    assert "show_result" in one.bound[1]
    assert result["calls"][0]["text"] == text


def test_a_thread_begins_afresh_with_each_question():
    one = talk([call("alpha")], [DONE])
    first = one.ask()
    one.bound.clear()
    assert len(one.ask()["calls"]) == len(first["calls"]) == 1


@pytest.mark.parametrize("query", ["", "  "])
def test_an_empty_question_is_refused(query):
    with pytest.raises(InputError, match="The question is empty"):
        talk([DONE]).ask({"query": query})


def test_a_candidate_that_the_catalogue_does_not_have_is_refused():
    with pytest.raises(InputError, match="The catalogue has no a/b/c"):
        talk([DONE]).ask({"query": "What?", "candidates": ["a/b/c"]})
