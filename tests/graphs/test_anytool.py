"""AnyTool's loop: solver, judge, reflection; who is woken in which order, and what leaves the pool."""

import asyncio
import itertools
import re
from dataclasses import replace

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tests.graphs.script import an_api
from tests.graphs.searching import (
    FINISH,
    Policy,
    Search,
    a_catalog,
    add_first,
    choices,
    only,
    results,
    turns_so_far,
)
from toolquiver.calling import CallError
from toolquiver.contexts import AnyToolContext
from toolquiver.errors import InputError, PromptRefused
from toolquiver.graphs import anytool
from toolquiver.models import scripted
from toolquiver.models.tokens import count_message_tokens
from toolquiver.nodes.loop.hand_over import cleaned

ADD = "add_API_into_API_pool"
ANSWER = [("give_answer", {"answer": "It is so."})]


def tools_of(schema):
    """The catalogue's APIs that a solver can call."""
    return [one["name"] for one in schema["functions"] if "_tool_" in one["name"]]


def calls_then_answers(messages, schema):
    """A solver that calls one tool and answers with what it said, also when it is asked again."""
    told = any(isinstance(message, ToolMessage) for message in messages)
    return ANSWER if told else [(tools_of(schema)[0], {"note": "a"})]


def one_after_the_other(messages, schema):
    """A tool agent that adds an API when it begins and one each time it is woken, then is silent."""
    tries = sum("could not be solved" in message.text for message in messages if isinstance(message, HumanMessage))
    added = sum(bool(message.tool_calls) for message in messages if isinstance(message, AIMessage))
    names = choices(schema, "add_API_into_API_pool", "APIs")
    return [("add_API_into_API_pool", {"APIs": [names[added]]})] if added <= tries and added < len(names) else "Hm."


def every_one(messages, schema):
    """A tool agent that adds all there is at once, then is silent."""
    names = choices(schema, "add_API_into_API_pool", "APIs")
    return "Hm." if turns_so_far(messages) else [("add_API_into_API_pool", {"APIs": names})]


def never_done(messages, schema):
    """An agent of another kind that acts once and never finishes."""
    return "Hm."


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


def silent_after(calls):
    return lambda messages, _: "Hm." if turns_so_far(messages) else calls


def test_a_solver_sees_a_long_pool_by_names_unless_told_otherwise():
    assert issubclass(anytool.build().context_schema, AnyToolContext)
    assert (AnyToolContext().registration, AnyToolContext().register_above) == ("auto", 3_000)
    many, few = ([an_api(f"api{n}") for n in range(count)] for count in (64, 4))
    modes = [AnyToolContext().registering.over(apis).mode for apis in (many, few)]
    assert modes == ["on_demand", "all"]


def test_nobody_is_woken_for_a_pool_that_stays_full():
    result = a_search("unsolved", "unsolved", "unsure", "unsolved").ask(pool_size=1, max_reflections=6)
    assert (result["reflections"], result["wakings"]) == (1, [])
    assert result["status"] != "solved"


def test_it_ends_when_nobody_can_be_woken_and_the_solver_was_told_all_before():
    search = a_search("unsolved", "unsure", "unsolved", tool=add_first(1))
    result = search.ask(max_reflections=6)
    assert (result["reflections"], result["wakings"], result["status"]) == (2, [], "partial")
    assert (
        result["reason"] == "Not solved, and no agent is left to wake, and there is nothing new to try. It is unsolved."
    )
    assert search.policy.kinds().count("solver") == 4


def test_it_ends_at_once_when_all_have_finished_with_nothing():
    result = a_search("unsolved", meta=lambda *_: FINISH).ask(max_reflections=6)
    assert (result["reflections"], result["status"]) == (0, "failed")
    assert "no agent is left to wake" in result["reason"]
    assert result["reason"].endswith("No API fits the question.")


EXCUSED = ["rate_limited", "timeout", "network", "unauthorized", "forbidden", "blocked"]


@pytest.mark.parametrize("failed", ["Maps_tool_0_api_a", '["Maps_tool_0_api_a", "nonsense"]', ["Maps_tool_0_api_a", 7]])
@pytest.mark.parametrize("solver", ["react", "dfsdt"])
def test_what_a_solver_names_leaves_the_pool_however_the_list_is_written(solver, failed):
    turns = [[("give_up", {"reason": "No.", "failed": failed})], [("Maps_tool_0_api_b", {"note": "a"})], ANSWER]
    result = a_search("solved", tool=every_one, solver=lambda *_: turns.pop(0)).ask(solver=solver)
    assert (result["removed"], result["status"]) == (["maps/maps_tool_0/api_a"], "solved")


def test_what_leaves_the_pool_is_new():
    def play(_, schema):
        return [("give_up", {"reason": "No.", "failed": tools_of(schema)[:1]})]

    result = a_search("unsolved", tool=add_first(3), solver=play).ask(max_reflections=6)
    assert (result["reflections"], result["pool"]) == (2, [])


@pytest.mark.parametrize(("least", "size"), [(0, 64), (36, 36), (5, 5)])
def test_what_search_has_filled_in_keeps_no_agent_asleep(least, size):
    result = a_search("unsolved").ask("Tell of rain.", least_pool=least, pool_size=size, max_reflections=2)
    assert [(waking["level"], waking["agents"]) for waking in result["wakings"]] == [("tool", ["tool Maps 1"])] * 2
    assert len(result["agents"]["tool Maps 1"]["added"]) == 3
    assert set(result["agents"]["tool Maps 1"]["added"]) <= set(result["pool"])


EVERYBODY = {
    "meta": silent_after([("create_agent_category_level", {"category_name": "Music"})]),
    "category": silent_after([("create_agent_tool_level", {"tools": ["Music tool 1"]})]),
}


@pytest.mark.parametrize("checkpointer", [None, InMemorySaver()])
@pytest.mark.parametrize("solver", ["dfsdt", "react"])
def test_what_is_solved_at_once_needs_no_reflection(checkpointer, solver):
    def play(messages, schema):
        return ANSWER if turns_so_far(messages) else [(tools_of(schema)[0], {"note": "a"})]

    result = a_search("solved", solver=play).ask(checkpointer=checkpointer, thread=solver, solver=solver)
    assert (result["answer"], result["status"], result["verdict"]) == ("It is so.", "solved", "solved")
    assert [call["ok"] for call in result["calls"]] == [True]
    assert (result["reflections"], result["wakings"]) == (0, [])
    assert result["numbers"]["model_calls"] == sum(spent["calls"] for spent in result["usage"].values())
    assert result["usage"].keys() == {"meta_agent", "tool_agent", "explore" if solver == "dfsdt" else "act", "judge"}


def test_the_judge_s_reason_goes_to_agents_and_solver_and_the_pool_grows():
    search = a_search("unsolved", "solved")
    result = search.ask()
    assert (result["status"], result["reflections"], len(result["pool"])) == ("solved", 1, 2)
    last = dict(search.policy.asked)
    assert any("It is unsolved." in message.text for message in last["tool"])
    assert "The answer so far was: It is so." in last["solver"][-1].text
    assert "It is unsolved." in last["solver"][-1].text
    assert result["wakings"] == [
        {"reflection": 1, "level": "tool", "agents": ["tool Maps 1"], "why": "It is unsolved."}
    ]


@pytest.mark.parametrize(
    ("reactivated", "levels"),
    [
        ("none", []),
        ("tools", ["tool"]),
        ("categories", ["tool", "category"]),
        ("all", ["tool", "category", "meta"]),
    ],
)
def test_levels_are_woken_from_the_tools_up_as_far_as_the_setting_goes(reactivated, levels):
    result = a_search("unsolved", **EVERYBODY).ask(max_reflections=1, reactivated=reactivated)
    assert [waking["level"] for waking in result["wakings"]] == levels
    assert (result["status"], result["answer"]) == ("partial", "It is so.")
    assert result["reason"] == "Not solved, and the reflections are used up. It is unsolved."


def test_when_the_woken_tool_agents_find_enough_nobody_above_is_woken():
    def play(messages, schema):
        said = one_after_the_other(messages, schema)
        return [*said, ("check_if_request_solvable", {})] if isinstance(said, list) else said

    search = a_search("unsolved", "solved", **EVERYBODY, tool=play)
    search.policy.decides["Solvability"] = lambda messages: {
        "reason": "So it is.",
        "verdict": "solvable" if "This was tried and failed: It is unsolved." in messages[-1].text else "unsolvable",
    }
    result = search.ask()
    assert [waking["level"] for waking in result["wakings"]] == ["tool"]
    assert result["solvable"]


def test_who_was_woken_may_ask_about_the_pool_again_though_it_asked_last():
    def play(messages, schema):
        names = choices(schema, "add_API_into_API_pool", "APIs")
        return [("check_if_request_solvable", {})] if turns_so_far(messages) else [(ADD, {"APIs": names[:1]})]

    search, asked = a_search("unsolved", tool=play), []
    search.policy.decides["Solvability"] = lambda _: (asked.append(1), {"reason": "Hm.", "verdict": "solvable"})[1]
    result = search.ask(max_reflections=2)
    assert len(asked) == 3
    assert {agent["why"] for agent in result["agents"].values() if agent["kind"] == "tool"} == {"the pool suffices"}


def test_who_was_woken_while_it_turned_pages_may_look_on():
    offered = []

    def play(messages, schema):
        offered.append("get_tools_in_category" in {one["name"] for one in schema["functions"]})
        return [("get_tools_in_category", {"category_name": "Music", "page": turns_so_far(messages) + 2})]

    search = a_search("unsolved", meta=only("Music"), category=play)
    result = search.ask(page=1, agent_turns=2, max_reflections=1)
    assert [waking["agents"] for waking in result["wakings"]] == [["category Music"]]
    assert offered == [True, True, True, False]


def test_who_was_woken_may_add_again_what_did_not_fit():
    def play(messages, schema):
        return [(ADD, {"APIs": choices(schema, ADD, "APIs")[:2]}), *FINISH]

    filled = []  # by whichever of the two agents, who work at once, comes first

    def solve(messages, schema):
        names = tools_of(schema)
        filled.append(names[0].split("_")[0])
        useless = names[0].startswith(filled[0])
        return [("give_up", {"reason": "No.", "failed": names})] if useless else calls_then_answers(messages, schema)

    policy = Policy(tool=play, solver=solve)
    search = Search(policy, catalog=a_catalog({"Music": 5, "Weather": 5}), graph=anytool)
    result = search.ask(pool_size=2, max_reflections=1)
    (other,) = {"Music", "Weather"} - {filled[0]}
    assert result["wakings"][0]["agents"] == [f"tool {other} 1"]
    assert (result["status"], result["agents"][f"tool {other} 1"]["status"]) == ("solved", "finished")
    assert [api.split("/")[0] for api in result["pool"]] == [other.lower()] * 2


def test_a_finished_agent_is_not_woken():
    result = a_search("unsolved", "unsure", tool=add_first(1)).ask(max_reflections=2)
    assert {agent["status"] for agent in result["agents"].values()} == {"finished"}
    assert (result["reflections"], result["wakings"]) == (2, [])


@pytest.mark.parametrize("solver", ["dfsdt", "react"])
def test_what_failed_leaves_the_pool_and_the_solver_s_history_and_cannot_come_back(solver):
    def play(messages, schema):
        names = tools_of(schema)
        if any("not solved" in message.text for message in messages):
            return calls_then_answers(messages, schema)
        calls = turns_so_far(messages)
        return [(names[0], {"note": "a"})] if not calls else [("give_up", {"reason": "No.", "failed": [names[0]]})]

    def stubborn(messages, schema):
        names = choices(schema, "add_API_into_API_pool", "APIs")
        count = sum(isinstance(message, ToolMessage) for message in messages)
        return [("add_API_into_API_pool", {"APIs": names[: 2 + count]})]

    search = a_search("solved", solver=play, tool=stubborn)
    result = search.ask(agent_turns=2, solver=solver)
    gone = result["calls"][0]["api"]
    assert (result["status"], result["reflections"]) == ("solved", 1)
    assert result["wakings"][0]["why"] == "No."
    assert gone not in result["pool"]
    assert len(result["pool"]) == 4
    *_, last, _ = [messages for kind, messages in search.policy.asked if kind == "solver"]
    assert "not solved" in last[-1].text
    assert not any(isinstance(message, ToolMessage) or getattr(message, "tool_calls", ()) for message in last)
    told = [message.text for kind, messages in search.policy.asked if kind == "tool" for message in messages]
    assert any("Removed before, because it did not help" in text for text in told)


@pytest.mark.parametrize("solver", ["dfsdt", "react"])
def test_a_solver_that_gave_up_once_may_answer_the_next_time(solver):
    def play(messages, schema):
        if any("not solved" in message.text for message in messages):
            return calls_then_answers(messages, schema)
        return [("give_up", {"reason": "No.", "failed": []})]

    search = a_search("solved", solver=play)
    result = search.ask(solver=solver, checkpointer=InMemorySaver())
    assert (result["status"], result["answer"], result["reflections"]) == ("solved", "It is so.", 1)
    assert len(result["pool"]) == 2


@pytest.mark.parametrize("solver", ["dfsdt", "react"])
def test_an_answer_that_no_call_supports_is_unsolved_whatever_a_judge_would_say(solver):
    def fails(*_):
        raise CallError("tool_error", "It is broken.")

    search = a_search("solved", solver=lambda *_: ANSWER)
    result = search.ask(solver=solver, max_reflections=0)
    assert (result["status"], result["verdict"], result["answer"]) == ("partial", "unsolved", "It is so.")
    assert result["verdict_reason"] == "No call has succeeded, so nothing supports the answer."
    assert "judge" not in result["usage"]
    search = a_search("solved", solver=calls_then_answers)
    search.caller.respond = fails
    assert search.ask(solver=solver, max_reflections=0)["status"] != "solved"


def test_a_react_solver_that_always_gives_up_says_why():
    result = a_search("solved", solver=lambda *_: [("give_up", {"reason": "No.", "failed": []})]).ask(
        solver="react", max_reflections=1
    )
    assert (result["status"], result["reflections"], result["verdict"]) == ("failed", 1, "unsure")
    assert result["reason"].endswith("Given up: No.")


@pytest.mark.parametrize(("solver", "calls"), [("react", 10), ("dfsdt", 10), ("dfsdt", 1)])
def test_what_the_solver_has_registered_is_so_when_it_tries_again(solver, calls):
    first, second = "Maps_tool_0_api_a", "Maps_tool_0_api_b"
    bound = []

    def play(messages, schema):
        told = " ".join(message.text for message in messages)
        if "not solved" in told:
            bound.append(tools_of(schema))
            return ANSWER if f"{second} says" in told else [(second, {"note": "a"})]
        if not turns_so_far(messages):
            return [("tool_register", {"name": name}) for name in (first, second)]
        gives_up = ("give_up", {"reason": "No.", "failed": [first]})
        return [(first, {"note": "a"}) if turns_so_far(messages) == 1 else gives_up]

    search = a_search("unsolved" if calls == 1 else "solved", solver=play, tool=every_one)
    result = search.ask(solver=solver, registration="on_demand", solver_calls=calls, max_reflections=1)
    assert bound[0] == ([first, second] if calls == 1 else [second])
    assert result["calls"][1]["ok"]
    assert not any("is not registered" in text for text in results(search, "solver"))


@pytest.mark.parametrize("again", ["always", "never"])
@pytest.mark.parametrize("solver", ["react", "dfsdt"])
def test_the_user_is_not_asked_again_about_what_was_refused_before_a_reflection(solver, again):
    turns = [[("Maps_tool_0_api_a", {"note": note})] for note in "aab"]
    turns = [turns[0], ANSWER, turns[1], turns[2], ANSWER]
    search = a_search("unsolved", "solved", tool=every_one, solver=lambda *_: turns.pop(0))
    graph, asked = search.build(checkpointer=InMemorySaver()), []
    config = {"configurable": {"thread_id": "one"}, "recursion_limit": 500}
    context = AnyToolContext(solver=solver, approval="always", max_reflections=1)
    result = graph.invoke({"query": "alpha"}, config, context=context)
    while questions := result.get("__interrupt__"):
        asked += [question.value["arguments"]["note"] for question in questions]
        result = graph.invoke(Command(resume="refuse"), config, context=replace(context, approval=again))
    assert asked == ["a", "b"]
    assert ([call["failure"] for call in result["calls"]], search.caller.made) == (["blocked"] * 3, [])
    assert result["reflections"] == 1


@pytest.mark.parametrize("solver", ["react", "dfsdt"])
@pytest.mark.parametrize(("sees", "settings"), [(4_000, {}), (None, {"solver_context": 2_500})])
def test_a_solver_is_shown_as_much_of_its_conversation_as_its_model_sees(solver, sees, settings):
    numbers, prompts = itertools.count(), []

    def play(messages, schema):
        prompts.append(messages)
        return [(tools_of(schema)[0], {"note": str(next(numbers))})]

    search = a_search("unsolved", solver=play)
    search.caller.respond = lambda *_: "word " * 400
    model = scripted(search.policy)
    model.profile = {**model.profile, "max_input_tokens": sees}
    context = AnyToolContext(solver=solver, max_reflections=2, branches=1, **settings)
    result = search.build(model=model).invoke({"query": "alpha"}, {"recursion_limit": 500}, context=context)
    assert (result["reflections"], len(result["calls"])) == (2, 30)
    assert 2_000 < max(map(count_message_tokens, prompts)) < 3_600
    assert {messages[0].text for messages in prompts} == {prompts[0][0].text}
    last = prompts[-1]
    assert any("Left out here" in message.text for message in last)
    assert any("The answer so far was" in message.text for message in last)
    assert any(message.text.startswith("word") for message in last)


def test_what_failed_is_not_in_the_later_checks_of_the_pool():
    checked, offered = [], []

    def check(messages):
        checked.append(messages[-1].text)
        return {"reason": "Hm.", "verdict": "unsolvable"}

    def play(messages, schema):
        said = one_after_the_other(messages, schema)
        return [*said, ("check_if_request_solvable", {})] if isinstance(said, list) else said

    def solve(messages, schema):
        offered.extend(tools_of(schema))
        if any("not solved" in message.text for message in messages):
            return calls_then_answers(messages, schema)
        return [("give_up", {"reason": "No.", "failed": offered[:1]})]

    search = a_search("solved", solver=solve, tool=play)
    search.policy.decides["Solvability"] = check
    search.ask()
    assert [offered[0] in text for text in checked] == [True, False]


@pytest.mark.parametrize(
    "look", [("get_APIs_in_tool", {"tool_name": "Maps tool 0"}), ("search_apis", {"text": "rain"})]
)
def test_no_page_shifts_when_an_api_is_removed(look):
    def play(messages, schema):
        def page(number):
            return (look[0], look[1] | {"page": number})

        if not turns_so_far(messages):
            return [page(1), (ADD, {"APIs": choices(schema, ADD, "APIs")[:1]})]
        woken = any("could not be solved" in message.text for message in messages)
        return [page(number) for number in (1, 2, 3)] if woken else "Hm."

    def solve(_, schema):
        return [("give_up", {"reason": "No.", "failed": tools_of(schema)})]

    search = Search(Policy(tool=play, solver=solve), catalog=a_catalog({"Maps": 1}, apis=12), graph=anytool)
    search.ask("rain", page=4, search_function=True, max_reflections=1)
    told = [message.text for message in dict(search.policy.asked)["tool"] if message.type == "tool"]
    first, _, again, *others = told[:5]
    pages = [re.findall(r"Maps_tool_0_api_\w", text) for text in (first, *others)]
    assert ([len(names) for names in pages], len({name for names in pages for name in names})) == ([4, 4, 4], 12)
    assert re.findall(r"Maps_tool_0_api_\w", again) == pages[0]
    assert again.count("(removed, because it did not help)") == 1


def test_search_fills_the_solver_s_pool_but_not_with_what_was_removed():
    offered = []

    def play(messages, schema):
        offered.append(tools_of(schema))
        if any("not solved" in message.text for message in messages):
            return calls_then_answers(messages, schema)
        return [("give_up", {"reason": "No.", "failed": offered[0][:1]})]

    search = a_search("solved", solver=play)
    result = search.ask("Tell of rain and of rivers.", least_pool=5)
    names = {api.id: api.function for api in search.catalog.apis()}
    added = [names[api] for api in result["agents"]["tool Maps 1"]["added"]]
    first, *_, last = offered
    assert [len(first), len(last), len(result["pool"])] == [5, 5, 5]
    assert [first[0], last[0]] == added
    assert first[0] not in last
    assert last == [names[api] for api in result["pool"]]


@pytest.mark.parametrize("solver", ["dfsdt", "react"])
def test_what_a_removed_api_said_supports_no_answer(solver):
    offered = []

    def play(messages, schema):
        offered.append("give_answer" in {one["name"] for one in schema["functions"]})
        if any("not solved" in message.text for message in messages):
            return ANSWER
        names = tools_of(schema)
        gives_up = [("give_up", {"reason": "No.", "failed": [names[0]]})]
        return gives_up if turns_so_far(messages) else [(names[0], {"note": "a"})]

    result = a_search("solved", solver=play, tool=every_one).ask(solver=solver, max_reflections=1)
    assert offered == [False, True, False]
    assert ([call["ok"] for call in result["calls"]], result["verdict"]) == ([True], "unsolved")


@pytest.mark.parametrize(("failed", "told"), [(["Maps_tool_0_api_a"], False), (["Maps_tool_0_api_b"], True)])
@pytest.mark.parametrize("solver", ["dfsdt", "react"])
def test_an_answer_that_stands_on_a_removed_api_is_not_in_the_solver_s_history(solver, failed, told):
    turns = [[("Maps_tool_0_api_a", {"note": "a"})], [("give_up", {"reason": "No.", "failed": failed})], ANSWER]
    search = a_search("solved", tool=every_one, solver=lambda *_: turns.pop(0))
    result = search.ask(solver=solver, max_reflections=1)
    assert (result["reflections"], result["removed"][0][-5:]) == (1, failed[0][-5:])
    last = search.policy.asked[-1][1]
    assert any("The answer so far was: What is known." in message.text for message in last) == told


def test_the_history_is_cleaned_of_calls_and_results_of_removed_tools():
    calls = [
        {"name": name, "args": args, "id": str(number)}
        for number, (name, args) in enumerate([("bad", {}), ("good", {}), ("tool_register", {"name": "bad"})])
    ]
    told = [ToolMessage(f"result {number}", tool_call_id=str(number)) for number in range(3)]
    alone = AIMessage("Only this.", tool_calls=[calls[0] | {"id": "9"}])
    broken = {"name": "good", "args": "{", "id": "8", "error": "no JSON", "type": "invalid_tool_call"}
    whole = AIMessage("All.", tool_calls=calls, invalid_tool_calls=[broken])
    results = [*told, ToolMessage("no JSON", tool_call_id="8"), alone, ToolMessage("x", tool_call_id="9")]
    kept = cleaned([whole, *results], {"bad"})
    assert [message.text for message in kept] == ["All.", "result 1", "no JSON"]
    assert [call["name"] for call in kept[0].tool_calls] == ["good"]
    assert [call["id"] for call in kept[0].invalid_tool_calls] == ["8"]


def test_the_history_is_cleaned_where_every_turn_numbers_its_calls_anew():
    said = [
        message
        for number, name in enumerate(["good", "bad", "good"])
        for message in (
            AIMessage("", tool_calls=[{"name": name, "args": {}, "id": "call_0"}]),
            ToolMessage(f"result {number}", tool_call_id="call_0"),
        )
    ]
    assert cleaned(said, {"bad"}) == [*said[:2], *said[4:]]


def test_unsure_counts_as_the_setting_says():
    assert a_search("unsure").ask(unsure="solved")["status"] == "solved"
    assert a_search("unsure").ask(unsure="unsolved", max_reflections=0)["status"] == "partial"


def test_without_reflection_it_ends_after_the_first_verdict():
    search = a_search("unsolved")
    result = search.ask(max_reflections=0)
    assert (result["status"], result["reflections"]) == ("partial", 0)
    assert search.policy.kinds().count("solver") == 2


def test_an_empty_pool_is_a_reason_to_look_again():
    search = a_search("solved", meta=silent_after([]), category=never_done)
    result = search.ask(max_reflections=2)
    assert (result["status"], result["answer"], result["pool"]) == ("failed", "", [])
    assert [waking["level"] for waking in result["wakings"]] == ["meta", "meta"]
    assert "solver" not in search.policy.kinds()


@pytest.mark.parametrize("budget", [2_500, 4_000, 8_000, 15_000])
def test_the_budget_is_over_everything(budget):
    result = a_search("unsolved", **EVERYBODY).ask(token_budget=budget)
    assert result["numbers"]["tokens"] <= budget
    assert result["status"] in {"partial", "failed"}


@pytest.mark.parametrize("solver", ["dfsdt", "react"])
def test_a_try_leaves_tokens_for_the_next(solver):
    notes = itertools.count()

    def restless(_, schema):
        return [(tools_of(schema)[0], {"note": "x" * 400 + str(next(notes))})]

    def tries(part):
        search = a_search("unsolved", solver=restless)
        settings = {"max_steps": 100, "solver_calls": 100, "token_budget": 13_500}
        result = search.ask(solver=solver, max_reflections=2, try_part=part, **settings)
        told = {sum("not solved" in m.text for m in said) for kind, said in search.policy.asked if kind == "solver"}
        assert result["numbers"]["tokens"] <= 13_500
        return told

    assert tries(1) == {0}
    assert tries(0.5) == {0, 1, 2}


@pytest.mark.parametrize("budget", [50, 500, 900])
def test_a_budget_too_small_to_start_is_refused(budget):
    search = a_search("unsolved")
    with pytest.raises(InputError, match=f"budget of {budget} is too small to start. Raise token_budget"):
        search.ask(token_budget=budget)
    assert not search.policy.asked


def test_a_budget_in_which_the_search_finds_nothing_is_the_reason():
    result = a_search("unsolved").ask(token_budget=1_500)
    assert (result["pool"], result["status"]) == ([], "failed")
    assert result["reason"].endswith("The search had too few tokens to find an API. Raise token_budget.")


def test_a_search_whose_model_can_read_no_more_says_so():
    def full(*_):
        raise ValueError("This model's maximum context length is 8192 tokens.")

    result = a_search("unsolved", tool=full, meta=only("Maps")).ask(max_reflections=1)
    assert (result["pool"], result["status"]) == ([], "failed")
    assert "does not fit into the context of the model" in result["reason"]
    assert "token_budget" not in result["reason"]


def test_a_judge_whose_model_can_read_no_more_is_no_spent_budget():
    def full(_):
        raise ValueError("This model's maximum context length is 8192 tokens.")

    search = a_search("unsolved")
    search.policy.decides["Judgement"] = full
    result = search.ask()
    assert (result["status"], result["answer"]) == ("partial", "It is so.")
    assert result["reason"].startswith("Not solved, and no model may be asked any more. The conversation does not fit")


@pytest.mark.parametrize("solver", ["react", "dfsdt"])
def test_a_solver_whose_model_may_not_read_the_task_keeps_what_the_search_found(solver):
    def refuses(*_):
        raise PromptRefused("It is blocked.")

    result = a_search("unsolved", solver=refuses).ask(solver=solver, max_reflections=1)
    assert (result["status"], bool(result["pool"]), "It is blocked." in result["reason"]) == ("failed", True, True)


def test_where_one_of_the_judges_refuses_the_others_are_followed():
    refused = scripted(lambda *_: AIMessage("", additional_kwargs={"refusal": "I would rather not."}))
    search = a_search(*["unsolved"] * 2, *["solved"] * 2)
    graph = search.build(models={"judge 2": refused})
    result = graph.invoke({"query": "alpha"}, {"recursion_limit": 500}, context=AnyToolContext(votes=3))
    assert (result["status"], result["reflections"]) == ("solved", 1)


@pytest.mark.parametrize("solver", ["react", "dfsdt"])
def test_after_an_edit_the_solver_has_its_pool_its_calls_and_its_part_of_the_budget(solver):
    search = a_search("solved", tool=every_one)
    graph, context = search.build(checkpointer=InMemorySaver()), AnyToolContext(solver=solver, call_retries=0)
    config = {"configurable": {"thread_id": "one"}, "recursion_limit": 500}
    pool = graph.invoke({"query": "rain"}, config, context=context)["pool"]
    before = next(state for state in graph.get_state_history(config) if state.next == (solver,))
    edited = graph.update_state(before.config, {"pool": pool[:1]}, as_node="hand_over")
    kept = graph.get_state(edited).values
    assert {name: kept[name] for name in ("spent", "made", "earlier")} == {
        name: before.values[name] for name in ("spent", "made", "earlier")
    }
    search.policy.asked.clear()
    offered = []
    search.policy.plays["solver"] = lambda messages, schema: (
        offered.append(tools_of(schema)) or calls_then_answers(messages, schema)
    )
    graph.invoke(None, edited, context=context)
    assert (pool[1:] != [], [len(tools) for tools in offered]) == (True, [1, 1])


def test_candidates_that_are_given_are_not_searched_for():
    search = a_search("solved")
    given = [search.catalog.apis()[0].id]
    result = search.build().invoke({"query": "alpha", "candidates": given})
    assert (result["status"], result["pool"], result["agents"]) == ("solved", given, {})
    assert set(search.policy.kinds()) == {"solver"}


def test_an_empty_question_is_refused():
    with pytest.raises(InputError, match="empty"):
        a_search("solved").build().invoke({"query": " "})


def test_all_ways_to_run_it_give_the_same():
    found = []
    for how in ("invoke", "ainvoke"):
        graph = a_search("unsolved", "solved", **EVERYBODY).build()
        asked = {"query": "alpha"}
        found.append(graph.invoke(asked) if how == "invoke" else asyncio.run(graph.ainvoke(asked)))
    assert found[0] == found[1]


def test_an_answer_that_stands_on_what_was_removed_is_not_delivered():
    turns = []

    def solve(messages, schema):
        turns.append(messages)
        if len(turns) < 3:
            return [(tools_of(schema)[0], {"note": "a"})] if len(turns) == 1 else ANSWER
        give_up = next(one for one in schema["functions"] if one["name"] == "give_up")
        failed = give_up["parameters"]["properties"]["failed"]["items"]["enum"][:1]
        return [("give_up", {"reason": "It lies.", "failed": failed})]

    result = a_search("unsolved", solver=solve, tool=add_first(1)).ask(max_reflections=2)
    assert result["removed"]
    assert (result["status"], result["answer"]) == ("failed", "")
