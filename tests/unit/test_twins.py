"""Of two things that are looked up for one call, the second is not the first again."""

import pytest

from tests.graphs.script import an_api
from toolquiver.calling import Failure, Observation
from toolquiver.nodes.chain.frames import a_frame, changed
from toolquiver.nodes.chain.twins import is_of_its_twin, of_the_other
from toolquiver.nodes.records import call_record

CITY = an_api("city", inputs={"name": "string"})
TASK = "How far is it from New York to Turin?"


def a_state(frames, made, task):
    return {"frames": frames, "made": made, "subtasks": [task], "current": 0}


def frames(arguments, parent=0):
    goal = a_frame([], CITY.id, TASK, 0)
    first = a_frame([goal], CITY.id, "latitude1", 0, parent=0, feeds=["latitude1"])
    made = changed([goal, first], 1, arguments=arguments)
    return made, a_frame(made, CITY.id, "latitude2", 0, parent=parent, feeds=["latitude2"])


@pytest.mark.parametrize(
    ("first", "second", "task", "expected"),
    [
        ({"name": "Turin"}, {"name": "Turin"}, TASK, {"name": "New York"}),
        ({"name": "New York"}, {"name": "New York"}, TASK, {"name": "Turin"}),
        ({"name": "Turin", "country": "Italy"}, {"name": "Turin", "country": "Italy"}, TASK, {"name": "New York"}),
        ({"name": "New York"}, {"name": "Turin"}, TASK, {"name": "Turin"}),
        ({"name": "Turin"}, {"name": "Turin"}, "How far is Turin from the sea?", {"name": "Turin"}),
        ({"name": "Rome"}, {"name": "Rome"}, "Which of Turin, Rome and Bari is nearer to Rome?", {"name": "Rome"}),
        ({"name": "turin"}, {"name": "turin"}, "how far is turin from lyon", {"name": "turin"}),
        ({"name": "Turin"}, {"name": "Turin"}, "How far was Turin from Rome in May?", {"name": "Rome"}),
        ({}, {}, TASK, {}),
    ],
)
def test_the_same_call_for_two_things_is_made_for_the_other(first, second, task, expected):
    made, frame = frames(first)
    assert of_the_other(second, frame, CITY, a_state(made, [], task)) == expected


def test_a_call_for_another_call_may_be_the_same():
    made, frame = frames({"name": "Turin"}, parent=1)
    assert of_the_other({"name": "Turin"}, frame, CITY, a_state(made, [], TASK)) == {"name": "Turin"}


@pytest.mark.parametrize(
    ("given", "outcome", "beside", "expected"),
    [
        ({"name": "Turin", "country": "Italy"}, Observation(text="{}"), {"latitude1": 45.1}, "New York"),
        ({"name": "Turin"}, Observation(text="{}"), {"latitude1": 45.1}, "New York"),
        ({"name": "New York"}, Observation(text="{}"), {"latitude1": 40.7}, "Turin"),
        ({"name": "Turin"}, Failure(kind="not_found", message="no such city"), {"latitude1": 45.1}, "Turin"),
        ({"name": "Turin"}, Observation(text="{}"), {}, "Turin"),
        ({"name": "Turin"}, Observation(text="{}"), {"precision": 2}, "Turin"),
    ],
)
def test_what_was_looked_up_before_is_not_looked_up_for_the_other(given, outcome, beside, expected):
    goal = changed([a_frame([], CITY.id, TASK, 0)], 0, arguments=beside)
    frame = a_frame(goal, CITY.id, "latitude2", 0, parent=0, feeds=["latitude2"])
    made = [call_record(0, CITY.id, given, outcome)]
    asked = {"name": given["name"]}
    assert of_the_other(asked, frame, CITY, a_state([*goal, frame], made, TASK)) == {"name": expected}


@pytest.mark.parametrize(
    ("name", "beside", "task", "expected"),
    [
        ("latitude2", {"latitude1": 45.1}, TASK, "latitude1"),
        ("latitude2", {"latitude1": 45.2}, TASK, ""),
        ("latitude2", {"longitude1": 45.1}, TASK, ""),
        ("latitude2", {"latitude": 45.1}, TASK, ""),
        ("latitude2", {"latitude1": 45.1}, "How far is it from Ulm at 45.1 N to Linz at 45.1 N?", ""),
        ("latitude2", {"latitude1": 45.1}, "How far is it from Turin to Turin?", ""),
    ],
)
def test_a_value_that_was_found_for_one_of_two_is_not_the_other_s(name, beside, task, expected):
    assert is_of_its_twin(45.1, name, beside, task) == expected
