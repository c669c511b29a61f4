"""AnyTool's loop: solver, judge, reflection; who is woken in which order, and what leaves the pool (AnyTool, 4.3)."""

import json

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tests.support.anytool_search import (
    ADD,
    CHECK,
    FINISH,
    Policy,
    Search,
    a_catalog,
    add_first,
    listed,
    only,
    perfect_tool,
    results,
    turns_so_far,
)
from tests.support.programs import Programs, code
from tests.support.savers import SAVERS, saving
from toolquiver.calling import CallError
from toolquiver.catalog.sources import PYTHON
from toolquiver.contexts import AnyToolContext
from toolquiver.errors import InputError
from toolquiver.graphs import anytool
from toolquiver.models import scripted
from toolquiver.nodes.anytool.solve import cleaned

pytestmark = pytest.mark.usefixtures("strict")
ANSWER = [("give_answer", {"answer": "It is so."})]
SOLVERS = pytest.mark.parametrize("solver", ["dfsdt", "react"])


def tools_of(schema):
    """The catalogue's APIs that a solver can call."""
    return [one["name"] for one in schema["functions"] if "_tool_" in one["name"]]


def calls_then_answers(messages, schema):
    """A solver that calls one tool and answers with what it said, also when it is asked again."""
    told = any(isinstance(message, ToolMessage) for message in messages)
    return ANSWER if told else [(tools_of(schema)[0], {"note": "a"})]


def was_woken(messages):
    return sum("did not solve the request" in one.text for one in messages if isinstance(one, HumanMessage))


def one_after_the_other(messages, schema):
    """A tool agent that adds an API when it begins and one each time it is woken, then is silent."""
    added = sum(bool(message.tool_calls) for message in messages if isinstance(message, AIMessage))
    names = listed(messages)
    return [(ADD, {"APIs": names[:1]})] if added <= was_woken(messages) and names else "Hm."


def silent_after(calls):
    return lambda messages, _: "Hm." if turns_so_far(messages) else calls


def judged(*verdicts):
    """These verdicts one after the other, the last again and again."""
    said = list(verdicts)

    def judge(_):
        verdict = said.pop(0) if len(said) > 1 else said[0]
        return {"reason": f"It is {verdict}.", "verdict": verdict}

    return judge


def a_search(*verdicts, **plays):
    policy = Policy(**{"meta": only("Maps"), "tool": one_after_the_other, "solver": calls_then_answers} | plays)
    policy.decides["Judgement"] = judged(*verdicts)
    return Search(policy, graph=anytool)


EVERYBODY = {
    "meta": silent_after([("create_agent_category_level", {"category_name": "Music"})]),
    "category": silent_after([("create_agent_tool_level", {"tools": ["Music tool 0"]})]),
}
"""Agents of the upper levels that do not finish."""


# ---- search, solver, judge


@SOLVERS
@pytest.mark.parametrize("kind", SAVERS)
def test_what_is_solved_at_once_needs_no_reflection(solver, kind, tmp_path):
    with saving(kind, tmp_path / "state.db") as saver:
        result = a_search("solved").ask(solver=solver, checkpointer=saver)
    assert (result["status"], result["answer"], result["reason"]) == ("solved", "It is so.", "It is solved.")
    assert (result["reflections"], result["wakings"], result["verdict"]) == (0, [], "solved")
    assert [call["api"] for call in result["calls"]] == result["pool"] == ["maps/maps_tool_0/api_a"]


@SOLVERS
def test_the_judge_sees_what_the_calls_returned(solver):
    shown = []
    search = a_search("solved")
    search.policy.decides["Judgement"] = lambda messages: (
        shown.append(messages[-1].text) or {"reason": "So it is.", "verdict": "solved"}
    )
    search.ask(solver=solver)
    assert "Maps tool 0 api a says so" in shown[0]


@pytest.mark.parametrize(("unsure", "status"), [("solved", "solved"), ("unsolved", "partial")])
def test_unsure_counts_as_the_setting_says(unsure, status):
    result = a_search("unsure").ask(unsure=unsure, max_reflections=0)
    assert (result["status"], result["verdict"]) == (status, "unsure")


def test_the_status_follows_from_the_verdict_and_not_from_the_answer():
    says_no = [("give_answer", {"answer": "Sold out. I cannot find a ticket."})]
    search = a_search("solved", solver=lambda m, s: calls_then_answers(m, s) if len(m) < 3 else says_no)
    result = search.ask()
    assert (result["status"], result["answer"]) == ("solved", "Sold out. I cannot find a ticket.")


def keeps_calling(messages, schema):
    """A solver that calls its first tool, with ever new arguments, while it has one."""
    return [(name, {"note": str(len(messages))}) for name in tools_of(schema)[:1]] or ANSWER


def test_the_solver_has_ten_calls():
    result = a_search("unsolved", solver=keeps_calling).ask(max_reflections=0, branches=50)
    assert len(result["calls"]) == 10


def test_a_setting_of_the_solver_can_be_given_to_a_run():
    result = a_search("unsolved", solver=keeps_calling).ask(max_reflections=0, solver_calls=3)
    assert len(result["calls"]) == 3


# ---- re-activation


def test_the_reason_goes_to_agents_and_solver_and_the_pool_grows():
    search = a_search("unsolved", "solved")
    result = search.ask()
    assert (result["status"], result["reflections"], len(result["pool"])) == ("solved", 1, 2)
    last = dict(search.policy.asked)
    assert any("- It is unsolved." in message.text for message in last["tool"])
    assert "The answer so far was: It is so." in last["solver"][-1].text
    assert "It is unsolved." in last["solver"][-1].text
    woken = {"reflection": 1, "level": "tool", "agents": ["tool Maps 1"], "why": "It is unsolved."}
    assert result["wakings"] == [woken]


REACTIVATED = {"none": [], "tools": ["tool"], "categories": ["tool", "category"], "all": ["tool", "category", "meta"]}


@pytest.mark.parametrize("reactivated", REACTIVATED)
@pytest.mark.parametrize("kind", SAVERS)
def test_tool_agents_wake_first_then_category_agents_then_the_meta_agent(reactivated, kind, tmp_path):
    with saving(kind, tmp_path / "state.db") as saver:
        search = a_search("unsolved", **EVERYBODY)
        result = search.ask(max_reflections=1, reactivated=reactivated, checkpointer=saver)
    assert [waking["level"] for waking in result["wakings"]] == REACTIVATED[reactivated]
    assert (result["status"], result["answer"]) == ("partial", "It is so.")
    assert result["reason"] == "Not solved, and the reflections are used up. It is unsolved."


def test_each_level_is_told_in_its_own_words_what_it_has_not_tried():
    search = a_search("unsolved", **EVERYBODY)
    search.ask(max_reflections=1)
    told = {kind: [m.text for m in messages if "did not solve" in m.text] for kind, messages in search.policy.asked}
    (tool,), (category,), (meta,) = told["tool"], told["category"], told["meta"]
    assert "may well be that your tools have no such API" in tool
    assert "- Music_tool_0_api_b" in tool
    assert "Music_tool_0_api_a" not in tool, "it is in the pool"
    assert "further tools" in category
    assert "Music tool 0" not in category, "it has an agent"
    assert "further categories" in meta
    assert "- Music" not in meta, "it has an agent"


def test_what_is_lacking_stands_first_for_who_is_woken():
    told = []
    search = a_search("unsolved", meta=only("Music"), category=EVERYBODY["category"])
    search.policy.decides["Judgement"] = {"reason": "Nothing was said of the parliament.", "verdict": "unsolved"}
    search.policy.plays["category"] = lambda messages, schema: (
        told.append(listed(messages)[0]) or EVERYBODY["category"](messages, schema)
    )
    search.ask("Tell of lions.", max_reflections=1)
    assert (told[0], told[-1]) == ("Music tool 2", "Music tool 6")


def test_a_woken_agent_hears_each_reason_once():
    search = a_search("unsolved")
    search.policy.decides["Judgement"] = judged("unsolved", "unsure", "unsolved")
    search.ask(max_reflections=2)
    _, messages = [one for one in search.policy.asked if one[0] == "tool"][-1]
    told = [message.text for message in messages if "did not solve" in message.text]
    assert ["- It is unsolved." in text for text in told] == [True, False]
    assert ["- It is unsure." in text for text in told] == [False, True]


def test_who_is_woken_in_another_graph_still_knows_its_conversation():
    policy = Policy(tool=one_after_the_other)
    plans = [code(f"give_up('Nothing fits, {number}.')") for number in range(4)]
    Programs(catalog=a_catalog(), plans=plans, agents=policy).ask(
        "Tell of rivers for Music.", candidates=False, top_k=1, agents=True, max_reflections=3
    )
    *_, last = [messages for kind, messages in policy.asked if kind == "tool"]
    assert [sum(f"Nothing fits, {number}." in message.text for message in last) for number in range(3)] == [1, 1, 1]


def test_an_agent_made_after_a_failure_knows_of_it():
    meta = lambda messages, _: (  # noqa: E731
        [("create_agent_category_level", {"category_name": "Maps"})]
        if was_woken(messages) and not any(m.type == "tool" for m in messages)
        else "Hm."
    )
    search = a_search("unsolved", meta=meta, tool=perfect_tool)
    search.ask(max_reflections=1, solver="react")
    first = next(messages for kind, messages in search.policy.asked if kind == "tool")
    assert "An earlier try failed: No API fits the question." in first[-1].text


def test_a_finished_agent_is_never_woken():
    result = a_search("unsolved", tool=add_first(1)).ask(max_reflections=2)
    assert {agent["status"] for agent in result["agents"].values()} == {"finished"}
    assert (result["reflections"], result["wakings"]) == (2, [])


def test_when_the_woken_tool_agents_find_enough_nobody_above_is_woken():
    def play(messages, schema):
        said = one_after_the_other(messages, schema)
        return [*said, (CHECK, {})] if isinstance(said, list) else said

    search = a_search("unsolved", "solved", **EVERYBODY, tool=play)
    search.policy.decides["Solvability"] = lambda messages: {
        "reason": "So it is.",
        "verdict": "solvable" if "An earlier try failed: It is unsolved." in messages[-1].text else "unsolvable",
    }
    result = search.ask()
    assert [waking["level"] for waking in result["wakings"]] == ["tool"]
    assert result["solvable"]


def test_nobody_is_woken_for_a_pool_that_stays_full():
    result = a_search("unsolved").ask(pool_size=1, max_reflections=1)
    assert (result["reflections"], result["wakings"], result["status"]) == (1, [], "partial")


def test_who_was_parked_because_the_pool_was_full_may_add_once_there_is_room():
    filled = []

    def solve(messages, schema):
        filled.append(tools_of(schema))
        gives_up = [("give_up", {"reason": "No.", "failed": filled[0]})]
        return gives_up if len(filled) == 1 else calls_then_answers(messages, schema)

    add = lambda messages, _: [(ADD, {"APIs": listed(messages)[:2]})]  # noqa: E731
    search = Search(Policy(tool=add, solver=solve), catalog=a_catalog({"Music": 5, "Weather": 5}), graph=anytool)
    result = search.ask(pool_size=2, max_reflections=1)
    assert result["status"] == "solved"
    assert len(result["removed"]) == len(result["pool"]) == 2
    assert set(result["pool"]).isdisjoint(result["removed"])


def test_where_nobody_is_left_and_nothing_is_found_it_ends():
    result = a_search("unsolved", meta=lambda *_: FINISH).ask(max_reflections=6)
    assert (result["reflections"], result["status"]) == (0, "failed")
    assert "no agent is left to wake, and no API" in result["reason"]


@pytest.mark.parametrize("most", [0, 1, 3])
def test_it_is_tried_again_so_often_as_the_setting_says(most):
    result = a_search("unsolved").ask(max_reflections=most)
    assert (result["reflections"], len(result["failures"])) == (most, most)


# ---- removal


@SOLVERS
@pytest.mark.parametrize("kind", SAVERS)
def test_irrelevant_apis_leave_the_pool_the_solvers_history_and_later_checks(solver, kind, tmp_path):
    def solve(messages, schema):
        names = tools_of(schema)
        if any("not solved" in message.text for message in messages):
            return calls_then_answers(messages, schema)
        calls = turns_so_far(messages)
        return [(names[0], {"note": "a"})] if not calls else [("give_up", {"reason": "No.", "failed": [names[0]]})]

    def stubborn(messages, schema):
        names = ["Maps_tool_0_api_a", *listed(messages)]
        return [(ADD, {"APIs": names[:3]}), (CHECK, {})]

    search, checked = a_search("solved", solver=solve, tool=stubborn), []
    search.policy.decides["Solvability"] = lambda messages: (
        checked.append(messages[-1].text) or {"reason": "Hm.", "verdict": "unsolvable"}
    )
    with saving(kind, tmp_path / "state.db") as saver:
        result = search.ask(agent_turns=2, solver=solver, checkpointer=saver)
    gone = result["calls"][0]["api"]
    assert (result["status"], result["reflections"], result["removed"]) == ("solved", 1, [gone])
    assert result["wakings"][0]["why"] == "No."
    assert gone not in result["pool"]
    assert "api_a(" in checked[0]
    assert "Maps_tool_0_api_a(" not in checked[-1]
    assert "An earlier try failed: No." in checked[-1]
    *_, last, _ = [messages for one, messages in search.policy.asked if one == "solver"]
    assert "not solved" in last[-1].text
    assert not any(isinstance(message, ToolMessage) or getattr(message, "tool_calls", ()) for message in last)
    assert "Removed earlier, because it did not help: Maps_tool_0_api_a." in " ".join(results(search, "tool"))


def test_the_history_is_cleaned_of_calls_and_results_of_removed_tools():
    both = AIMessage("", tool_calls=[{"name": n, "args": {}, "id": n} for n in ("good", "bad")])
    alone = AIMessage("", tool_calls=[{"name": "bad", "args": {}, "id": "x"}])
    said = [both, ToolMessage("1", tool_call_id="good"), ToolMessage("2", tool_call_id="bad")]
    kept = cleaned([*said, alone, ToolMessage("3", tool_call_id="x"), HumanMessage("Go on.")], {"bad"})
    assert [message.type for message in kept] == ["ai", "tool", "human"]
    assert [call["name"] for call in kept[0].tool_calls] == ["good"]


# ---- the end


def test_what_a_solver_knew_when_it_gave_up_is_delivered_where_nothing_better_came():
    gives_up = [("give_up", {"reason": "Nothing tells more.", "known": "The mayor is Ada."})]
    result = a_search(solver=lambda messages, schema: gives_up).ask("rain", max_reflections=0)
    assert (result["status"], result["answer"]) == ("partial", "The mayor is Ada.")
    assert "Nothing tells more." in result["reason"]


def test_the_best_answer_of_all_tries_is_delivered():
    answers = iter(["Born 1912 in London.", "Nothing."])

    def solve(messages, schema):
        if not any(isinstance(message, ToolMessage) for message in messages):
            return [(tools_of(schema)[0], {"note": "a"})]
        return [("give_answer", {"answer": next(answers)})]

    result = a_search("unsure", "unsolved", solver=solve).ask(max_reflections=1)
    assert (result["answer"], result["status"]) == ("Born 1912 in London.", "partial")


@pytest.mark.parametrize("budget", [3_000, 8_000, 20_000])
@SOLVERS
def test_the_budget_over_everything_is_hard(budget, solver):
    result = a_search("unsolved", **EVERYBODY).ask(token_budget=budget, solver=solver)
    assert result["numbers"]["tokens"] <= budget
    assert result["status"] in ("partial", "failed")


@pytest.mark.parametrize("budget", [10, 300])
def test_a_budget_too_small_to_start_is_refused(budget):
    with pytest.raises(InputError, match="Raise token_budget"):
        a_search("solved").ask(token_budget=budget)


def test_candidates_that_are_given_are_not_searched_for():
    search = a_search("solved")
    given = [api.id for api in search.catalog.apis(category="Maps")][:2]
    result = search.build().invoke({"query": "alpha", "candidates": given}, context=AnyToolContext())
    assert (result["status"], result["pool"], result["agents"]) == ("solved", given, {})
    assert set(search.policy.kinds()) == {"solver"}


def test_a_failed_call_is_a_reason_to_look_again():
    def fails(api, _):
        raise CallError("server_error", "It is down.")

    def gives_up(messages, schema):
        if not any(isinstance(message, ToolMessage) for message in messages):
            return [(tools_of(schema)[-1], {"note": "a"})]
        return [("give_up", {"reason": "It is down.", "failed": tools_of(schema)[:1]})]

    search = a_search("solved", solver=gives_up)
    search.caller.respond = fails
    result = search.ask(max_reflections=2, solver="react")
    assert result["failures"] == ["It is down."] * 2
    assert (result["status"], result["answer"], len(result["removed"])) == ("failed", "", 3)


@SOLVERS
def test_a_call_that_may_write_waits_for_the_user(solver):
    search = a_search("solved")
    saver = InMemorySaver()
    asked = search.ask(approval="always", checkpointer=saver, solver=solver)
    assert "__interrupt__" in asked
    assert search.caller.made == []
    graph = search.build(checkpointer=saver)
    context = AnyToolContext(approval="always", solver=solver, call_retries=0)
    result = graph.invoke(Command(resume="approve"), {"configurable": {"thread_id": "one"}}, context=context)
    assert (result["status"], len(search.caller.made)) == ("solved", 1)


def test_a_setting_that_it_does_not_have_is_refused():
    with pytest.raises(TypeError, match="max_subtasks"):
        AnyToolContext(max_subtasks=1)


def test_the_result_can_be_written_as_json():
    result = a_search("unsolved", **EVERYBODY).ask(max_reflections=1)
    assert json.loads(json.dumps(result))["numbers"]["reflections"] == 1


def test_every_way_to_run_it_gives_the_same():
    search = a_search("solved")
    graph = anytool.build(model=scripted(search.policy), catalog=search.catalog, callers={PYTHON: search.caller})
    assert [one["status"] for one in graph.batch([{"query": "alpha"}] * 2)] == ["solved"] * 2
