"""DFSDT: a depth-first tree of turns that goes back by rule; a test for each rule."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from tests.support.solver_talk import BACK, DONE, Talk, call, failing, registers, solver_api
from toolquiver.contexts import DfsdtContext
from toolquiver.graphs import dfsdt
from toolquiver.nodes.solver.tree import backed_up
from toolquiver.trees import tree_svg

pytestmark = pytest.mark.usefixtures("strict")


def talk(*turns, **more):
    return Talk(dfsdt, *turns, **more)


def parents(result):
    return [node["parent"] for node in result["tree"]]


def marks(result):
    return [node["mark"] for node in result["tree"]]


def test_a_turn_is_a_node_of_thought_calls_and_observations():
    result = talk([call("alpha")], [DONE]).ask()
    node = result["tree"][1]
    assert (node["thought"], node["calls"], node["observations"]) == (
        "Thought 1.",
        ['alpha({"note": "a"})'],
        ["alpha a"],
    )
    assert (parents(result), marks(result)) == ([None, 0, 1], ["open", "open", "answered"])


def test_the_tree_can_be_drawn():
    result = talk([call("alpha")], [DONE]).ask()
    assert "alpha a" in tree_svg(result["tree"], "What is it?")


def test_the_three_ends_are_answer_restart_and_giving_up():
    one = talk([DONE])
    one.ask()
    assert one.bound[0][:3] == ["give_answer", "give_up_and_restart", "give_up"]
    assert DfsdtContext().branches == 2


def test_after_an_error_it_goes_up_two_levels():
    one = talk([call("alpha")], [call("alpha", "b")], [call("bravo")], [DONE], respond=failing("bravo"))
    result = one.ask()
    assert (parents(result), marks(result)) == ([None, 0, 1, 2, 1], ["open", "open", "open", "failed", "answered"])
    assert one.results() == ["alpha a"]


def test_a_way_that_is_given_up_goes_up_two_levels():
    result = talk([call("alpha")], [call("bravo")], [BACK], [DONE]).ask()
    assert (parents(result), marks(result)) == ([None, 0, 1, 2, 1], ["open", "open", "open", "given up", "answered"])


def test_a_re_expanded_node_is_told_its_earlier_children():
    one = talk([call("alpha")], [call("charlie")], [call("bravo")], [DONE], respond=failing("bravo"))
    one.ask()
    told = one.shown[-1][-1].text
    assert 'charlie({"note": "a"})\n  charlie a' in told
    assert 'bravo({"note": "a"})\n  It failed (tool_error): It is broken.' in told
    assert 'alpha({"note": "a"})' not in told


def test_what_a_re_expanded_node_is_told_is_forgotten_one_level_deeper():
    one = talk([call("bravo")], [call("alpha")], [DONE], respond=failing("bravo"))
    one.ask()
    assert "tried before" in one.shown[1][-1].text
    assert "tried before" not in str(one.shown[2])


def test_good_results_of_a_parallel_turn_survive_a_bad_one():
    one = talk([call("alpha"), call("bravo"), ("nowhere", {})], [DONE], respond=failing("bravo"))
    result = one.ask()
    assert (parents(result), marks(result)) == ([None, 0, 1], ["open", "open", "answered"])
    assert one.results()[0] == "alpha a"
    assert one.results()[1].startswith("It failed (tool_error)")


def test_a_search_does_not_end_with_calls_unused_because_its_first_ways_were_short():
    one = talk(*([call("bravo", str(n))] for n in range(5)), [call("alpha")], [DONE], respond=failing("bravo"))
    assert (one.ask()["status"], len(one.caller.made)) == ("solved", 6)


def test_a_text_is_an_answer():
    assert talk("Happy birthday!").ask()["answer"] == "Happy birthday!"
    assert talk([call("alpha")], "Alpha says a.").ask()["answer"] == "Alpha says a."


def test_giving_up_says_why_and_what_is_of_no_use():
    result = talk([("give_up", {"reason": "No.", "failed": ["bravo"], "known": ""})]).ask()
    assert (result["status"], result["given_up"]) == ("failed", {"reason": "No.", "failed": ["tests/tests/bravo"]})


@pytest.mark.parametrize("effect", ["write", "unknown"])
def test_a_write_of_a_way_that_was_gone_back_from_is_not_made_twice(effect):
    apis = ["alpha", "bravo", solver_api("send", effect=effect)]
    turns = [[call("alpha")], [call("send")], [call("bravo")], [call("send")], [DONE]]
    one = talk(*turns, apis=apis, respond=failing("bravo"))
    result = one.ask()
    assert [name for name, _ in one.caller.made] == ["alpha", "send", "bravo"]
    assert one.results()[-1] == "This was done already, on another way, and is not done twice. It returned:\nsend a"
    assert result["status"] == "solved"


def test_a_write_that_the_model_still_sees_is_made_again_where_it_wants_it():
    one = talk([call("send")], [call("send")], [DONE], apis=[solver_api("send", effect="write")])
    one.ask()
    assert len(one.caller.made) == 2


def test_the_depth_is_limited_and_its_last_turn_only_ends_the_way():
    one = talk([call("alpha")], [call("alpha", "b")], [BACK], [DONE])
    one.ask(max_steps=3)
    assert one.bound[2] == ["give_answer", "give_up_and_restart", "give_up"]


def test_the_calls_are_limited_within_a_turn_too():
    one = talk([call("alpha", str(n)) for n in range(5)], [DONE])
    result = one.ask(solver_calls=3)
    assert (len(one.caller.made), result["status"]) == (3, "solved")
    assert one.bound[1] == ["give_answer", "give_up_and_restart", "give_up"]


def test_where_every_way_was_tried_what_was_found_on_any_is_told():
    one = talk([call("alpha")], [BACK], [BACK], [BACK], [BACK])
    result = one.ask(branches=1, solver_calls=2)
    assert (result["status"], result["answer"], result["reason"]) == (
        "partial",
        "What is known.",
        "Every way was tried.",
    )
    assert "alpha a" in str(one.shown[-1])


def test_where_the_calls_are_used_up_by_failures_it_ends():
    one = talk(*([call("bravo", str(n))] for n in range(9)), respond=failing("bravo"))
    result = one.ask(solver_calls=3)
    assert (result["status"], result["reason"], len(one.caller.made)) == ("failed", "The calls are used up.", 3)


def test_an_empty_reply_is_told_once_and_then_leads_nowhere():
    assert talk(AIMessage(""), [DONE]).ask()["status"] == "solved"
    result = talk([call("alpha")], AIMessage(""), AIMessage(""), [DONE]).ask()
    assert (marks(result), parents(result)) == (["open", "open", "given up", "answered"], [None, 0, 1, 0])


def test_what_was_registered_on_a_way_goes_back_with_it():
    turns = [[registers("alpha")], [call("alpha")], [BACK], [registers("bravo")], [call("bravo")], [DONE]]
    one = talk(*turns)
    result = one.ask(registration="on_demand")
    assert "alpha" in one.bound[1]
    assert "alpha" in one.bound[3], "two levels up it is still registered"
    back = talk([registers("alpha")], [BACK], [call("alpha")], [registers("alpha")], [call("alpha")], [DONE])
    result = back.ask(registration="on_demand")
    assert "alpha" not in back.bound[2]
    assert [made["ok"] for made in result["calls"]] == [True]


@pytest.mark.parametrize(
    ("tree", "at", "width", "place"),
    [
        ([None, 0, 1, 2], 3, 2, 1),
        ([None, 0, 1], 2, 2, 0),
        ([None, 0], 1, 2, 0),
        ([None, 0, 1, 2, 1, 4], 5, 2, 0),
        ([None, 0, 1, 2, 1, 4], 5, 3, 1),
        ([None, 0, 0], 2, 1, None),
    ],
)
def test_it_goes_two_levels_up_and_on_where_a_node_has_all_its_children(tree, at, width, place):
    nodes = [{"id": number, "parent": parent} for number, parent in enumerate(tree)]
    assert backed_up(nodes, at, width, width) == place


SAID = st.sampled_from(
    [
        [call("alpha")],
        [call("bravo")],
        [call("alpha"), call("bravo")],
        [BACK],
        [("nowhere", {})],
        [registers("alpha")],
        AIMessage(""),
        [("api_docs", {"name": "alpha"})],
    ]
)


@settings(deadline=None, max_examples=40)
@given(st.lists(SAID, min_size=1, max_size=12), st.integers(1, 3), st.integers(1, 4), st.integers(1, 5))
def test_it_always_ends_inside_its_limits(turns, branches, depth, calls):
    one = talk(*turns, respond=failing("bravo"))
    result = one.ask(branches=branches, max_steps=depth, solver_calls=calls)
    tree = result["tree"]
    assert len(one.caller.made) <= len(result["calls"]) <= calls
    for node in tree[1:]:
        assert node["parent"] < node["id"]
        below = [other for other in tree if other["parent"] == node["id"]]
        assert len(below) <= branches
    depths = {0: 0}
    for node in tree[1:]:
        depths[node["id"]] = depths[node["parent"]] + 1
    assert max(depths.values()) <= depth
    assert result["status"] in ("solved", "partial", "failed")
