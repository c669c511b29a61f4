"""What is told of a subtask that could not be completed: nothing of calls that have nothing to do with it."""

import pytest

from tests.graphs.script import Stage, an_api

QUERY = "How many seconds has the lesson?"
RECORD = "LAX Los Angeles 33.9"


def told(query=QUERY, description="Look an airport up.", response=RECORD, arguments=None):
    """A subtask that is never done, with one tool, and what becomes of it."""
    api = an_api("lookup", inputs={"code": "string"}, description=description)
    stage = Stage(
        api,
        respond=lambda *_: response,
        Arguments=arguments or {"code": "LAX"},
        Verdict={"asked": "seconds", "given": "a place", "missing": "seconds", "done": False},
        Digest={"answer": f"It is {response}."},
    )
    return stage.ask(query, max_steps=1)


def test_what_has_no_word_of_the_task_is_no_part_of_the_answer():
    result = told()
    assert [call["ok"] for call in result["calls"]] == [True]
    assert "LAX" not in result["answer"]
    assert result["status"] == "failed"


@pytest.mark.parametrize(
    "more",
    [
        {"description": "Look the length of a lesson up."},
        {"response": "the lesson is in LAX"},
        {"arguments": {"code": "lesson LAX"}},
        {"query": "Wie viele Sekunden hat die Stunde?"},
    ],
    ids=["tool", "response", "arguments", "another language"],
)
def test_what_may_be_a_part_of_it_is_told(more):
    result = told(**more)
    assert "LAX" in result["answer"]
    assert result["status"] == "partial"


@pytest.mark.parametrize(
    ("query", "taken"),
    [
        ("Where is 8.8.8.8?", "8.8.8.8"),
        ("Who owns AS15169?", "AS15169"),
        ("What is 15% of 200?", "0.15*200"),
        ("Hoeveel mensen wonen in Duitsland?", "Germany"),
        ("Wo liegt Bern?", "Switzerland"),
        ("Convert it", "XYZ"),
    ],
)
def test_numbers_codes_and_other_languages_are_to_the_point(query, taken):
    result = told(query=query, arguments={"code": taken})
    assert (result["status"], "LAX" in result["answer"]) == ("partial", True)
