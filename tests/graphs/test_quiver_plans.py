"""What the model is not asked: a tool that is planned again, and the plan of what says itself what it needs."""

import pytest

from tests.graphs.quivers import Whole
from tests.graphs.script import an_api, options
from toolquiver.nodes.executor.siblings import has_answered

CITY = an_api("look_up_city", description="Look up a city.")
COUNT = an_api("count_cities", description="Count the cities of a country.")
BOTH = "How many people live in Nairobi, and how many in Oslo?"
EACH = ("How many people live in Nairobi?", "How many people live in Oslo?")


def planned(*tools):
    subtasks = [{"question": question, "tool": tool} for question, tool in zip(EACH, tools, strict=True)]
    return {"calls": 2, "subtasks": subtasks}


def whole(*tools):
    """The model takes the planner's tool for Nairobi, and the other one for Oslo."""

    left = ["look_up_city", "count_cities"]

    def choose(question):
        wanted = left.pop(0) if len(left) > 1 else left[0]
        return {"tool": wanted if wanted in options(question) else options(question)[0]}

    return Whole(CITY, COUNT, Plan=planned(*tools), Choice=choose)


def ask(stage, query=BOTH, **settings):
    return stage.ask(query, runoff=False, expansion=False, max_reflections=0, judging="never", **settings)


def test_what_is_planned_again_and_has_answered_is_taken_unasked():
    stage = whole("look_up_city", "look_up_city")
    ask(stage)
    assert stage.made() == ["look_up_city", "look_up_city"]


@pytest.mark.parametrize(
    ("tools", "settings"),
    [(("look_up_city", "count_cities"), {}), (("look_up_city", "look_up_city"), {"siblings": False})],
)
def test_the_model_chooses_where_another_is_planned_or_tools_in_use_are_switched_off(tools, settings):
    stage = whole(*tools)
    ask(stage, **settings)
    assert stage.made() == ["look_up_city", "count_cities"]


@pytest.mark.parametrize("solved", [True, False])
def test_only_the_last_call_of_a_subtask_that_was_solved_has_answered(solved):
    found = {"question": EACH[0], "answer": "4397073", "observation": "", "solved": solved}
    steps = [{"subtask": 0, "api": "count"}, {"subtask": 0, "api": "look_up"}]
    state = {"subtasks": [*EACH], "current": 1, "known": [found], "history": steps}
    assert [has_answered(api, state) for api in ("look_up", "count")] == [solved, False]


@pytest.mark.parametrize(
    ("query", "subtasks"),
    [
        ("Convert 5 miles to km and to feet.", ["Convert 5 miles to km.", "Convert 5 miles to feet."]),
        ("Which is longer: 5 miles or 8 km?", ["Which is longer: 5 miles or 8 km?"]),
    ],
)
def test_what_says_itself_what_it_needs_is_not_planned(query, subtasks):
    stage = Whole(
        an_api("convert", description="Convert units of measure, as miles to km or feet."),
        COUNT,
        Choice=lambda question: {"tool": options(question)[0]},
    )
    result = ask(stage, query)
    assert result["subtasks"] == subtasks
    assert "Plan" not in stage.script.titles()
