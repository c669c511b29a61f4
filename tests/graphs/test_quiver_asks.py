"""Quiver asks the user for what no API gives: once, before anything is called, and goes on with the answer."""

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tests.graphs.quivers import Whole
from tests.graphs.script import an_api, options
from toolquiver.contexts import QuiverContext
from toolquiver.nodes.sources import NOBODY

sqlite = pytest.importorskip("langgraph.checkpoint.sqlite")

WAY = "How long is the way to the town?"
MEASURE, OTHER, FIND = ("tests/tests/measure", "tests/tests/other", "tests/tests/find_way")


@pytest.fixture(params=["memory", "sqlite"])
def checkpointer(request, tmp_path):
    if request.param == "sqlite":
        with sqlite.SqliteSaver.from_conn_string(str(tmp_path / "state.db")) as saver:
            yield saver
    else:
        yield InMemorySaver()


class Asking(Whole):
    """Three tools; the model makes up the metres of the first, then says that nobody gives them, or the town."""

    def __init__(self, *, source=NOBODY, planned="measure"):
        super().__init__(
            an_api("measure", inputs={"metres": "number"}, description="How long a way is."),
            an_api("other", outputs=("kilometres",), description="How long another way is."),
            an_api("find_way", inputs={"town": "string"}, outputs=("metres",), description="The way to a town."),
            respond=lambda api, _: '{"metres": 420.5}' if api.name == "find_way" else f"{api.name} says 8848",
            Plan={"calls": 1, "subtasks": [{"question": WAY, "tool": planned}]},
            Choice=lambda question: {"tool": options(question)[0]},
            Arguments=lambda question: {"note": "n"} if "note" in question.schema["properties"] else {"metres": 77.7},
            Completion=lambda question: {
                name: {"from": source if name == "metres" else NOBODY} for name in question.schema["properties"]
            },
        )

    def invoke(self, given, checkpointer, **settings):
        if isinstance(given, list):
            given = {"query": WAY, "candidates": given}
        config = {"configurable": {"thread_id": "one"}, "recursion_limit": 500}
        context = QuiverContext(**{"call_retries": 0, "judging": "never", "runoff": False} | settings)
        return self.build(checkpointer=checkpointer).invoke(given, config, context=context)


def question_of(result):
    return result["__interrupt__"][0].value


def test_what_no_api_gives_is_asked_and_the_run_goes_on_with_it(checkpointer):
    whole = Asking()
    waiting = question_of(whole.invoke([MEASURE], checkpointer))
    assert waiting["question"] == "Needed, and not found out: metres."
    assert waiting["response_schema"]["properties"]["metres"]["type"] == "number"
    assert waiting["missing"][0]["why"] == "measure needs it for the request"
    asked = len(whole.script.asked)
    result = whole.invoke(Command(resume={"metres": "12.5"}), checkpointer)
    assert whole.caller.made == [("measure", {"metres": 12.5})]
    assert (result["status"], result["unfilled"], len(result["calls"])) == ("solved", [], 1)
    assert whole.script.titles()[asked:] == ["Digest", "Verdict"], "nothing is completed again"
    assert sum(spent["calls"] for spent in result["usage"].values()) == len(whole.script.asked)


def test_it_is_asked_for_a_call_that_another_one_needs(checkpointer):
    whole = Asking(source="find_way")
    waiting = question_of(whole.invoke([MEASURE, FIND], checkpointer))
    assert [entry["key"] for entry in waiting["missing"]] == ["town"]
    result = whole.invoke(Command(resume="Lima"), checkpointer)
    assert whole.caller.made == [("find_way", {"town": "Lima"}), ("measure", {"metres": 420.5})]
    assert result["status"] == "solved"


def test_who_refuses_is_not_asked_again_and_another_tool_is_tried():
    whole, saver = Asking(), InMemorySaver()
    whole.invoke([MEASURE, OTHER], saver)
    result = whole.invoke(Command(resume="refuse"), saver)
    assert "__interrupt__" not in result
    assert result["calls"][0]["failure"] == "invalid_arguments"
    assert "Refused. Not known: metres (number)" in result["calls"][0]["message"]
    assert (whole.made(), result["status"]) == (["other"], "solved"), "nothing waits for what no tool gives"


def test_a_value_that_does_not_fit_is_asked_for_again():
    whole, saver = Asking(), InMemorySaver()
    whole.invoke([MEASURE], saver)
    again = question_of(whole.invoke(Command(resume={"metres": "far"}), saver))
    assert "is not of type 'number'" in again["question"]
    assert whole.invoke(Command(resume={"metres": 3.5}), saver)["status"] == "solved"


@pytest.mark.parametrize("settings", [{"ask": False}, {"chain_missing": False, "lookups": 0}])
def test_where_nobody_may_be_asked_it_ends_with_what_is_missing(settings):
    result = Asking().invoke([MEASURE], InMemorySaver(), max_reflections=0, **settings)
    assert (result["status"], [call["ok"] for call in result["calls"]]) == ("failed", [False])
    (gap,) = result["lacking"]
    assert "metres" in gap["why"]
    assert [entry["name"] for entry in result["unfilled"]] == (["metres"] if "ask" in settings else [])


def test_a_tool_that_the_planner_did_not_mean_asks_for_nothing():
    whole = Asking(planned="other")
    result = whole.invoke([MEASURE, OTHER], InMemorySaver())
    assert "__interrupt__" not in result
    assert result["calls"][0]["api"] == MEASURE
    assert (whole.made(), result["status"]) == (["other"], "solved")
