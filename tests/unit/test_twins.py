"""Of two things that are looked up for one call, the second is not the first again."""

import pytest

from tests.graphs.script import an_api
from toolquiver.nodes.chain.frames import a_frame, changed
from toolquiver.nodes.chain.twins import of_the_other

CITY = an_api("city", inputs={"name": "string"})
TASK = "How far is it from New York to Turin?"


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
    assert of_the_other(second, frame, CITY, made, task) == expected


def test_a_call_for_another_call_may_be_the_same():
    made, frame = frames({"name": "Turin"}, parent=1)
    assert of_the_other({"name": "Turin"}, frame, CITY, made, TASK) == {"name": "Turin"}
