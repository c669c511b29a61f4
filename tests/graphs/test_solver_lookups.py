"""What a solver can look up: further APIs of the catalogue, and whole documentations."""

import pytest

from tests.support.solver_talk import DONE, Talk, call, registers, solver_api
from toolquiver.graphs import dfsdt, react

SOLVERS = pytest.mark.parametrize("solver", [react, dfsdt], ids=["react", "dfsdt"])
APIS = [
    solver_api("rain", description="Tell how much it rains at a place.", tool="Weather"),
    solver_api("ferry", description="Tell when the ferry departs.", tool="Harbour"),
]
SEARCH = [("search_apis", {"what": "ferry departs"})]


@SOLVERS
def test_what_search_finds_can_be_called_from_the_next_turn_on(solver):
    one = Talk(solver, SEARCH, [call("ferry")], [DONE], apis=APIS)
    result = one.ask({"query": "How much does it rain?"}, top_k=1)
    assert "ferry" not in one.bound[0]
    assert "ferry (Harbour)" in one.results()[0]
    assert "ferry" in one.bound[1]
    assert [made["ok"] for made in result["calls"]] == [True]


@SOLVERS
def test_on_demand_what_search_finds_can_be_registered(solver):
    one = Talk(solver, SEARCH, [registers("ferry")], [call("ferry")], [DONE], apis=APIS)
    result = one.ask({"query": "How much does it rain?"}, top_k=1, registration="on_demand")
    assert "ferry" not in one.bound[1]
    assert "ferry" in one.bound[2]
    assert len({shown[1].text for shown in one.shown}) == 1, "the list that the run began with stays as it was"
    assert [grown["available"] for grown in result["growth"]] == [1, 2, 2, 2]


@SOLVERS
def test_with_candidates_given_nothing_else_is_searched(solver):
    one = Talk(solver, SEARCH, [DONE], apis=APIS)
    one.ask({"query": "How much does it rain?", "candidates": [one.apis[0].id]})
    assert "search_apis" not in one.bound[0]
    assert one.results() == ["There are no further functions."]
    assert "ferry" not in one.bound[1]


@SOLVERS
def test_a_search_that_finds_nothing_says_so(solver):
    one = Talk(solver, [("search_apis", {"what": "zzzz"}), ("search_apis", {})], [DONE], apis=APIS)
    one.ask({"query": "How much does it rain?"})
    assert one.results()[0].startswith("Nothing was found for 'zzzz'")


@SOLVERS
def test_api_docs_shows_the_whole_documentation(solver):
    long = "It tells of rain. " * 200 + "States: rainy, dry."
    one = Talk(solver, [("api_docs", {"name": "rain"})], [DONE], apis=[solver_api("rain", description=long, tool="W")])
    one.ask()
    assert "States: rainy, dry." in one.results()[0]
    assert '"note": {"type": "string"}' in one.results()[0]


@SOLVERS
def test_documentation_of_what_is_not_there_is_refused_by_name(solver):
    one = Talk(solver, [("api_docs", {"name": "snow"})], [DONE], apis=APIS)
    one.ask()
    assert one.results() == ["There is no function 'snow'."]


@SOLVERS
def test_the_functions_of_the_catalogue_can_be_switched_off(solver):
    one = Talk(solver, [DONE], apis=APIS)
    one.ask({"query": "How much does it rain?"}, catalogue_functions=False)
    assert not {"search_apis", "api_docs"} & {*one.bound[0]}
    assert "search_apis" not in one.shown[0][0].text
