"""What is told of a subtask that could not be completed: nothing of calls that have nothing to do with it."""

import pytest

from tests.graphs.script import Stage, an_api, failing, options
from toolquiver.context import Context

QUERY = "How many seconds has the lesson?"
RECORD = "LAX Los Angeles 33.9"


def told(query=QUERY, description="Look an airport up.", response=RECORD, arguments=None):
    """A subtask that is never done, by a tool that is tried when those have failed that search finds for it."""
    code = {"code": "string"}
    apis = [an_api("lookup", inputs=code, description=description)]
    apis += [an_api(f"lesson_{n}", inputs=code, description="How many seconds a lesson has.") for n in range(5)]
    stage = Stage(
        *apis,
        Choice=lambda asked: {"tool": next((name for name in options(asked) if name == "lookup"), options(asked)[0])},
        respond=lambda made, _: response if made.name == "lookup" else failing(made.name)(made, None),
        Arguments=arguments or {"code": "LAX"},
        Verdict={"asked": "seconds", "given": "a place", "missing": "seconds", "done": False},
        Digest={"answer": f"It is {response}."},
    )
    context = Context(call_retries=0, max_steps=1, planner=False, expansion=False, max_calls=9)
    return stage.build().invoke({"query": query}, context=context)


def test_what_has_no_word_of_the_task_is_no_part_of_the_answer():
    result = told()
    assert result["calls"][-1]["ok"]
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


@pytest.mark.parametrize(
    "query", ["Was kostet Bitcoin?", "Find vejret i Aarhus", "Cine are cel mai mare venit?", "Gdzie my jestesmy?"]
)
def test_little_words_that_other_languages_have_too_are_not_taken_for_english(query):
    assert "LAX" in told(query=query)["answer"]


def test_a_given_tool_is_to_the_point_without_a_common_word():
    weather = an_api("now", inputs={"place": "string"}, description="Current weather.")
    stage = Stage(
        weather,
        respond=lambda *_: '{"temperature_c": 12.1}',
        Arguments={"place": "59.91,10.75"},
        Verdict={"asked": "warm", "given": "12.1", "missing": "Oslo", "done": False},
        Digest={"answer": "It is 12.1 degrees."},
    )
    result = stage.ask("How warm is it in Oslo?", max_steps=1, grounding=False)
    assert (result["status"], result["answer"]) == ("partial", "It is 12.1 degrees.")


def test_what_counts_something_else_is_not_told_where_another_tool_tells_more():
    said = {"count_cities": '{"country": "Kenya", "cities": 29}', "look_up": '{"name": "Nairobi", "people": 4397073}'}
    stage = Stage(
        an_api("count_cities", inputs={"country": "string"}, description="Count the cities where people live."),
        an_api("look_up", inputs={"name": "string"}, description="The population of a city."),
        respond=lambda api, _: said[api.name],
        Choice=lambda question: {"tool": options(question)[0]},
        Arguments=lambda question: dict.fromkeys(question.schema["properties"], "Nairobi"),
        Digest=lambda question: {"answer": f"{29 if 'Kenya' in question.text else 4397073} people live in Nairobi."},
    )
    result = stage.ask(
        "How many people live in Nairobi?", candidates=["tests/tests/count_cities", "tests/tests/look_up"]
    )
    assert [name for name, _ in stage.caller.made] == ["count_cities", "look_up"]
    assert (result["answer"], result["status"]) == ("4397073 people live in Nairobi.", "solved")
