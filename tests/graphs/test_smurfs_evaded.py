"""A digest that only says that there is something is asked for once more, as facts."""

import pytest

from tests.graphs.script import Stage, an_api

ROWS = '[{"name": "Ada", "age": 31}, {"name": "Bob", "age": 30}]' + " " * 200
TASK = "Who plays in the show?"


def asked(facts, respond=lambda *_: ROWS, digest="The tool tells who plays in the show."):
    stage = Stage(
        an_api("cast", inputs={}, description="Who plays in the show."),
        respond=respond,
        Digest={"answer": digest},
        Facts={"facts": facts},
        Verdict={"done": True},
    )
    return stage.ask(TASK), stage.script.titles()


def test_facts_take_the_place_of_what_tells_nothing():
    result, titles = asked(["Ada is 31.", "Bob"])
    assert result["answer"] == "Ada is 31.\nBob"
    assert titles.count("Facts") == 1


def test_facts_without_a_value_do_not():
    result, _ = asked(["It has a name and an age."])
    assert result["answer"] == "The tool tells who plays in the show."


def test_facts_that_are_made_up_do_not():
    result, titles = asked(["Ada is 47."])
    assert result["answer"] == "The tool tells who plays in the show."
    assert titles.count("Facts") == 2


@pytest.mark.parametrize(("respond", "digest"), [(lambda *_: "Ada", "It tells it."), (lambda *_: ROWS, "Ada plays.")])
def test_otherwise_they_are_not_asked_for(respond, digest):
    _, titles = asked([], respond, digest)
    assert "Facts" not in titles
