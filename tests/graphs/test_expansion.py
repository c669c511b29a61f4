"""Search finds a tool that the query does not name, by what the model says of the tool it needs."""

import pytest

from tests.graphs.script import Stage, an_api
from toolquiver.context import Context

RIDDLE = "How many pairs of rabbits are there in month 60?"
WANTED = {"does": "compute a Fibonacci number", "takes": "its place", "returns": "the number"}


def a_stage(**answers):
    apis = [an_api(f"note_{n}", description="Take a note of pairs and months.") for n in range(4)]
    fibonacci = an_api("fibonacci", description="Compute a Fibonacci number.")
    return Stage(*apis, fibonacci, Wanted=WANTED, Digest={"answer": "One pair."}, **answers)


def shown(stage, **settings):
    """What there was to choose from, first of all."""
    stage.build().invoke({"query": RIDDLE}, context=Context(shown=2, top_k=3, **settings))
    asked = next(question for question in stage.script.asked if question.title in {"Choice", "Plan"})
    return str(asked.schema)


def test_the_tool_is_found_by_its_description():
    stage = a_stage()
    assert "fibonacci" in shown(stage, planner=False)
    assert RIDDLE in stage.script.texts("Wanted")[0]
    assert "fibonacci" not in shown(a_stage(), planner=False, expansion=False)


def test_the_planner_sees_it_too_and_a_task_is_described_once():
    stage = a_stage()
    assert "fibonacci" in shown(stage)
    assert len(stage.script.texts("Wanted")) == 1


def test_what_it_costs_is_recorded():
    result = a_stage().build().invoke({"query": RIDDLE})
    assert result["usage"]["expand"]["calls"] == 1


@pytest.mark.parametrize("answer", ["nothing valid", ""])
def test_without_a_description_the_task_alone_is_searched(answer):
    stage = a_stage()
    stage.script.answers["Wanted"] = answer
    assert stage.build().invoke({"query": RIDDLE})["status"] == "solved"


def test_nothing_is_described_when_the_candidates_are_given():
    stage = a_stage()
    stage.ask(RIDDLE)
    assert "Wanted" not in stage.script.titles()


def test_a_conversion_needs_neither_a_description_nor_a_plan():
    converter = an_api("convert_units", description="Convert a value from one unit of measure to another.")
    stage = Stage(*(an_api(f"clock_{n}", description="Tell the minutes of days.") for n in range(4)), converter)
    result = stage.build().invoke({"query": "How many minutes are in 2.25 days?"})
    assert result["calls"][0]["api"] == converter.id
    assert not {"Wanted", "Plan"} & set(stage.script.titles())


@pytest.mark.parametrize(
    ("second", "shown"),
    [
        ("What is its symbol?", "What is its symbol? (asked after: Which currency has Vietnam?)"),
        ("How high is Everest?", "Task: how high is Everest?"),
    ],
)
def test_a_task_that_refers_to_something_is_described_beside_the_one_before_it(second, shown):
    first = "Which currency has Vietnam?"
    stage = a_stage(Plan={"calls": 2, "subtasks": [{"question": first}, {"question": second}]})
    stage.build().invoke({"query": f"{first[:-1]}, and {second[0].lower()}{second[1:]}"})
    assert stage.script.texts("Wanted")[-1].strip().endswith(shown)
