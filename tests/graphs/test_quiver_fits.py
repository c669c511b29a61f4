"""Whether any tool fits a query: where none does quiver says so and calls nothing."""

import pytest

from tests.graphs.quivers import Whole, mountains
from tests.graphs.script import an_api, plan_of
from toolquiver.catalog import meaning

UNSURE = {"search_decides": False}


def test_of_a_small_catalogue_a_model_says_whether_it_fits_where_search_finds_nothing():
    helping = {"tool": "alpha", "wants": "the height by alpha"}
    assert Whole(an_api("alpha"), Help=helping).ask("zzz", top_k=1)["status"] == "solved"
    for useless in ({"tool": "none"}, {"tool": "alpha", "wants": "an author"}):
        other = Whole(an_api("alpha"), Help=useless)
        result = other.ask("zzz", top_k=1)
        assert (result["status"], result["calls"], result["agents"]) == ("failed", [], {})
        assert result["answer"].startswith("No tool of the catalogue fits")
        assert other.script.titles() == ["Help"]


HIGH = "How high is the mountain?"


def with_a_tune(**answers):
    """Seven APIs about mountains, and one of which the query has no word."""
    tune = an_api("zulu", description="Play a tune.").model_copy(update={"tool": "tunes"})
    return Whole(*mountains(), tune, **answers)


@pytest.mark.parametrize(("pool_size", "asked"), [(8, "Help"), (7, "Solvability")])
def test_a_catalogue_that_fits_in_the_pool_is_all_in_it_and_wakes_no_agent(pool_size, asked, monkeypatch):
    monkeypatch.setattr(meaning, "available", lambda: False)  # by meaning all is near
    told = {"verdict": "unsolvable", "reason": "Too small."}
    answers = {"Help": {"tool": "alpha", "wants": "height"}, "Solvability": told}
    whole = with_a_tune(**answers, Judgement={"verdict": "unsolved"})
    result = whole.ask(HIGH, pool_size=pool_size, judging="always", **UNSURE)
    assert whole.script.titles()[0] == asked
    assert bool(result["wakings"]) == (asked == "Solvability")
    listed = whole.script.texts(asked)[0]
    assert ("- zulu" in listed.splitlines(), "- zulu(" in listed) == (asked == "Help", False)


def test_candidates_that_are_given_are_all_described():
    whole = with_a_tune(Help={"tool": "none"})
    whole.ask("xqzzt wvvrk jjpqd", candidates=[api.id for api in whole.catalog.apis()])
    assert "- zulu(note): Play a tune." in whole.script.texts("Help")[0]


def test_what_a_model_names_far_down_a_small_catalogue_is_shown_to_each_subtask():
    for named, shown in (("zulu", True), ("alpha", False)):
        whole = with_a_tune(Help={"tool": named, "wants": "a tune"})
        whole.ask(HIGH, pool_size=8, planner=False, expansion=False, **UNSURE)
        assert ("zulu" in whole.script.texts("Choice")[0]) == shown


@pytest.mark.parametrize(("query", "judged"), [("zzz", True), ("What does alpha do?", False)])
def test_where_no_tool_that_was_called_has_to_do_with_the_query_a_judge_is_asked(query, judged):
    whole = Whole(an_api("alpha"), Help={"tool": "alpha", "wants": "alpha"})
    result = whole.ask(query, top_k=1)
    assert [call["ok"] for call in result["calls"]] == [True]
    assert ("judge" in result["usage"]) == judged


def an_adder():
    output = {"type": "object", "properties": {"result": {"type": "number"}}}
    return an_api("add", inputs={"a": "number", "b": "number"}).model_copy(update={"output": output})


def test_a_tool_that_computes_has_no_word_of_what_it_is_wanted_for():
    whole = Whole(an_adder(), Help={"tool": "add", "wants": "xqzzt"}, Arguments={"a": 1, "b": 2})
    assert whole.ask("zzz", max_reflections=0)["calls"]


@pytest.mark.parametrize(("inputs", "fits"), [({"query": "string"}, True), ({"colour": "string"}, False)])
def test_a_tool_that_takes_whatever_one_asks_needs_no_word_of_it(inputs, fits):
    whole = Whole(
        an_api("net", inputs=inputs),
        Help={"tool": "net", "wants": "an author"},
        Arguments={"query": "zzz"} if fits else {},
    )
    assert bool(whole.ask("zzz", top_k=1, max_reflections=0)["subtasks"]) == fits


def test_nothing_is_called_where_search_finds_nothing():
    whole = Whole(Wanted={"does": "zzz", "takes": "qqq", "returns": "xxx"})
    result = whole.ask("xqzzt wvvrk jjpqd")
    assert (result["status"], result["calls"]) == ("failed", [])
    assert whole.script.titles() == ["Wanted"]
    assert not whole.policy.asked


def test_given_candidates_that_have_nothing_to_do_with_the_query_are_asked_about_first():
    for tool, status in (("none", "failed"), ("alpha", "solved")):
        whole = Whole(Help={"tool": tool, "wants": tool})
        result = whole.ask("xqzzt wvvrk jjpqd", candidates=["tests/tests/alpha"])
        assert (whole.script.titles()[0], result["status"]) == ("Help", status)
        assert bool(whole.made()) == (status == "solved")
    assert "Help" not in titles_of_given("How high is the mountain?", "tests/tests/alpha")


def titles_of_given(query, *candidates):
    whole = Whole(Plan=plan_of(query))
    assert whole.ask(query, candidates=[*candidates])["status"] == "solved"
    return whole.script.titles()


def test_what_tools_compute_need_not_be_in_a_query_that_they_are_given_for():
    whole = Whole(an_adder(), Help={"tool": "none"}, Arguments={"a": 1, "b": 2})
    whole.ask("xqzzt wvvrk jjpqd", candidates=["tests/tests/add"], max_reflections=0, judging="never")
    assert "Help" not in whole.script.titles()


def test_without_agents_a_plain_no_to_the_tools_is_the_end():
    whole = Whole(Solvability={"verdict": "unsolvable", "reason": "It is about feelings."})
    result = whole.ask("How happy was my mountain grandmother?", agents=False, **UNSURE)
    assert (result["status"], result["calls"], result["reason"]) == ("failed", [], "It is about feelings.")
    assert result["answer"].startswith("No tool of the catalogue fits")
    assert whole.script.titles() == ["Solvability"]


def test_without_agents_nothing_is_asked_about_tools_where_search_is_sure():
    whole = Whole(an_api("alpha"), an_api("bravo"))
    assert whole.ask("Look up bravo", agents=False)["status"] == "solved"
    assert not {"Solvability", "Help"} & {*whole.script.titles()}


def test_a_question_that_needs_no_tool_is_answered_directly():
    whole = Whole(NeedsTool={"needs_tool": False}, DirectAnswer={"answer": "Hello."})
    result = whole.ask("Say hello", tool_check=True)
    assert (result["answer"], result["status"], result["calls"]) == ("Hello.", "solved", [])
    assert whole.script.titles() == ["NeedsTool", "DirectAnswer"]


def test_a_direct_answer_that_comes_out_invalid_says_nothing_about_tools():
    whole = Whole(NeedsTool={"needs_tool": False}, DirectAnswer="no JSON at all")
    result = whole.ask("Say hello", tool_check=True)
    assert (result["status"], result["answer"], result["reason"]) == ("failed", "", "The model gave no answer.")


@pytest.mark.parametrize("query", ["\u00bfCu\u00e1ntos habitantes tiene Oslo?", "Combien d'habitants a Oslo ?"])
def test_of_a_question_in_another_language_the_model_is_believed(query):
    asked = {"tool": "population", "wants": "cu\u00e1ntos habitantes"}
    whole = Whole(an_api("population", inputs={"place": "string"}), Help=asked, Arguments={"place": "Oslo"})
    assert whole.ask(query, top_k=1, max_reflections=0)["calls"]


@pytest.mark.parametrize("query", ["Book a flight to Rome", "Convert 5 miles to km", "Turn off kitchen lights"])
def test_of_an_english_order_it_is_not(query):
    whole = Whole(an_api("population", inputs={"place": "string"}), Help={"tool": "population", "wants": "xqzzt"})
    assert not whole.ask(query, top_k=1, max_reflections=0)["calls"]


def test_an_empty_direct_answer_is_none():
    result = Whole(NeedsTool={"needs_tool": False}, DirectAnswer={"answer": "  "}).ask("Say hello", tool_check=True)
    assert (result["status"], result["answer"]) == ("failed", "")
