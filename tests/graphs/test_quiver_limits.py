"""How quiver ends: what failed stays away, limits are hard, and the reason is the true one."""

import re

import pytest
from langchain_core.messages import AIMessage

from tests.graphs.quivers import AIRPORT, QUERY, Whole, an_airport
from tests.graphs.script import an_api, failing, numbered_notes
from tests.graphs.searching import FINISH
from toolquiver.calling import CallError
from toolquiver.catalog import Catalog
from toolquiver.nodes.loop.lacking import gaps
from toolquiver.nodes.search.settle import NOTHING


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


@pytest.mark.parametrize(("notes", "reflections"), [({"note": "the same"}, 1), (numbered_notes(), 3)])
def test_after_a_try_that_called_nothing_new_no_other_reason_brings_another(notes, reflections):
    reasons = (f"Reason {number}." for number in range(9))
    whole = Whole(Arguments=notes, Judgement=lambda _: {"verdict": "unsolved", "reason": next(reasons)})
    settings = {"judging": "always", "max_reflections": 3}
    result = whole.ask("How high is Alpha?", candidates=["tests/tests/alpha"], **settings)
    assert (result["status"], result["reflections"]) == ("partial", reflections)


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


class FilteredError(Exception):
    status_code = 400


def filtered(_):
    raise FilteredError("Blocked by the content filter.")


def raised(whole, role):
    whole.script.answers[role] = filtered


def said(**about):
    """What makes a model answer the decisions of a role with this message."""

    def refuse(whole, role):
        usual = whole.model
        whole.model = lambda messages, schema: (
            AIMessage("", **about) if schema.get("title") == role else usual(messages, schema)
        )

    return refuse


REFUSALS = [
    (raised, "refused a prompt for what it says. Ask in other words. Blocked by the content filter."),
    (said(additional_kwargs={"refusal": "I would rather not."}), "Ask in other words, .* I would rather not."),
    (said(response_metadata={"finish_reason": "content_filter"}), "Ask in other words, .* A filter has ended"),
    (said(response_metadata={"stop_reason": "refusal"}), "Ask in other words, .* A filter has ended"),
]


@pytest.mark.parametrize("role", ["Plan", "Arguments", "Verdict", "Judgement"])
@pytest.mark.parametrize(("refuse", "told"), REFUSALS)
def test_where_the_model_refuses_the_reason_says_so_and_nobody_is_asked_any_more(refuse, told, role):
    whole = Whole()
    refuse(whole, role)
    result = whole.ask("How high is Alpha?", judging="always" if role == "Judgement" else "in_doubt")
    assert result["status"] == ("failed" if role in ("Plan", "Arguments") else "partial")
    assert re.search(told, result["reason"])
    assert "budget" not in result["reason"] + result["lacking"][0]["why"]
    assert result["reflections"] == 0
    assert sum(spent["calls"] for spent in result["usage"].values()) <= 8


@pytest.mark.parametrize("title", ["Wanted", "Plan"])
def test_a_model_that_is_cut_before_it_says_anything_is_not_asked_on(title):
    whole = Whole()
    said(response_metadata={"finish_reason": "length"})(whole, title)
    result = whole.ask("How high is Alpha?")
    assert ("Give it a larger max_tokens" in result["reason"]) == (title == "Wanted")  # the first that is asked
    assert (result["status"] == "failed") == (title == "Wanted")


def test_what_the_model_refuses_within_a_chain_is_no_spent_budget():
    whole = an_airport()
    said(additional_kwargs={"refusal": "I would rather not."})(whole, "Completion")
    result = whole.ask("What is the distance to the airport of Lisbon?", candidates=AIRPORT)
    assert [gap["why"] for gap in result["lacking"]] == ["the run had to stop before it was answered"]
    assert result["reason"].count("I would rather not.") == 1


AT_ONCE = [("DirectAnswer", *one) for one in REFUSALS] + [("NeedsTool", *one) for one in REFUSALS[1:]]


@pytest.mark.parametrize(("role", "refuse", "told"), AT_ONCE)
def test_where_the_model_refuses_to_answer_at_once_the_reason_says_so(role, refuse, told):
    whole = Whole(NeedsTool={"needs_tool": False})
    refuse(whole, role)
    result = whole.ask("How high is Alpha?", tool_check=True)
    assert (result["status"], result["calls"]) == ("failed", [])
    assert re.search(told, result["reason"])


def test_where_the_budget_is_spent_the_reason_says_what_to_do():
    result = Whole().ask("How high is Alpha?", token_budget=600)
    assert result["reason"].startswith("The token budget does not suffice")
    assert "Raise token_budget." in result["reason"]
    assert result["lacking"][0]["why"] == "the budget was spent before it was answered"


def test_an_empty_catalogue_is_told_as_such_and_no_model_is_asked():
    whole = Whole()
    whole.catalog = Catalog.create()
    result = whole.ask("How high is Alpha?")
    assert (result["status"], result["reason"]) == ("failed", NOTHING)
    assert result["usage"] == {}


@pytest.mark.parametrize("stopped", ["", "The token budget does not suffice for another call of the role 'plan'."])
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


def a_height(**answers):
    """One right call, with which verifier or judge may not be content."""
    api = an_api("height", inputs={"mountain": "string"}, description="The height of a mountain.")
    return Whole(
        api,
        respond=lambda *_: '{"height_m": 8848}',
        Arguments={"mountain": "Alpha"},
        Digest={"answer": "It is 8848 m high."},
        **answers,
    )


HEIGHT, PENDING = ["tests/tests/height"], {"asked": "h", "given": "h", "missing": "prominence", "done": False}


@pytest.mark.parametrize("reflections", [0, 1, 2])
def test_another_try_that_brings_nothing_does_not_cost_what_was_found(reflections):
    whole = a_height(Verdict=PENDING, Judgement={"reason": "No prominence.", "verdict": "unsolved"})
    result = whole.ask("What is the height of Alpha?", candidates=HEIGHT, max_reflections=reflections)
    assert (result["status"], result["evidence"][0]["calls"]) == ("partial", [1])
    assert "8848" in result["answer"]


def test_another_try_with_nothing_new_is_not_made_twice():
    asked = []
    for reflections in (1, 6):
        whole = a_height(Verdict=PENDING, Judgement={"reason": "No prominence.", "verdict": "unsolved"})
        whole.ask("What is the height of Alpha?", candidates=HEIGHT, max_reflections=reflections)
        asked.append(len(whole.script.asked))
    assert asked[0] == asked[1]


def test_a_try_that_has_called_anything_new_may_be_followed_by_another():
    places = iter(["Alpha", "Beta", "Gamma", "Delta"])
    whole = a_height(Verdict=PENDING, Judgement={"reason": "No prominence.", "verdict": "unsolved"})
    whole.script.answers["Arguments"] = lambda _: {"mountain": next(places)}
    whole.ask("What is the height of Alpha?", candidates=HEIGHT, max_reflections=2, max_steps=1)
    assert [arguments["mountain"] for _, arguments in whole.caller.made] == ["Alpha", "Beta", "Gamma"]


def test_what_the_judge_passes_in_the_end_is_solved():
    verdicts = iter(["unsolved", *["solved"] * 9])
    whole = a_height(Judgement=lambda _: {"reason": "It gives the height.", "verdict": next(verdicts)})
    result = whole.ask("What is the height of Alpha?", candidates=HEIGHT, judging="always", max_reflections=1)
    assert (result["status"], result["answer"], result["lacking"]) == ("solved", "It is 8848 m high.", [])


def test_a_call_that_a_chain_has_made_is_not_made_again():
    whole = Whole(
        an_api("create_invoice", inputs={"customer": "string"}, outputs=("invoice",), description="Create an invoice."),
        an_api("create_customer", inputs={"name": "string"}, outputs=("customer",), description="Create a customer."),
        respond=lambda api, _: '{"customer": "L77123"}' if api.name == "create_customer" else '{"invoice": "I9"}',
        Arguments=lambda asked: {"name": "Bob"} if "name" in asked.schema["properties"] else {"customer": "X12345"},
        Completion=lambda asked: (
            {"name": {"from": "the request", "value": "Bob"}}
            if "name" in asked.schema["properties"]
            else {"customer": {"from": "create_customer"}}
        ),
        Choice=lambda asked: {"tool": "create_customer" if "customer named" in asked.text else "create_invoice"},
        Plan={"calls": 1, "subtasks": [{"question": "Do it?"}]},
        Digest={"answer": "Done."},
    )
    query = "Create an invoice for Bob. Also, create a customer named Bob."
    whole.ask(query, judging="never", drafts=False, runoff=False, approval="never")
    assert whole.made() == ["create_customer", "create_invoice"]


def test_an_observation_that_is_taken_again_is_cut_as_before():
    whole = a_height()
    whole.caller.respond = lambda *_: "8848 " + "x" * 9_000
    whole.ask(
        "What is the height of Alpha? How great is the height of Alpha?",
        candidates=HEIGHT,
        planner=True,
        judging="never",
    )
    assert len(whole.caller.made) == 1
    cuts = [cut for asked in whole.script.asked for cut in re.findall(r"\[cut: \d+", asked.text)]
    assert len(cuts) > 1
    assert len(set(cuts)) == 1
