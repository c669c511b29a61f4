"""Quiver: what is cheap comes first, each part can be switched off, and one budget holds over all."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from pydantic import TypeAdapter

from tests.graphs import test_smurfs_drafts, test_smurfs_lookups, test_smurfs_pages, test_smurfs_sums
from tests.graphs.chains import BOOK
from tests.graphs.quivers import AIRPORT, QUERY, Whole, an_airport
from tests.graphs.script import SOURCE, an_api, failing, plan_of
from tests.graphs.searching import turns_so_far
from toolquiver.context import Context
from toolquiver.contexts import QuiverContext
from toolquiver.errors import InputError
from toolquiver.evaluation.systems.ablations import ABLATIONS
from toolquiver.graphs import quiver, smurfs
from toolquiver.models import scripted, tokens
from toolquiver.nodes.executor import choose
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
        "history": [],
    }
    assert asyncio.run(run.hits("Qqq zzz?")) == []
    assert asyncio.run(choose.agree_or_choose(state, run))["chosen"] == planned


def test_for_a_task_without_a_planned_tool_that_search_is_sure_of_is_taken_unasked():
    whole = Whole()
    result = whole.ask("How is the owner of the mountain?", planner=False, max_reflections=0)
    assert "Choice" not in whole.script.titles()
    assert whole.made() == ["echo"]
    asked = Whole(Choice={"tool": "alpha"})
    asked.ask("How is the mountain?", planner=False, max_reflections=0)
    assert "Choice" in asked.script.titles()
    assert result["status"] == "solved"


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


def test_one_agent_for_all_can_search_too():
    flat = once([("add_API_into_API_pool", {"APIs": ["bravo"]})])
    whole = Whole(Solvability={"verdict": "unsolvable", "reason": "No."}, plays={"flat": flat})
    result = whole.ask(retriever="flat", **UNSURE)
    assert (list(result["agents"]), result["found"]) == (["flat"], ["tests/tests/bravo"])
    assert result["status"] == "solved"


@pytest.mark.parametrize("retriever", ["plain", "embedding"])
def test_a_search_that_it_does_not_have_is_refused(retriever):
    whole = Whole()
    with pytest.raises(InputError, match=f"retriever is '{retriever}'; it must be 'hierarchy' or 'flat'"):
        whole.ask(retriever=retriever, tool_check=True)
    assert whole.script.titles() == []
    offered = TypeAdapter(QuiverContext).json_schema()["properties"]["retriever"]["enum"]
    assert retriever not in offered


def test_a_plain_context_changes_what_it_says_and_leaves_quiver_s_other_defaults():
    asked = {"query": QUERY}
    results = []
    for kind in (Context, QuiverContext):
        whole = Whole()
        result = whole.build().invoke(asked, {"recursion_limit": 1_000}, context=kind(call_retries=0, top_k=3))
        results.append((result, whole.script.titles()))
    assert results[0] == results[1]
    assert results[0][0]["registered"]  # on demand, as is quiver's default


def test_a_missing_argument_is_looked_up_by_a_chain():
    whole = an_airport()
    result = whole.ask("What is the distance to the airport of Lisbon?", candidates=AIRPORT)
    assert whole.caller.made == [("find_code", {"city": "Lisbon"}), ("distance", {"code": "L77123"})]
    assert result["status"] == "solved"
    assert "complete" in result["usage"]


def test_a_statement_stands_on_the_call_that_a_chain_made_for_an_argument():
    whole = an_airport(Digest={"answer": "It is 8848 km. The airport has the code L77123."})
    query = "What is the distance to the airport of Lisbon, and its code?"
    result = whole.ask(query, candidates=AIRPORT, drafts=False)
    assert [call["api"] for call in result["calls"]] == AIRPORT[::-1]
    assert [(one["text"], one["calls"]) for one in result["evidence"]] == [
        ("It is 8848 km.", [2]),
        ("The airport has the code L77123.", [1]),
    ]


def test_answers_without_a_full_stop_that_stand_side_by_side_are_statements_of_their_own():
    whole = Whole(
        Plan={"subtasks": [{"question": "How high is Alpha?"}, {"question": "How old is Bravo?"}]},
        respond=lambda api, _: {"alpha": "8848", "bravo": "1204"}[api.name],
        Choice=lambda question: {"tool": "bravo" if "How old is Bravo?" in question.text else "alpha"},
        Digest=lambda question: {"answer": "1204" if "1204" in question.text else "8848"},
        FinalAnswer={"answer": "It is all known."},
    )
    result = whole.ask()
    assert [(one["text"], one["calls"]) for one in result["evidence"]] == [("8848", [1]), ("1204", [2])]


def test_a_value_that_was_taken_from_behind_the_cut_of_a_response_is_evidence_too():
    whole = an_airport(Digest={"answer": "The airport L77123 is 8848 km away."})
    whole.caller.respond = lambda api, _: (
        '{"about": "%s", "code": "L77123"}' % ("so " * 900) if api.name == "find_code" else "8848 km"
    )
    result = whole.ask("What is the distance to the airport of Lisbon?", candidates=AIRPORT, drafts=False)
    assert result["evidence"] == [{"text": "The airport L77123 is 8848 km away.", "calls": [1, 2], "unsupported": []}]


def test_without_the_chain_no_calls_are_written_backwards_either():
    whole = an_airport()
    result = whole.ask(
        "What is the distance to the airport of Lisbon?", candidates=AIRPORT, chain_missing=False, max_reflections=0
    )
    assert not {"Drafted", "Scripted", "Completion"} & {*whole.script.titles()}
    assert not {"draft", "complete"} & result["usage"].keys()


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


@pytest.mark.parametrize(("top_k", "woken"), [(7, []), (6, ["meta"])])
def test_where_all_apis_were_candidates_no_agent_is_woken(top_k, woken):
    whole = Whole(Judgement={"verdict": "unsolved", "reason": "Too short."}, plays={"meta": lambda *_: "Hm."})
    result = whole.ask(judging="always", max_reflections=1, top_k=top_k)
    assert [waking["level"] for waking in result["wakings"]] == woken
    assert result["reflections"] == 1


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
    assert result["lacking"] == [{"question": QUERY, "why": "Too short."}]


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


@pytest.mark.parametrize(("reflections", "status"), [(0, "partial"), (1, "solved")])
def test_a_question_that_the_plan_has_no_room_for_is_named_or_asked_next(reflections, status):
    whole = Whole(Judgement=lambda _: {"verdict": "solved" if "bravo" in whole.made() else "unsolved"})
    result = whole.ask("Where is Alpha? Where is Bravo?", max_subtasks=1, max_reflections=reflections)
    assert result["status"] == status
    assert result["subtasks"] == ["Where is Alpha?", "Where is Bravo?"][: 1 + reflections]
    gap = {"question": "Where is Bravo?", "why": "max_subtasks leaves no room for it"}
    assert result["lacking"] == ([] if reflections else [gap])


SWITCHES = [
    ({"agents": False} | UNSURE, AGENTS),
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


PARTS = [
    (test_smurfs_sums.a_stage, test_smurfs_sums.QUERY, {"formulas": False}, "calculate"),
    (test_smurfs_pages.a_stage, test_smurfs_pages.QUERY, {"pages": False}, "read"),
    (test_smurfs_drafts.a_stage, BOOK, {"drafts": False}, "draft"),
    (
        lambda: test_smurfs_lookups.a_stage(Help={"tool": "distance", "wants": "distance"}),
        test_smurfs_lookups.WAY,
        {"lookups": 0},
        "look_up",
    ),
]


@pytest.mark.parametrize(("a_stage", "query", "switch", "role"), PARTS, ids=[part[-1] for part in PARTS])
def test_a_part_that_only_some_queries_need_is_at_work_for_these_and_can_be_switched_off(a_stage, query, switch, role):
    spent = []
    for without in ({}, switch):
        stage = a_stage()
        graph = quiver.build(model=scripted(stage.script), catalog=stage.catalog, callers={SOURCE: stage.caller})
        chained = role == "draft"  # what is planned backwards is the chain's to call
        context = QuiverContext(call_retries=0, chain_missing=chained, ask=False, **without)
        result = graph.invoke({"query": query, "candidates": stage.ids}, {"recursion_limit": 1_000}, context=context)
        spent.append(result["usage"])
        assert len(stage.script.asked) == result["numbers"]["model_calls"]
    assert [role in usage for usage in spent] == [True, False]


def test_every_ablation_switches_something_off_that_quiver_has_on():
    for name, switch in ABLATIONS.items():
        without = QuiverContext(**switch)
        assert without != QuiverContext(), name


def test_without_registration_no_tool_is_registered():
    assert Whole().ask(registration="all")["registered"] == []


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


@pytest.mark.parametrize(("whole", "query"), [(Whole, "How high is Alpha?"), (an_airport, "How far is Lisbon?")])
def test_an_approval_that_is_refused_without_the_setting_is_refused(whole, query):
    whole, config = whole(), {"configurable": {"thread_id": "one"}, "recursion_limit": 900}
    graph = whole.build(checkpointer=InMemorySaver())
    result = graph.invoke({"query": query}, config, context=QuiverContext(approval="always"))
    while "__interrupt__" in result:
        result = graph.invoke(Command(resume="refuse"), config)
    assert "blocked" in {call["failure"] for call in result["calls"]}
    assert whole.made() == []


def test_given_candidates_are_the_only_tools_and_nobody_searches():
    whole = Whole(Judgement={"verdict": "unsolved", "reason": "No."})
    result = whole.ask(candidates=["tests/tests/charlie"], judging="always", max_reflections=1)
    assert {call["api"] for call in result["calls"]} == {"tests/tests/charlie"}
    assert result["agents"] == {}
