"""An answer with which the verifier is not content, and cannot say why: which other tools are then tried."""

import pytest

from tests.graphs.script import FOUND, Stage, an_api, options

TASK = "Where is order 7?"
ORDER = an_api("find_order", description="Where an order is.")
SHELF = an_api("shelf", description="On which shelf a book stands.")
PARCEL = an_api("parcel", description="Where the parcel of an order is.")
WEB = an_api("web", inputs={"query": "string"}, description="Find pages.")


def made(*apis, task=TASK, missing="nothing", then="find_order"):
    """The names of the calls, and the result, of a model that wants one tool, then another, and is never content."""
    wanted = iter(["find_order"])

    def choose(question):
        names, first = options(question), next(wanted, then)
        return {"tool": first if first in names else names[0]}

    def fill(question):
        return dict.fromkeys(question.schema["properties"], "7")

    stage = Stage(*apis, Choice=choose, Arguments=fill, Verdict={"done": False, "missing": missing})
    result = stage.ask(task)
    return [name for name, _ in stage.caller.made], result


def test_tools_that_have_nothing_to_do_with_the_task_are_not_tried():
    calls, result = made(ORDER, SHELF)
    assert calls == ["find_order"]
    assert (result["status"], result["answer"]) == ("partial", FOUND)


@pytest.mark.parametrize("other", [PARCEL, WEB], ids=lambda api: api.name)
def test_tools_that_may_answer_it_too_are_tried(other):
    calls, _ = made(ORDER, other, then=other.name)
    assert calls == ["find_order", other.name]


def test_all_are_tried_where_what_has_answered_has_nothing_to_do_with_the_task_either():
    calls, _ = made(ORDER, SHELF, task="Quo vadis?")
    assert calls == ["find_order", "shelf"]


def test_all_are_tried_where_the_verifier_says_what_is_missing():
    calls, _ = made(ORDER, SHELF, missing="the harbour")
    assert calls == ["find_order", "shelf"]


def test_what_a_converter_gives_in_another_unit_is_said_without_the_model():
    kilograms = an_api("pounds2kg", description="Convert pounds to kilograms.")
    grams = an_api("convert_units", inputs={"value": "number", "to": "string"}, description="Convert to any unit.")
    stage = Stage(
        kilograms,
        grams,
        respond=lambda api, _: '{"result": 1.5876}' if api.name == "pounds2kg" else '{"result": 1587.6}',
        Choice=lambda question: {
            "tool": next(name for name in ("pounds2kg", *options(question)) if name in options(question))
        },
        Arguments=lambda question: (
            {"note": "3.5"} if "note" in question.schema["properties"] else {"value": 3.5, "to": "g"}
        ),
        Digest={"answer": "3.5 pounds are 1587.6 grams."},
    )
    result = stage.ask("How many grams are 3.5 pounds?")
    assert [name for name, _ in stage.caller.made] == ["pounds2kg", "convert_units"]
    assert len(stage.script.texts("Digest")) == 1
    assert result["status"] == "solved"
