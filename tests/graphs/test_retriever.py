"""The retriever: who is made for what, what comes into the pool, and when agents stop."""

import asyncio

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from tests.graphs.searching import (
    Policy,
    Search,
    a_catalog,
    agent_of,
    an_api,
    choices,
    in_writing,
    names_in,
    perfect_tool,
    turns_so_far,
)
from toolquiver.catalog import Catalog, meaning
from toolquiver.context import Context
from toolquiver.errors import InputError
from toolquiver.models import scripted, total_usage
from toolquiver.models.scripted import _Calling

FINISH = [("finish_search", {})]


def first_then(calls, then=FINISH):
    """Make these calls in the first turn, then others."""
    return lambda messages, _: then if turns_so_far(messages) else calls


def add_first(count):
    def play(messages, schema):
        names = choices(schema, "add_API_into_API_pool", "APIs")[:count]
        return FINISH if turns_so_far(messages) else [("add_API_into_API_pool", {"APIs": names})]

    return play


def kinds(result):
    return sorted((agent["kind"], agent["category"]) for agent in result["agents"].values())


def results(search, kind):
    """What the agents of a kind were told by their functions."""
    return [m.text for one, messages in search.policy.asked if one == kind for m in messages if m.type == "tool"]


@pytest.mark.parametrize("checkpointer", [None, InMemorySaver()])
def test_agents_find_all_there_is(checkpointer):
    search = Search()
    result = search.ask(checkpointer=checkpointer)
    assert sorted(result["pool"]) == sorted(api.id for api in search.catalog.apis())
    assert {agent["status"] for agent in result["agents"].values()} == {"finished"}
    assert (result["status"], result["reason"]) == ("solved", "All agents have finished.")
    assert result["numbers"] == {
        "tokens": result["numbers"]["tokens"],
        "model_calls": total_usage(result["usage"])["calls"],
        "reflections": 0,
        "candidates": 48,
        "agents": 8,
    }
    assert not search.caller.made


def test_agents_that_write_their_calls_find_all_there_is_too():
    search = Search()
    graph = search.build(model=scripted(in_writing(search.policy), tool_calling=False))
    result = graph.invoke({"query": "alpha"})
    assert sorted(result["pool"]) == sorted(api.id for api in search.catalog.apis())
    assert {agent["turns"] for agent in result["agents"].values()} == {2}


TABLE_8 = {
    "meta": "create_agent_category_level get_tools_in_category get_tool_descriptions finish_search",
    "category": "create_agent_tool_level get_tools_in_category get_tool_descriptions finish_search",
    "tool": "add_API_into_API_pool get_APIs_in_tool get_API_detail check_if_request_solvable finish_search",
    "flat": "get_tools_in_category get_tool_descriptions get_APIs_in_tool get_API_detail add_API_into_API_pool"
    " check_if_request_solvable finish_search",
}


def offered(policy, **settings):
    """By kind of agent every function that it was offered in a run."""
    found = {}

    def watching(messages, schema):
        if schema.get("title") == "Turn":
            names = {function["name"] for function in schema["functions"]}
            found.setdefault(agent_of(schema), set()).update(names)
        return policy(messages, schema)

    Search(policy).build(model=scripted(watching)).invoke({"query": "alpha"}, context=Context(**settings))
    return found


def flat_steps(*steps):
    return lambda messages, _: dict(enumerate(steps)).get(turns_so_far(messages), FINISH)


LOOK = [("get_tools_in_category", {"category_name": "Music"})]


def test_agents_have_exactly_the_functions_of_the_paper_s_table():
    meta = flat_steps(LOOK, [("create_agent_category_level", {"category_name": "Music"})])
    found = offered(Policy(meta=meta))
    apis = [("get_APIs_in_tool", {"tool_name": "Music/Music tool 3"})]
    found |= offered(Policy(flat=flat_steps(LOOK, apis)), retriever="flat")
    assert found == {kind: set(names.split()) for kind, names in TABLE_8.items()}


@pytest.mark.parametrize(("kind", "retriever"), [("tool", "hierarchy"), ("flat", "flat")])
def test_the_check_of_the_pool_is_a_switch(kind, retriever):
    policy = Policy(flat=flat_steps())
    found = offered(policy, retriever=retriever, check_function=False)
    assert "check_if_request_solvable" not in found[kind]
    told = next(messages for asked, messages in policy.asked if asked == kind)
    assert "check_if_request_solvable" not in told[0].text


def test_agents_that_had_no_turn_yet_come_first_and_of_them_those_nearest_to_the_apis():
    search = Search(Policy(meta=only("Music", "Maps")))
    search.ask(parallel_agents=1)
    first = ["meta", "tool", "category", "tool", "tool"]
    assert search.policy.kinds() == [*first, "tool", "tool", "tool", "category", "meta"]


def test_a_call_that_is_made_twice_in_a_turn_is_carried_out_once():
    twice = [("get_tool_descriptions", {"tools": ["Music tool 0"]})] * 2
    search = Search(Policy(meta=only("Music"), category=first_then(twice)))
    search.ask()
    assert results(search, "category")[0].startswith("Music tool 0 (3 APIs)")
    assert "You made this call twice; see above." in results(search, "category")


def test_categories_that_are_not_on_the_first_page_are_named():
    search = Search(Policy(meta=lambda *_: FINISH))
    search.ask(page=1)
    text = search.policy.asked[0][1][1].text
    assert len(names_in(text)) == 1
    (left,) = [line for line in text.splitlines() if line.startswith("2 more: ")]
    assert sorted([names_in(text)[0].split(" (")[0], *left[8:-1].split(", ")]) == ["Maps", "Music", "Weather"]


RAIN = "Tell of rain and of rivers."


def test_search_fills_what_agents_leave_open_from_where_they_looked_first():
    search = Search(Policy(meta=only("Maps"), tool=lambda *_: FINISH))
    result = search.ask(RAIN, least_pool=8)
    assert sorted(result["pool"][:6]) == sorted(api.id for api in search.catalog.apis(category="Maps"))
    assert len(set(result["pool"])) == result["numbers"]["candidates"] == 8
    assert (result["status"], result["agents"]["tool Maps 1"]["added"]) == ("partial", [])
    assert search.ask(RAIN)["status"] == "failed"


@pytest.mark.parametrize("size", [2, 8])
def test_what_agents_have_found_stands_before_what_search_fills_in(size):
    search = Search(Policy(meta=only("Maps"), tool=add_first(3)))
    result = search.ask(RAIN, least_pool=8, pool_size=size)
    assert len(result["pool"]) == size
    assert result["pool"][:3] == result["agents"]["tool Maps 1"]["added"]


def test_a_small_category_gets_a_tool_agent_at_once():
    result = Search().ask()
    assert kinds(result).count(("category", "Maps")) == 0
    (maps,) = (agent for agent in result["agents"].values() if agent["category"] == "Maps")
    assert (maps["kind"], maps["parent"], len(maps["tools"])) == ("tool", "meta", 2)


def test_a_tool_agent_takes_so_many_tools_and_the_model_is_told_which_are_left():
    calls = [("create_agent_tool_level", {"tools": [f"Music tool {n}" for n in range(7)]})]
    search = Search(Policy(meta=only("Music"), category=first_then(calls)))
    result = search.ask(tools_per_agent=3)
    assert [len(agent["tools"]) for agent in result["agents"].values() if agent["kind"] == "tool"] == [3]
    assert "not given: Music tool 3, Music tool 4, Music tool 5, Music tool 6." in results(search, "category")[0]


def only(*categories):
    return first_then([("create_agent_category_level", {"category_name": name}) for name in categories])


def test_what_does_not_exist_is_told_and_nothing_is_made_of_it():
    calls = [("create_agent_tool_level", {"tools": ["Music tool 1", "Jazz"]}), ("no_such_function", {})]
    search = Search(Policy(meta=only("Nowhere", "Music"), category=first_then(calls)))
    result = search.ask()
    assert "There is no category 'Nowhere'." in results(search, "meta")
    told = results(search, "category")
    assert any("There is no tool 'Jazz' here." in text for text in told)
    assert "There is no function 'no_such_function'." in told
    assert len(result["agents"]) == 3


def test_an_api_of_another_tool_cannot_be_added():
    calls = [("add_API_into_API_pool", {"APIs": ["Music_tool_0_api_a", "nonsense"]})]
    search = Search(Policy(meta=only("Maps"), tool=first_then(calls)))
    result = search.ask()
    assert (result["pool"], result["status"]) == ([], "failed")
    assert "There is no API 'Music_tool_0_api_a', 'nonsense' here." in results(search, "tool")[0]


def test_no_tool_and_no_category_has_two_agents():
    twice = [("create_agent_tool_level", {"tools": ["Music tool 1"]})] * 2
    result = Search(Policy(meta=only("Music", "Music"), category=first_then(twice))).ask()
    assert kinds(result) == [("category", "Music"), ("meta", ""), ("tool", "Music")]


def test_the_pool_takes_what_fits_of_a_batch_and_stops_all():
    result = Search().ask(pool_size=10)
    assert len(result["pool"]) == len(set(result["pool"])) == 10
    assert {agent["why"] for agent in result["agents"].values() if agent["status"] == "parked"} == {"the pool is full"}


def test_a_pool_that_suffices_parks_everybody():
    policy = Policy(tool=first_then([("check_if_request_solvable", {})]))
    policy.plays["tool"] = lambda messages, schema: [*add_first(1)(messages, schema), ("check_if_request_solvable", {})]
    policy.decides["Solvability"] = {"reason": "It is there.", "verdict": "solvable"}
    result = Search(policy).ask()
    assert result["solvable"]
    assert (result["status"], result["reason"]) == ("solved", "Agents stopped because the pool suffices.")
    assert 1 <= len(result["pool"]) <= 5


def test_an_empty_pool_is_not_asked_about():
    search = Search(Policy(meta=only("Maps"), tool=first_then([("check_if_request_solvable", {})])))
    assert search.ask()["usage"].keys() == {"meta_agent", "tool_agent"}
    assert "No: the pool is empty." in results(search, "tool")


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


def test_lists_come_in_pages_and_the_model_is_told_what_is_left():
    def play(messages, schema):
        turn = turns_so_far(messages)
        return [("get_tools_in_category", {"category_name": "Music", "page": turn + 2})] if turn < 3 else FINISH

    search = Search(Policy(meta=only("Music"), category=play))
    search.ask(page=3)
    prompt = next(messages for kind, messages in search.policy.asked if kind == "category")[1].text
    assert names_in(prompt) == [f"Music tool {n}" for n in range(3)]
    assert "4 more, on page 2." in prompt
    told = results(search, "category")[:3]
    assert told[0].splitlines() == ["Music tool 3", "Music tool 4", "Music tool 5", "1 more, on page 3."]
    assert "There is no page 4; the list has 3." in results(search, "category")


def test_who_only_turns_pages_must_do_something_else_then():
    offered = []

    def play(messages, schema):
        offered.append("get_tools_in_category" in {one["name"] for one in schema["functions"]})
        if not offered[-1]:
            return [("create_agent_tool_level", {"tools": choices(schema, "create_agent_tool_level", "tools")[-1:]})]
        return [("get_tools_in_category", {"category_name": "Music", "page": turns_so_far(messages) + 2})]

    search = Search(Policy(meta=only("Music"), category=play))
    search.ask(page=2, agent_turns=6)
    assert offered == [True, True, False, True, True, False]
    assert sum(kind == "tool" for kind in search.policy.kinds()) >= 2


def test_who_looks_at_another_category_or_acts_between_is_not_turning_pages():
    offered = []

    def play(messages, schema):
        offered.append("get_tools_in_category" in {one["name"] for one in schema["functions"]})
        name = ("Music", "Weather")[turns_so_far(messages) % 2]
        return [("get_tools_in_category", {"category_name": name, "page": turns_so_far(messages) + 2})]

    Search(Policy(meta=play)).ask(page=2, agent_turns=4)
    assert offered == [True] * 4


def test_what_fits_the_query_stands_first():
    search = Search(Policy(meta=only("Weather")))
    search.ask("How fast do glaciers move in this weather?")
    first = {kind: messages[1].text for kind, messages in reversed(search.policy.asked)}
    assert names_in(first["meta"])[0].startswith("Weather (7 tools, such as Weather tool 5")
    assert names_in(first["category"])[0] == "Weather tool 5"
    tools = [messages[1].text for kind, messages in search.policy.asked if kind == "tool"]
    assert any(names_in(text)[5].startswith("Weather_tool_5_api_") for text in tools if len(names_in(text)) > 5)


def test_only_names_that_were_listed_can_be_chosen():
    search = Search(Policy(meta=only("Music")))
    offered = []

    def play(messages, schema):
        offered.append(choices(schema, "create_agent_tool_level", "tools"))
        page = [("get_tools_in_category", {"category_name": "Music", "page": 2})]
        return FINISH if turns_so_far(messages) else page

    search.policy.plays["category"] = play
    search.ask(page=5)
    assert [len(names) for names in offered] == [5, 7]


@pytest.mark.parametrize("switch", [True, False])
def test_the_catalogue_s_search_is_a_switch(switch):
    seen = []

    def play(messages, schema):
        seen.append({function["name"] for function in schema["functions"]})
        return [("search_apis", {"text": "Weather tool 5"})] if switch and not turns_so_far(messages) else FINISH

    search = Search(Policy(meta=play))
    search.ask(search_function=switch)
    assert all(("search_apis" in names) == switch for names in seen)
    assert any("Weather/Weather tool 5: " in text for text in results(search, "meta")) == switch


def test_given_candidates_are_the_pool():
    search = Search()
    given = [api.id for api in search.catalog.apis()[:2]]
    result = search.build().invoke({"query": "alpha", "candidates": [*given, given[0]]})
    assert (result["pool"], result["agents"]) == (given, {})
    assert not search.policy.asked


def test_a_catalogue_without_anything_is_searched_too():
    result = Search(Policy(meta=lambda *_: FINISH), catalog=Catalog.create()).ask()
    assert (result["pool"], result["status"]) == ([], "failed")


def test_two_queries_on_one_thread_do_not_mix():
    search, saver = Search(), InMemorySaver()
    first = search.ask(checkpointer=saver)
    assert search.ask(checkpointer=saver) == first


def test_one_agent_can_do_it_all_without_hierarchy():
    def play(messages, schema):
        turn = turns_so_far(messages)
        steps = [
            [("get_tools_in_category", {"category_name": "Music"})],
            [("get_APIs_in_tool", {"tool_name": "Music/Music tool 3"})],
            [("add_API_into_API_pool", {"APIs": ["Music_tool_3_api_b"]})],
        ]
        if turn == 2:
            assert choices(schema, "add_API_into_API_pool", "APIs")[0].startswith("Music_tool_3_")
        return steps[turn] if turn < len(steps) else FINISH

    result = Search(Policy(flat=play)).ask(retriever="flat")
    assert result["pool"] == ["music/music_tool_3/api_b"]
    assert result["usage"].keys() == {"flat_agent"}
    assert list(result["agents"]) == ["flat"]


@pytest.mark.parametrize(("detail", "groups"), [("names", 1), ("descriptions", 1), ("details", 2)])
def test_a_plain_agent_reads_the_catalogue_in_groups(detail, groups):
    search = Search(Policy(tool=perfect_tool), catalog=a_catalog({"Music": 20}))
    result = search.ask(retriever="plain", plain_detail=detail)
    assert len(result["pool"]) == 60
    assert result["usage"]["plain_agent"]["calls"] == groups
    assert result["agents"]["plain"]["status"] == "finished"


@pytest.mark.skipif(not meaning.available(), reason="the extra dense is not installed")
def test_by_embeddings_a_model_picks_of_the_nearest_segments():
    policy = Policy()
    policy.decides["Picked"] = {"apis": ["Maps_tool_1_api_b", "Maps_tool_1_api_b"]}
    result = Search(policy).ask("Where is it on the map?", retriever="embedding")
    assert result["pool"] == ["maps/maps_tool_1/api_b"]
    assert result["usage"].keys() == {"extract"}


def test_a_tool_agent_finds_what_its_own_tools_have_however_much_else_fits():
    told = []

    def play(messages, schema):
        names = choices(schema, "add_API_into_API_pool", "APIs")
        if any(name.startswith("Maps_tool_39") for name in names) and not turns_so_far(messages):
            return [("search_apis", {"text": "rain"})]
        told.extend(message.text for message in messages[3:])
        return FINISH

    policy = Policy(tool=play, category=lambda *_: [("create_agent_tool_level", {"tools": ["Maps tool 39"]})])
    catalog = a_catalog({"Maps": 40})
    catalog.add(an_api("Maps", "Maps tool 39", "api z", "hail, of snow, of storms, of mist, and of a little rain"))
    Search(policy, catalog=catalog).ask("Where is it?", search_function=True, page=3)
    assert [text for text in told if "Maps_tool_39_api_z" in text]


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


class Late(Waiting):
    """Answers late where another agent's check is to be under way."""

    async def _agenerate(self, messages, *_, **options):
        result = await super()._agenerate(messages, **options)
        if "Music" in messages[1].text:
            await asyncio.sleep(0.2)
        return result


def test_a_check_of_the_pool_that_is_cancelled_is_charged():
    def play(messages, schema):
        names = choices(schema, "add_API_into_API_pool", "APIs")
        if names[0].startswith("Weather"):
            return [("add_API_into_API_pool", {"APIs": names[:1]}), ("check_if_request_solvable", {})]
        return [("add_API_into_API_pool", {"APIs": names[:3]})]

    def policy(messages, schema):
        return "never" if schema.get("title") == "Solvability" else searching(messages, schema)

    searching = Policy(tool=play)
    model = Late(script=policy, profile=scripted(policy).profile)
    graph = Search(searching, catalog=a_catalog({"Weather": 7, "Music": 7})).build(model=model)
    result = graph.invoke({"query": "alpha"}, context=Context(pool_size=3))
    assert result["usage"]["solvable"]["calls"] >= 1
    assert result["usage"]["solvable"]["estimated"] > 0
