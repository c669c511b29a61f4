"""Registration on demand in the Smurfs executor: names to choose from, and the choice shows the tool in full."""

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from tests.graphs.script import Stage, an_api, failing, options, plan_of
from toolquiver.context import Context
from toolquiver.models import tokens
from toolquiver.nodes.run import Run

pytestmark = pytest.mark.usefixtures("strict")
NAMES = ("alpha", "bravo", "charlie")
ON_DEMAND = {"registration": "on_demand", "planner": False}


def a_stage(**answers):
    return Stage(*(an_api(name, description=f"What {name} says.") for name in NAMES), **answers)


def shown(stage):
    """What the first choice saw of tools: their lines."""
    return [line for line in stage.script.texts("Choice")[0].splitlines() if line.startswith("- ")]


def spans(result):
    return [(record["api"].rsplit("/")[-1], record["since"], record["until"]) for record in result["registered"]]


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"registration": "all"}, "- alpha(note): What alpha says."),
        ({}, "- alpha"),
        ({"listing": "descriptions"}, "- alpha: What alpha says."),
        ({"registration": "auto"}, "- alpha(note): What alpha says."),
        ({"registration": "auto", "register_above": 20}, "- alpha"),
    ],
)
def test_what_is_shown_of_a_tool_that_is_not_registered(settings, line):
    stage = a_stage(Choice={"tool": "alpha"})
    result = stage.ask("alpha?", **ON_DEMAND | settings)
    assert line in shown(stage)
    assert result["status"] == "solved"
    assert "note (string)" in stage.script.texts("Arguments")[0], "its schema is shown before it is called"


@pytest.mark.parametrize("checkpointer", [None, InMemorySaver()])
def test_the_choice_registers_and_a_failure_puts_away(checkpointer):
    left = ["alpha", "bravo"]
    stage = Stage(*(an_api(name) for name in NAMES), respond=failing("alpha"), Choice=lambda _: {"tool": left.pop(0)})
    result = stage.build(checkpointer=checkpointer).invoke(
        {"query": "alpha?", "candidates": stage.ids},
        {"configurable": {"thread_id": "one"}},
        context=Context(**ON_DEMAND, call_retries=0),
    )
    assert spans(result) == [("alpha", 0, 1), ("bravo", 1, None)]
    assert result["status"] == "solved"


def test_with_all_registered_nothing_is_recorded():
    assert a_stage().ask("alpha?", planner=False)["registered"] == []


def test_several_are_registered_at_once_and_the_choice_is_among_them_in_full():
    stage = a_stage(Some={"tools": ["alpha", "bravo"]}, Choice={"tool": "bravo"})
    result = stage.ask("alpha?", **ON_DEMAND, register_several=True)
    assert shown(stage) == ["- bravo(note): What bravo says.", "- alpha(note): What alpha says."]
    assert [options(asked) for asked in stage.script.asked if asked.title == "Choice"] == [["alpha", "bravo"]]
    assert spans(result) == [("alpha", 0, None), ("bravo", 0, None)]


def test_one_of_several_is_called_unasked():
    stage = a_stage(Some={"tools": ["charlie"]})
    result = stage.ask("alpha?", **ON_DEMAND, register_several=True)
    assert "Choice" not in stage.script.titles()
    assert [call["api"] for call in result["calls"]] == ["tests/tests/charlie"]


def test_where_no_tool_is_named_the_choice_is_among_the_names():
    stage = a_stage(Some="nothing of use", Choice={"tool": "bravo"})
    result = stage.ask("alpha?", **ON_DEMAND, register_several=True)
    assert shown(stage) == ["- charlie", "- bravo", "- alpha"]
    assert spans(result) == [("bravo", 0, None)]


def test_what_registering_several_costs_is_counted_once(monkeypatch):
    told, spent, asked = [], [0], Run._asked

    async def counted(self, role, state, ask, leave=0):
        told.append((tokens(state.get("usage", {})), spent[0]))
        reply, cost = await asked(self, role, state, ask, leave)
        spent[0] += tokens(cost.get("usage", {}))
        return reply, cost

    monkeypatch.setattr(Run, "_asked", counted)
    stage = a_stage(Some={"tools": ["alpha", "bravo"]}, Choice={"tool": "bravo"}, Plan=plan_of("alpha?"))
    stage.ask("alpha?", **ON_DEMAND | {"planner": True}, register_several=True)
    assert stage.script.titles().count("Choice") > 1, "a run-off"
    assert [before for before, _ in told] == [really for _, really in told]
