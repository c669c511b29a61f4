"""Quiver: what is cheap comes first, each part can be switched off, and one budget holds over all."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tests.graphs.quivers import QUERY, Whole
from tests.graphs.script import SOURCE, an_api, failing, plan_of
from tests.graphs.searching import turns_so_far
from toolquiver.contexts import QuiverContext
from toolquiver.errors import InputError
from toolquiver.graphs import smurfs
from toolquiver.models import scripted, tokens
from toolquiver.nodes import choose
from toolquiver.nodes.run import Run

sqlite = pytest.importorskip("langgraph.checkpoint.sqlite")

TWO = plan_of("How high is Alpha?", "How old is the Bravo mountain?")
AGENTS = {"meta_agent", "category_agent", "tool_agent"}
UNSURE = {"search_decides": False}


def a_hopeless_run():
    """One in which every part has something to do, and nothing helps."""
    return Whole(
        Plan=TWO,
        Verdict={"done": False},
        Judgement={"verdict": "unsolved", "reason": "No."},
        Solvability={"verdict": "unsolvable", "reason": "No."},
    )


@pytest.fixture(params=["none", "memory", "sqlite"])
def checkpointer(request, tmp_path):
    if request.param == "sqlite":
        with sqlite.SqliteSaver.from_conn_string(str(tmp_path / "state.db")) as saver:
            yield saver
    else:
        yield InMemorySaver() if request.param == "memory" else None


def test_where_search_is_sure_no_model_is_asked_about_tools(checkpointer):
    whole = Whole(an_api("alpha"), an_api("bravo"))
    result = whole.ask("Look up bravo", checkpointer=checkpointer)
    assert whole.script.titles() == ["Wanted", "Plan", "Arguments", "Digest", "Verdict"]
    assert (result["status"], result["answer"]) == ("solved", "It is 8848 m.")
    assert (result["agents"], result["wakings"], result["reflections"]) == ({}, [], 0)
    assert result["evidence"] == [{"text": "It is 8848 m.", "calls": [1], "unsupported": []}]


def test_a_planned_tool_is_chosen_where_search_finds_nothing_for_the_task():
    whole = Whole(an_api("alpha"), an_api("bravo"))
    (planned,) = [api.id for api in whole.catalog.apis() if api.name == "bravo"]
    run = Run(context=QuiverContext(top_k=1), catalog=whole.catalog, bound={"model": scripted(whole.model)})
    state = {
        "subtasks": ["Qqq zzz?"],
        "current": 0,
        "known": [],
        "expansions": {},
        "planned": [planned],
        "allowed": None,
        "trail": [],
        "hint": "",
        "aim": None,
        "missing": [],
        "tool_lists": [[planned]],
        "registered": [],
        "calls": [],
    }
    assert asyncio.run(run.hits("Qqq zzz?")) == []
    assert asyncio.run(choose.agree_or_choose(state, run))["chosen"] == planned


def test_it_costs_no_more_model_calls_than_smurfs_alone():
    whole, alone = Whole(Plan=TWO), Whole(Plan=TWO)
    whole.ask()
    bound = {"model": scripted(alone.model), "catalog": alone.catalog, "callers": {SOURCE: alone.caller}}
    smurfs.build(**bound).invoke({"query": QUERY})
    assert len(whole.script.asked) <= len(alone.script.asked)


def test_tools_that_suffice_let_the_agents_sleep():
    whole = Whole(Solvability={"verdict": "solvable"})
    result = whole.ask(**UNSURE)
    assert whole.script.titles().count("Solvability") == 1
    assert not AGENTS & result["usage"].keys()


def test_tools_that_do_not_suffice_wake_the_agents_and_what_they_find_is_used(checkpointer):
    whole = Whole(Solvability={"verdict": "unsolvable", "reason": "No tool tells ages."}, Plan=TWO)
    result = whole.ask(checkpointer=checkpointer, **UNSURE)
    assert result["usage"].keys() >= {"solvable", "meta_agent", "tool_agent"}
    assert [(waking["reflection"], waking["level"], waking["why"]) for waking in result["wakings"]] == [
        (0, "meta", "No tool tells ages.")
    ]
    assert result["found"]
    assert "No tool tells ages." in str(whole.policy.asked[0])
    assert result["status"] == "solved"


def test_where_agents_find_nothing_either_it_says_so_and_calls_nothing():
    whole = Whole(
        Solvability={"verdict": "unsolvable", "reason": "It is about feelings."},
        plays={"meta": lambda *_: [("finish_search", {})]},
    )
    result = whole.ask(**UNSURE)
    assert (result["status"], result["calls"], result["subtasks"]) == ("failed", [], [])
    assert result["answer"].startswith("No tool of the catalogue fits")
    assert result["reason"] == "It is about feelings."
    assert "Plan" not in whole.script.titles()


def test_agents_that_ran_out_of_tokens_say_nothing_about_the_tools():
    whole = Whole(Solvability={"verdict": "unsolvable"}, plays={"meta": lambda *_: "Hm."})
    result = whole.ask(**UNSURE)
    assert result["agents"]["meta"]["status"] == "parked"
    assert result["status"] == "solved"


def test_of_a_small_catalogue_a_model_says_whether_it_fits_where_search_finds_nothing():
    fitting, other = (Whole(an_api("alpha"), Help={"tool": tool}) for tool in ("alpha", "none"))
    assert fitting.ask("zzz", top_k=1)["status"] == "solved"
    result = other.ask("zzz", top_k=1)
    assert (result["status"], result["calls"], result["agents"]) == ("failed", [], {})
    assert result["answer"].startswith("No tool of the catalogue fits")
    assert other.script.titles() == ["Help"]


def test_nothing_is_called_where_search_finds_nothing():
    whole = Whole(Wanted={"does": "zzz", "takes": "qqq", "returns": "xxx"})
    result = whole.ask("xqzzt wvvrk jjpqd")
    assert (result["status"], result["calls"]) == ("failed", [])
    assert whole.script.titles() == ["Wanted"]
    assert not whole.policy.asked


def test_a_question_that_needs_no_tool_is_answered_directly():
    whole = Whole(NeedsTool={"needs_tool": False}, DirectAnswer={"answer": "Hello."})
    result = whole.ask("Say hello", tool_check=True)
    assert (result["answer"], result["status"], result["calls"]) == ("Hello.", "solved", [])
    assert whole.script.titles() == ["NeedsTool", "DirectAnswer"]


def test_a_missing_argument_is_looked_up_by_a_chain():
    apis = [
        an_api("distance", inputs={"code": "string"}, description="The distance to an airport by its code."),
        an_api("find_code", inputs={"city": "string"}, outputs=("code",), description="The airport code of a city."),
    ]

    def completion(question):
        value = {"from": "the request", "value": "Lisbon"}
        return {"city": value} if "city" in question.schema["properties"] else {"code": {"from": "find_code"}}

    whole = Whole(
        *apis,
        respond=lambda api, _: '{"code": "L77123"}' if api.name == "find_code" else "8848 km",
        Arguments={"code": "X12345"},
        Completion=completion,
    )
    query = "What is the distance to the airport of Lisbon?"
    result = whole.ask(query, candidates=["tests/tests/distance", "tests/tests/find_code"])
    assert whole.caller.made == [("find_code", {"city": "Lisbon"}), ("distance", {"code": "L77123"})]
    assert result["status"] == "solved"
    assert "complete" in result["usage"]


def test_after_a_chain_that_failed_the_next_wrong_tool_is_refused_at_once():
    apis = [
        an_api(name, inputs={"code": "string"}, description=f"Tell the {name} of an airport by its code.")
        for name in ("distance", "height", "owner")
    ]
    whole = Whole(
        *apis,
        an_api("find_code", inputs={"city": "string"}, outputs=("code",), description="The airport code of a city."),
        Arguments=lambda question: dict.fromkeys(question.schema["properties"], "X12345"),
        Completion=lambda question: {name: {"from": "the user"} for name in question.schema["properties"]},
    )
    given = [api.id for api in whole.catalog.apis()]
    result = whole.ask("What is known of the airport of Lisbon?", candidates=given, judging="never", ask=False)
    assert not whole.caller.made
    reasons = [call["message"] for call in result["calls"]]
    assert [reason.startswith("Not known:") for reason in reasons] == [True, *[False] * (len(reasons) - 1)]
    assert len(reasons) > 1
    titles = whole.script.titles()
    assert "Completion" not in titles[titles.index("Thought") :]


def test_an_unsolved_query_wakes_tool_agents_first_then_those_above():
    silent = {
        "meta": once([("create_agent_category_level", {"category_name": "tests"})]),
        "category": once([("create_agent_tool_level", {"tools": ["tests"]})]),
        "tool": lambda *_: "Hm.",
    }
    whole = Whole(
        Solvability={"verdict": "unsolvable", "reason": "No."},
        Judgement={"verdict": "unsolved", "reason": "Too short."},
        plays=silent,
    )
    result = whole.ask(**UNSURE, judging="always", max_reflections=1)
    assert [(waking["reflection"], waking["level"]) for waking in result["wakings"]] == [
        (0, "meta"),
        (1, "tool"),
        (1, "meta"),
    ]
    assert (result["status"], result["reason"]) == ("partial", "Not solved: Too short.")


def once(calls):
    return lambda messages, _: "Hm." if turns_so_far(messages) else calls


def test_what_failed_is_not_used_again_and_the_reason_is_the_first_hint(checkpointer):
    whole = Whole(respond=failing("alpha", "server_error"), Judgement={"verdict": "unsolved", "reason": "Wrong."})
    result = whole.ask("How high is Alpha?", checkpointer=checkpointer, judging="always", rollback=False)
    assert result["removed"] == ["tests/tests/alpha"]
    assert whole.made().count("alpha") == 1
    assert len(whole.made()) > 1
    assert "alpha failed, server_error: It is broken." in whole.script.texts("Thought")[0]


def test_what_is_lacking_is_named_with_its_reason():
    whole = Whole(
        Plan=TWO, Verdict=lambda question: {"done": "Alpha" in question.text}, Judgement={"verdict": "unsolved"}
    )
    result = whole.ask(max_reflections=0)
    (gap,) = result["lacking"]
    assert result["status"] == "partial"
    assert "Bravo" in gap["question"]
    assert "does not answer it" in gap["why"]
    assert gap["question"] in result["reason"]


SWITCHES = [
    ({"agents": False} | UNSURE, {"solvable", *AGENTS}),
    ({"max_reflections": 0, "judging": "always"}, AGENTS),
    ({"judging": "never"}, {"judge", *AGENTS}),
    ({"planner": False}, {"plan"}),
    ({"thinker": False}, {"think"}),
    ({"expansion": False}, {"expand"}),
    ({"answerer": False}, {"answer"}),
    ({"verifier": False}, {"verify"}),
    ({"chain_missing": False}, {"complete"}),
    ({"reactivated": "none"}, AGENTS),
]


@pytest.mark.parametrize(("switch", "roles"), SWITCHES, ids=lambda value: str(sorted(value)))
def test_what_is_switched_off_costs_nothing(switch, roles):
    whole = a_hopeless_run()
    result = whole.ask(**switch)
    assert not roles & result["usage"].keys()
    asked = len(whole.script.asked) + len(whole.policy.asked)
    assert sum(spent["calls"] for spent in result["usage"].values()) == asked == result["numbers"]["model_calls"]


def test_without_rollback_the_first_failure_ends_a_subtask():
    whole = Whole(respond=failing("alpha"))
    result = whole.ask("How high is Alpha?", rollback=False, judging="never")
    assert (whole.made(), result["status"]) == (["alpha"], "failed")


def test_a_tool_is_shown_in_full_only_when_it_was_chosen():
    result = Whole(Plan=TWO).ask()
    assert [entry["api"] for entry in result["registered"]] == list(
        dict.fromkeys(call["api"] for call in result["calls"])
    )


@settings(max_examples=25, deadline=None)
@given(budget=st.integers(300, 9_000), unsure=st.booleans())
def test_no_budget_is_ever_passed(budget, unsure):
    whole = a_hopeless_run()
    try:
        result = whole.ask(token_budget=budget, search_decides=not unsure)
    except InputError:
        assert budget < 1_000  # not even the first question fits
    else:
        assert tokens(result["usage"]) <= budget
        assert result["status"] in ("partial", "failed")


def test_a_second_query_on_a_thread_begins_afresh(checkpointer):
    whole = Whole(Plan=TWO, Verdict={"done": False}, Judgement={"verdict": "unsolved", "reason": "No."})
    whole.ask(checkpointer=checkpointer)
    whole.script.answers |= {"Verdict": {"done": True}}
    result = whole.ask("How high is Alpha?", checkpointer=checkpointer)
    assert (result["status"], result["wakings"], result["reflections"], result["removed"]) == ("solved", [], 0, [])
    assert len(result["calls"]) == 1


def test_it_waits_for_an_approval_and_goes_on():
    whole, config = Whole(), {"configurable": {"thread_id": "one"}}
    graph = whole.build(checkpointer=InMemorySaver())
    context = QuiverContext(approval="always")
    asked = graph.invoke({"query": "How high is Alpha?"}, config, context=context)
    assert asked["__interrupt__"][0].value["arguments"] == {"note": "note 1"}
    assert not whole.caller.made
    result = graph.invoke(Command(resume="approve"), config, context=context)
    assert (result["status"], len(whole.caller.made)) == ("solved", 1)


def test_given_candidates_are_the_only_tools_and_nobody_searches():
    whole = Whole(Judgement={"verdict": "unsolved", "reason": "No."})
    result = whole.ask(candidates=["tests/tests/charlie"], judging="always", max_reflections=1)
    assert {call["api"] for call in result["calls"]} == {"tests/tests/charlie"}
    assert result["agents"] == {}
