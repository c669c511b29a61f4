"""A day that a question names by how far off it is goes into calls as a date, whoever fills them."""

import pytest

from tests.graphs.chains import NONE, Chain, a_typed_api, as_json, from_api, value
from tests.graphs.script import Stage

DAY = {"type": "string", "description": "Date (YYYY-MM-DD)"}
TODAY = "2031-02-28"


@pytest.mark.parametrize("written", ["tomorrow", "2023-10-05", "2031-03-01"])
def test_an_executor_fills_in_the_date(written):
    stage = Stage(
        a_typed_api("sunset", {"city": "string", "date": DAY}, {}), Arguments={"city": "Oslo", "date": written}
    )
    result = stage.ask("When does the sun set in Oslo tomorrow?", today=TODAY)
    assert [arguments for _, arguments in stage.caller.made] == [{"city": "Oslo", "date": "2031-03-01"}]
    assert result["status"] == "solved"


def test_a_date_that_is_asked_for_stays():
    stage = Stage(a_typed_api("sunset", {"date": DAY}, {}), Arguments={"date": "2031-06-01"})
    stage.ask("When does the sun set on 2031-06-01?", today=TODAY)
    assert [arguments for _, arguments in stage.caller.made] == [{"date": "2031-06-01"}]


@pytest.mark.parametrize("said", [NONE, value("today")])
def test_a_chain_looks_for_no_day_that_it_knows(said):
    chain = Chain(
        a_typed_api("sunset", {"latitude": "number", "date": DAY}, {"time": "string"}),
        a_typed_api("place", {"city": "string"}, {"latitude": "number"}),
        a_typed_api("holiday", {"country": "string"}, {"date": "string"}),
        policy=lambda name, *_: {"city": value("Lima"), "latitude": from_api("place")}.get(name, said),
        respond=as_json(lambda api, _: {"latitude": -12.0} if api.name == "place" else {"time": "18:01"}),
        goal="sunset",
    )
    assert chain.ask("When does the sun set in Lima today?", today=TODAY)["status"] == "solved"
    assert chain.caller.made == [("place", {"city": "Lima"}), ("sunset", {"latitude": -12.0, "date": TODAY})]
    assert "date" not in [name for name, _ in chain.offered]


@pytest.mark.parametrize("first", [value("today"), value("2031-12-25"), NONE])
def test_of_two_days_the_one_that_is_called_today_is_put_as_a_date(first):
    chain = Chain(
        a_typed_api("days", {"first": DAY, "last": DAY}, {"days": "integer"}),
        policy=lambda name, *_: first if name == "first" else value("2031-12-25"),
        respond=as_json(lambda *_: {"days": 300}),
    )
    chain.ask("How many days are there from today to 2031-12-25?", today=TODAY)
    assert chain.caller.made == [("days", {"first": TODAY, "last": "2031-12-25"})]
