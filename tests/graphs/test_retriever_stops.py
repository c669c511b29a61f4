"""When the retriever ends: the pool is full or suffices, limits are reached, and turns in flight are cancelled."""

import asyncio

import pytest
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver

from tests.graphs.searching import (
    FINISH,
    Policy,
    Search,
    a_catalog,
    add_first,
    choices,
    first_then,
    in_writing,
    only,
    results,
    turns_so_far,
)
from toolquiver.context import Context
from toolquiver.errors import BudgetExceeded, ContextExceeded, InputError, ModelError, PromptRefused
from toolquiver.models import scripted
from toolquiver.models.scripted import _Calling
from toolquiver.models.tokens import count_message_tokens


def test_the_pool_takes_what_fits_of_a_batch_and_stops_all():
    result = Search().ask(pool_size=10)
    assert len(result["pool"]) == len(set(result["pool"])) == 10
    assert {agent["why"] for agent in result["agents"].values() if agent["status"] == "parked"} == {"the pool is full"}


def checked(policy):
    """How many APIs the pool had, each time it was asked about, none of which sufficed."""
    asked = []

    def check(messages):
        asked.append(messages[-1].text.count("_tool_"))
        return {"reason": "No.", "verdict": "unsolvable"}

    policy.decides["Solvability"] = check
    return asked


def test_a_pool_that_has_grown_is_asked_about_again():
    def play(messages, schema):
        names, turn = choices(schema, "add_API_into_API_pool", "APIs"), turns_so_far(messages)
        if names[0].startswith("Weather"):
            return [("add_API_into_API_pool", {"APIs": names[:1]}) if not turn else ("check_if_request_solvable", {})]
        return [("add_API_into_API_pool", {"APIs": names[turn : turn + 1]})] if turn < 3 else FINISH

    search = Search(Policy(tool=play), catalog=a_catalog({"Weather": 5, "Music": 5}))
    asked = checked(search.policy)
    agent = search.ask()["agents"]["tool Weather 1"]
    assert asked == [2, 3, 4]
    assert (agent["why"], agent["turns"]) == ("it went round in circles", 6)


def test_in_one_turn_a_pool_is_asked_about_again_once_it_has_grown():
    def play(messages, schema):
        names, check = choices(schema, "add_API_into_API_pool", "APIs"), ("check_if_request_solvable", {})
        first, second = (("add_API_into_API_pool", {"APIs": [name]}) for name in names[:2])
        return FINISH if turns_so_far(messages) else [first, check, second, check, check]

    search = Search(Policy(meta=only("Maps"), tool=play))
    asked = checked(search.policy)
    search.ask()
    assert asked == [1, 2]
    assert results(search, "tool")[-1] == "You made this call twice; see above."


def test_a_pool_that_suffices_parks_everybody():
    policy = Policy(tool=first_then([("check_if_request_solvable", {})]))
    policy.plays["tool"] = lambda messages, schema: [*add_first(1)(messages, schema), ("check_if_request_solvable", {})]
    policy.decides["Solvability"] = {"reason": "It is there.", "verdict": "solvable"}
    result = Search(policy).ask()
    assert result["solvable"]
    assert (result["status"], result["reason"]) == ("solved", "Agents stopped because the pool suffices.")
    assert 1 <= len(result["pool"]) <= 5


def test_what_was_found_to_suffice_is_in_the_pool_whatever_others_have_added_meanwhile():
    def play(messages, schema):
        names = choices(schema, "add_API_into_API_pool", "APIs")[:2]
        check = [("check_if_request_solvable", {})] if names[0].startswith("Weather") else []
        return [("add_API_into_API_pool", {"APIs": names}), *check]

    policy = Policy(tool=play)
    policy.decides["Solvability"] = YES
    result = Search(policy, catalog=a_catalog({"Weather": 5, "Music": 5})).ask(pool_size=3)
    assert (result["status"], [api.split("/")[0] for api in result["pool"]]) == (
        "solved",
        ["weather", "weather", "music"],
    )


def test_an_empty_pool_is_not_asked_about():
    search = Search(Policy(meta=only("Maps"), tool=first_then([("check_if_request_solvable", {})])))
    assert search.ask()["usage"].keys() == {"meta_agent", "tool_agent"}
    assert "No: the pool is empty." in results(search, "tool")


def test_a_check_for_which_a_share_does_not_suffice_is_asked_when_the_agent_goes_alone():
    def play(messages, schema):
        if not turns_so_far(messages):
            return [("add_API_into_API_pool", {"APIs": choices(schema, "add_API_into_API_pool", "APIs")})]
        return [("check_if_request_solvable", {})] if turns_so_far(messages) < 3 else FINISH

    catalog = a_catalog({"Maps": 5, "Music": 5, "Weather": 5}, apis=12)
    search = Search(Policy(tool=play), catalog=catalog)
    search.policy.decides["Solvability"] = YES
    result = search.ask(token_budget=29_000, page=60, pool_size=300)
    assert (result["solvable"], result["usage"]["solvable"]["calls"]) == (True, 1)
    told = [text for text in results(search, "tool") if text.startswith("This was not asked")]
    assert told == ["This was not asked, for too few tokens were left. Ask again, or finish."]


def test_a_check_that_was_not_asked_may_be_asked_again_of_a_pool_that_was_asked_about_before():
    answers = [NO, BudgetExceeded("It is spent."), YES]

    def rules(_):
        said = answers.pop(0)
        if isinstance(said, Exception):
            raise said
        return said

    def play(messages, schema):
        return turns.pop(0) if turns_so_far(messages) else [*add_first(1)(messages, schema), *checks]

    checks = [("check_if_request_solvable", {})]
    turns = ["Hm.", checks, checks]
    search = Search(Policy(meta=only("Maps"), tool=play))
    search.policy.decides["Solvability"] = rules
    assert (search.ask()["solvable"], answers) == (True, [])


@pytest.mark.parametrize("by_model", [False, True])
def test_a_check_that_the_judge_may_not_read_or_refuses_is_told_as_that(by_model):
    def refuses(_):
        raise PromptRefused("It is blocked.")

    def model(messages, schema):
        refused = AIMessage("", additional_kwargs={"refusal": "It is blocked."})
        return refused if by_model and schema.get("title") == "Solvability" else search.policy(messages, schema)

    def play(messages, schema):
        return [*add_first(1)(messages, schema), ("check_if_request_solvable", {})]

    search = Search(Policy(meta=only("Maps"), tool=lambda m, s: FINISH if turns_so_far(m) else play(m, s)))
    search.policy.decides["Solvability"] = refuses
    result = search.build(model=scripted(model)).invoke({"query": "alpha"}, {"recursion_limit": 1_000})
    told = results(search, "tool")[-1]
    assert (result["solvable"], told.startswith("No: "), told.endswith("It is blocked.")) == (False, True, True)


def test_where_one_judge_may_not_read_the_pool_the_others_are_asked():
    def refuses(*_):
        raise PromptRefused("It is blocked.")

    def play(messages, schema):
        return [*add_first(1)(messages, schema), ("check_if_request_solvable", {})]

    search = Search(Policy(meta=only("Maps"), tool=play))
    search.policy.decides["Solvability"] = YES
    graph = search.build(models={"solvable": scripted(refuses)})
    assert graph.invoke({"query": "alpha"}, {"recursion_limit": 1_000}, context=Context(votes=3))["solvable"]


def test_an_agent_that_goes_round_in_circles_is_parked():
    again = [("get_tool_descriptions", {"tools": ["Music tool 0"]})]
    search = Search(Policy(meta=only("Music"), category=lambda *_: again))
    agent = search.ask()["agents"]["category Music"]
    assert (agent["status"], agent["why"], agent["turns"]) == ("parked", "it went round in circles", 3)
    silent = Search(Policy(meta=only("Music"), category=lambda *_: "Hm.")).ask()["agents"]["category Music"]
    assert (silent["status"], silent["turns"]) == ("parked", 2)


def test_the_limit_of_turns_is_hard():
    def play(messages, schema):
        return [("get_tools_in_category", {"category_name": "Music", "page": turns_so_far(messages) + 1})]

    agent = Search(Policy(meta=only("Music"), category=play)).ask(agent_turns=4)["agents"]["category Music"]
    assert (agent["status"], agent["why"], agent["turns"]) == ("parked", "its turns are used up", 4)


def test_a_budget_too_small_to_start_is_refused_and_a_small_one_is_kept():
    with pytest.raises(InputError, match="too small to start"):
        Search().ask(token_budget=50)
    for budget in (1_500, 3_000, 6_000):
        result = Search().ask(token_budget=budget)
        assert result["numbers"]["tokens"] <= budget
        assert "the budget is spent" in result["reason"]


@pytest.mark.parametrize("retriever", ["hierarchy", "plain"])
def test_who_outgrows_the_context_of_its_model_is_parked_with_that_reason(retriever):
    asked = []

    def play(messages, schema):
        asked.append(messages)
        if len(asked) > 1:
            raise ValueError("This model's maximum context length is 8192 tokens.")
        return [("add_API_into_API_pool", {"APIs": choices(schema, "add_API_into_API_pool", "APIs")[:1]})]

    search = Search(Policy(meta=only("Maps"), tool=play), catalog=a_catalog({"Maps": 5}, apis=12))
    result = search.ask(retriever=retriever, plain_detail="details", check_function=False)
    assert len(asked) == 2
    assert (len(result["pool"]), result["status"]) == (1, "partial")
    assert result["reason"].startswith(
        "Agents stopped because its model cannot or may not read more: The conversation does not fit"
    )
    assert "agent_context" in result["reason"]


def test_whose_model_can_read_no_more_is_no_case_of_the_budget_whatever_the_error_says():
    def play(*_):
        raise ContextExceeded("The token budget does not suffice, says the provider.")

    agent = Search(Policy(meta=only("Maps"), tool=play)).ask()["agents"]["tool Maps 1"]
    assert (agent["status"], agent["why"]) == (
        "parked",
        "its model cannot or may not read more: The token budget does not suffice, says the provider",
    )


class RefusedError(Exception):
    status_code = 400


def refusing(said):
    def play(messages, schema):
        if "Maps" in messages[1].text:
            raise RefusedError(said)
        return add_first(2)(messages, schema)

    return Search(Policy(tool=play), catalog=a_catalog({"Music": 5, "Maps": 2}))


def test_an_agent_whose_prompt_its_provider_refuses_for_what_it_says_ends_alone():
    result = refusing("Blocked by the content filter.").ask()
    assert (len(result["pool"]), result["status"]) == (2, "partial")
    ends = {name: (agent["status"], agent["turns"]) for name, agent in result["agents"].items()}
    assert (ends["tool Maps 1"], ends["tool Music 1"]) == (("parked", 0), ("finished", 2))
    assert "refused a prompt for what it says. Ask in other words. Blocked by" in result["reason"]


@pytest.mark.parametrize("tool_calling", [True, False])
def test_what_an_agent_that_is_refused_an_answer_has_cost_is_counted(tool_calling):
    refused = AIMessage("", additional_kwargs={"refusal": "I would rather not."})
    result = Search().build(model=scripted(lambda *_: refused, tool_calling=tool_calling)).invoke({"query": "alpha"})
    assert result["usage"]["meta_agent"]["calls"] == 1
    assert "I would rather not." in result["reason"]


def test_an_error_that_others_would_have_too_ends_the_run():
    with pytest.raises(ModelError, match="status 400"):
        refusing("There is no field 'tools'.").ask()


class Waiting(_Calling):
    """Waits, where the script says "never", for longer than any test."""

    async def _agenerate(self, messages, *_, **options):
        result = self._generate(messages, **options)
        if result.generations[0].message.text == "never":
            await asyncio.sleep(30)
            pytest.fail("The call was not cancelled.")
        return result


@pytest.mark.parametrize("how", ["invoke", "ainvoke"])
def test_the_turns_in_flight_are_cancelled_when_the_pool_suffices(how):
    """One tool agent finds what suffices while the calls of the others never come back."""
    waited = []

    def play(messages, schema):
        turn, names = turns_so_far(messages), choices(schema, "add_API_into_API_pool", "APIs")
        if "Maps" in messages[1].text and turn == 2:
            return [("add_API_into_API_pool", {"APIs": names[:1]}), ("check_if_request_solvable", {})]
        if "Maps" in messages[1].text or turn == 0:
            return [("get_API_detail", {"APIs": [names[turn]]})]
        waited.append(None)
        return "never"

    policy = Policy(tool=play)
    policy.decides["Solvability"] = {"reason": "It is there.", "verdict": "solvable"}
    search = Search(policy)
    model = Waiting(script=policy, profile=scripted(policy).profile)
    graph = search.build(model=model, checkpointer=InMemorySaver())
    asked, config = {"query": "alpha"}, {"configurable": {"thread_id": "one"}}
    result = graph.invoke(asked, config) if how == "invoke" else asyncio.run(graph.ainvoke(asked, config))
    assert result["solvable"]
    histories = graph.get_state(config).values["histories"]
    told = [[message.type for message in said] for name, said in histories.items() if name.startswith("tool")]
    turn = ["ai", "tool"]
    assert sorted(told) == sorted([["system", "human", *turn]] * 4 + [["system", "human", *turn * 3, "tool"]])
    assert len(waited) <= 4
    agents = [agent for agent in result["agents"].values() if agent["kind"] == "tool"]
    assert sorted((agent["status"], agent["turns"]) for agent in agents) == [("parked", 1)] * 4 + [("parked", 3)]
    assert len(result["pool"]) == 1


def test_the_turns_in_flight_are_cancelled_when_several_agents_fill_the_pool_together():
    def play(messages, schema):
        names = choices(schema, "add_API_into_API_pool", "APIs")
        return "never" if names[0].startswith("Maps") else [("add_API_into_API_pool", {"APIs": names[:4]})]

    search = Search(Policy(tool=play), catalog=a_catalog({"Weather": 5, "Music": 5, "Maps": 2}))
    model = Waiting(script=search.policy, profile=scripted(search.policy).profile)
    result = search.build(model=model).invoke({"query": "alpha"}, context=Context(pool_size=6))
    assert len(result["pool"]) == 6
    assert result["agents"]["tool Maps 1"]["turns"] == 0


def test_who_added_more_than_there_was_room_for_is_told_what_was_left_out():
    def play(messages, schema):
        return [("add_API_into_API_pool", {"APIs": choices(schema, "add_API_into_API_pool", "APIs")[:4]})]

    search, saver = Search(Policy(tool=play), catalog=a_catalog({"Weather": 5, "Music": 5})), InMemorySaver()
    graph = search.build(checkpointer=saver)
    config = {"configurable": {"thread_id": "one"}}
    graph.invoke({"query": "alpha"}, config, context=Context(pool_size=6))
    said = graph.get_state(config).values["histories"]
    music, weather = (said[f"tool {category} 1"][-1].text for category in ("Music", "Weather"))
    assert music == "4 added, room for 2 more."
    names = [f"Weather_tool_0_api_{letter}" for letter in "c"] + ["Weather_tool_1_api_a"]
    assert weather == f"Others have filled the pool in the meantime: {', '.join(names)} did not fit and are not in it."


def test_who_adds_more_than_fits_hears_what_was_left_out():
    def play(messages, schema):
        names = choices(schema, "add_API_into_API_pool", "APIs")
        return "Hm." if turns_so_far(messages) else [("add_API_into_API_pool", {"APIs": names[:4]})]

    graph = Search(Policy(meta=only("Maps"), tool=play)).build(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "one"}}
    graph.invoke({"query": "alpha"}, config, context=Context(pool_size=2))
    said = graph.get_state(config).values["histories"]
    names = "Maps_tool_0_api_c, Maps_tool_1_api_a"
    assert said["tool Maps 1"][-1].text == f"2 added, room for 0 more. No room for {names}."


def test_who_finishes_while_what_it_added_does_not_fit_can_be_woken_for_it():
    def play(messages, schema):
        names = choices(schema, "add_API_into_API_pool", "APIs")[:4]
        return [("add_API_into_API_pool", {"APIs": names}), ("finish_search", {})]

    search = Search(Policy(tool=play), catalog=a_catalog({"Weather": 5, "Music": 5}))
    agents = search.ask(pool_size=6)["agents"]
    ends = {name: (agent["status"], agent["why"], len(agent["added"])) for name, agent in agents.items()}
    assert ends["tool Music 1"] == ("finished", "", 4)
    assert ends["tool Weather 1"] == ("parked", "what it added did not fit", 2)


@pytest.mark.parametrize("how", ["replay", "fork"])
def test_who_goes_back_to_before_an_early_stop_finds_nobody_stopped(how):
    def play(messages, schema):
        names = choices(schema, "add_API_into_API_pool", "APIs")[:3]
        check = [("check_if_request_solvable", {})] if names[0].startswith("Weather") else []
        return [("add_API_into_API_pool", {"APIs": names}), *check]

    search = Search(Policy(tool=play), catalog=a_catalog({"Weather": 5, "Music": 5}))
    search.policy.decides["Solvability"] = YES
    graph, config = search.build(checkpointer=InMemorySaver()), {"configurable": {"thread_id": "one"}}
    settings = Context(pool_size=6)
    assert graph.invoke({"query": "alpha"}, config, context=settings)["solvable"]
    waves = graph.get_state(config).values["round"]
    (before,) = [past for past in graph.get_state_history(config) if "tool_agent" in past.next]
    there = before.config if how == "replay" else graph.update_state(before.config, {"failures": []})
    assert graph.invoke(None, there, context=settings)["solvable"]
    assert graph.get_state(config).values["round"] == waves


def test_a_yes_holds_though_a_later_check_of_the_same_turn_says_no():
    said = [YES, NO]

    def play(messages, schema):
        names = choices(schema, "add_API_into_API_pool", "APIs")
        adds = [("add_API_into_API_pool", {"APIs": [name]}) for name in names[:2]]
        return [adds[0], ("check_if_request_solvable", {}), adds[1], ("check_if_request_solvable", {})]

    policy = Policy(meta=only("Maps"), tool=play)
    policy.decides["Solvability"] = lambda _: said.pop(0)
    assert Search(policy).ask()["solvable"]
    assert said == []


YES, NO = {"reason": "Yes.", "verdict": "solvable"}, {"reason": "No.", "verdict": "unsolvable"}


class Late(Waiting):
    """Answers late where another agent's check is to be under way."""

    async def _agenerate(self, messages, *_, **options):
        result = await super()._agenerate(messages, **options)
        if "Music" in messages[1].text:
            await asyncio.sleep(0.2)
        return result


@pytest.mark.parametrize(
    ("votes", "said"),
    [(1, []), (3, [NO, NO]), (1, ["{"]), (3, [NO, "{"])],
    ids=["at once", "in the third vote", "when asked again", "when asked again for the second vote"],
)
def test_a_check_of_the_pool_that_is_cancelled_is_charged_with_all_that_was_asked(votes, said):
    said, asked = list(said), []

    def play(messages, schema):
        names = choices(schema, "add_API_into_API_pool", "APIs")
        if names[0].startswith("Weather"):
            return [("add_API_into_API_pool", {"APIs": names[:1]}), ("check_if_request_solvable", {})]
        return [("add_API_into_API_pool", {"APIs": names[:3]})]

    def policy(messages, schema):
        if schema.get("title") != "Solvability":
            return searching(messages, schema)
        asked.append(count_message_tokens(messages))
        return said.pop(0) if said else "never"

    searching = Policy(tool=play)
    model = Late(script=policy, profile=scripted(policy).profile)
    graph = Search(searching, catalog=a_catalog({"Weather": 7, "Music": 7})).build(model=model)
    usage = graph.invoke({"query": "alpha"}, context=Context(pool_size=3, votes=votes))["usage"]
    checks = [spent for role, spent in usage.items() if role.startswith("solvable")]
    assert sum(spent["calls"] for spent in checks) == len(asked)
    assert sum(spent["prompt"] for spent in checks) >= sum(asked)


def test_a_turn_that_is_cancelled_when_it_is_written_anew_is_charged_for_both():
    asked = []

    def script(messages, schema):
        if not messages[1].text.startswith("Category: Weather\nTools") or "add_API" not in str(schema):
            return written(messages, schema)
        asked.append(count_message_tokens(messages))
        return "{" if len(asked) == 1 else "never"

    search = Search(Policy(tool=add_first(3)), catalog=a_catalog({"Weather": 5, "Music": 5}))
    written = in_writing(search.policy)
    model = Late(script=script, profile=scripted(script, tool_calling=False).profile)
    usage = search.build(model=model).invoke({"query": "alpha"}, context=Context(pool_size=3))["usage"]
    assert len(asked) == 2
    assert usage["tool_agent"]["calls"] == 1 + len(asked)
