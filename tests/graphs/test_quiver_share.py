"""A share of the budget: a first part that nothing solves, or a chain that finds nothing, leaves some to the rest."""

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from tests.graphs.quivers import AIRPORT, Whole, an_airport, mountains
from toolquiver.models import tokens
from toolquiver.nodes.chain.chain_fill import TOO_COSTLY

FIRST, SECOND = "How high is Alpha", "how old is the Bravo mountain?"  # of the query
BUDGET = 9_000


def asked(part, *, hopeless=FIRST, budget=BUDGET, **settings):
    def verdict(question):
        return {"done": hopeless not in question.text, "missing": "the height"}

    stage = Whole(*mountains(), Verdict=verdict)
    more = {"max_reflections": 0, "judging": "never", "search_decides": False, "agents": False}
    result = stage.ask(token_budget=budget, subtask_part=part, max_steps=50, max_calls=50, **(more | settings))
    return result, stage


def of_the_second(result):
    return [call for call in result["calls"] if call["subtask"] == result["subtasks"].index(SECOND)]


def test_what_waits_is_asked_although_the_first_part_takes_all_that_it_may():
    whole, _ = asked(1.0)
    assert not of_the_second(whole)
    shared, _ = asked(0.6)
    assert of_the_second(shared)
    assert shared["status"] == "partial"
    assert [gap["question"] for gap in shared["lacking"]] == [FIRST]
    assert tokens(shared["usage"]) <= BUDGET


def test_the_last_subtask_has_all_that_is_left():
    result, _ = asked(0.6, hopeless=SECOND)
    assert tokens(result["usage"]) > 0.8 * BUDGET
    assert "budget" in result["reason"]


@pytest.mark.parametrize("part", [0.01, 0.6, 1.0])
def test_where_nothing_is_short_the_share_is_of_no_account(part):
    result, stage = asked(part, hopeless="Nothing of that.", budget=100_000)
    other, _ = asked(1.0, hopeless="Nothing of that.", budget=100_000)
    assert result["answer"] == other["answer"]
    assert result["status"] == "solved"
    assert stage.made()


def test_a_subtask_has_at_least_enough_for_a_call():
    result, _ = asked(0.01)
    assert [call for call in result["calls"] if call["ok"] and call["subtask"] == 0]


@pytest.mark.parametrize(("most", "solved"), [(100, False), (100_000, True)])
def test_a_chain_that_has_spent_its_tokens_is_a_failure_of_the_tool_and_not_the_end(most, solved):
    whole = an_airport()
    result = whole.ask(
        "What is the distance to the airport of Lisbon?", candidates=AIRPORT, drafts=False, ask=False, chain_budget=most
    )
    assert ([call["ok"] for call in result["calls"]] == [True, True]) is solved
    assert (result["calls"][0]["failure"] == "invalid_arguments") is not solved
    assert "token_budget" not in result["reason"]
    assert "Completion" in whole.script.titles() or not solved
    assert whole.script.titles()[-1] != "Completion"


def test_the_user_is_not_asked_for_what_a_chain_had_no_tokens_to_look_up():
    whole = an_airport()
    result = whole.ask(
        "What is the distance to the airport of Lisbon?",
        checkpointer=InMemorySaver(),
        candidates=AIRPORT,
        drafts=False,
        chain_budget=100,
    )
    assert "__interrupt__" not in result
    assert result["calls"][0]["message"] == TOO_COSTLY
    assert not result.get("unfilled")
