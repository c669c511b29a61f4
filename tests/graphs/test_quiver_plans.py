"""What the model is not asked: a tool that is planned again, and the plan of what says itself what it needs."""

import asyncio

import pytest

from tests.graphs.quivers import Whole
from tests.graphs.script import an_api, options
from toolquiver.calling import Observation
from toolquiver.contexts import QuiverContext
from toolquiver.nodes.executor.record import _is_open
from toolquiver.nodes.executor.siblings import has_answered
from toolquiver.nodes.records import call_record
from toolquiver.nodes.run import Run

CITY = an_api("look_up_city", description="Look up a city with its people.")
COUNT = an_api("count_cities", description="Count the cities with their people.")
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


SUN = "When do the sun rise and set in Madrid?"


@pytest.mark.parametrize(
    ("planned", "answer", "is_open"),
    [
        ("get_sunset", "It rises at 5:14.", True),
        ("get_sunset", "It rises at 5:14 and sets at 19:18.", False),
        ("sunrise_of_city", "At 5:14.", False),  # what has answered is named for it
        ("get_moon", "It rises at 5:14.", False),
        ("sunset_alerts", "It rises at 5:14.", False),  # more than is asked
        ("gone", "It rises at 5:14.", False),
        (None, "It rises at 5:14.", False),
    ],
)
def test_what_the_next_api_is_named_for_is_open_until_it_is_told(planned, answer, is_open):
    names = ("get_sunrise", "get_sunset", "sunrise_of_city", "get_moon", "sunset_alerts")
    stage = Whole(*(an_api(name, description="Of the sky.") for name in names))
    ids = {api.name: api.id for api in stage.catalog.apis()} | {"gone": "tests/tests/gone", None: None}
    state = {
        "query": SUN,
        "subtasks": [SUN, "When does the sun set in Madrid?"],
        "current": 0,
        "planned": [ids["get_sunrise"], ids[planned]],
        "calls": [call_record(0, ids["get_sunrise"], {}, Observation(text="5:14"))],
    }
    found = {"question": SUN, "answer": answer, "observation": "5:14", "solved": True}
    run = Run(context=QuiverContext(), catalog=stage.catalog, bound={})
    assert asyncio.run(_is_open([found], state, run)) is is_open
