"""The retriever: who is made for what, and what comes into the pool."""

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from tests.graphs.searching import (
    FINISH,
    Policy,
    Search,
    a_catalog,
    add_first,
    agent_of,
    first_then,
    in_writing,
    kinds,
    names_in,
    only,
    results,
    turns_so_far,
)
from toolquiver.catalog import Catalog
from toolquiver.context import Context
from toolquiver.graphs import anytool, retriever
from toolquiver.models import scripted, total_usage


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
    maps = {api.id for api in search.catalog.apis(category="Maps")}
    by_search, pool = [hit.api.id for hit in search.catalog.search(RAIN, 8)], result["pool"]
    assert len(maps & set(by_search)) < len(maps & set(pool))
    assert all(pool.index(api) <= by_search.index(api) for api in maps & set(by_search))
    assert len(set(pool)) == result["numbers"]["candidates"] == 8
    assert (result["status"], result["agents"]["tool Maps 1"]["added"]) == ("partial", [])
    assert search.ask(RAIN)["status"] == "failed"


@pytest.mark.parametrize("size", [2, 8])
def test_what_agents_have_found_stays_and_is_in_front_where_search_finds_it_too(size):
    search = Search(Policy(meta=only("Maps"), tool=add_first(3)))
    result = search.ask(RAIN, least_pool=8, pool_size=size)
    assert len(result["pool"]) == size
    assert result["pool"][:3] == result["agents"]["tool Maps 1"]["added"]


def test_a_small_category_gets_a_tool_agent_at_once():
    result = Search().ask()
    assert kinds(result).count(("category", "Maps")) == 0
    (maps,) = (agent for agent in result["agents"].values() if agent["category"] == "Maps")
    assert (maps["kind"], maps["parent"], len(maps["tools"])) == ("tool", "meta", 2)


@pytest.mark.parametrize(("tools", "made"), [(5, [("tool", 5)]), (6, [("category", 0), ("tool", 5), ("tool", 1)])])
def test_five_tools_are_few_and_as_many_as_an_agent_takes(tools, made):
    _, *others = Search(catalog=a_catalog({"Maps": tools})).ask()["agents"].values()
    assert [(agent["kind"], len(agent["tools"])) for agent in others] == made


def test_a_tool_agent_takes_so_many_tools_and_the_model_is_told_which_are_left():
    calls = [("create_agent_tool_level", {"tools": [f"Music tool {n}" for n in range(7)]})]
    search = Search(Policy(meta=only("Music"), category=first_then(calls)))
    result = search.ask(tools_per_agent=3)
    assert [len(agent["tools"]) for agent in result["agents"].values() if agent["kind"] == "tool"] == [3]
    assert "not given: Music tool 3, Music tool 4, Music tool 5, Music tool 6." in results(search, "category")[0]


def test_tools_that_have_an_agent_are_given_to_no_other_and_that_is_told():
    def play(messages, _):
        steps = [[(0, 3)], [(1, 4), (0, 2)], []]
        made = steps[min(turns_so_far(messages), 2)]
        names = [[f"Music tool {n}" for n in range(*numbers)] for numbers in made]
        return [("create_agent_tool_level", {"tools": tools}) for tools in names] or FINISH

    search = Search(Policy(meta=only("Music"), category=play))
    result = search.ask()
    tools = [agent["tools"] for agent in result["agents"].values() if agent["kind"] == "tool"]
    assert tools == [[f"Music tool {n}" for n in range(3)], ["Music tool 3"]]
    assert results(search, "category")[-2:] == [
        "Music tool 3: given to an agent. Already given to an agent: Music tool 1, Music tool 2.",
        "Already given to an agent: Music tool 0, Music tool 1.",
    ]


def test_what_does_not_exist_is_told_and_nothing_is_made_of_it():
    calls = [("create_agent_tool_level", {"tools": ["Music tool 1", "Jazz"]}), ("no_such_function", {})]
    search = Search(Policy(meta=only("Nowhere", "Music"), category=first_then(calls)))
    result = search.ask()
    assert "There is no category 'Nowhere'." in results(search, "meta")
    told = results(search, "category")
    assert any("There is no tool 'Jazz' here." in text for text in told)
    assert "There is no function 'no_such_function'." in told
    assert len(result["agents"]) == 3


def test_what_an_agent_is_sent_has_no_empty_message():
    search = Search(Policy(meta=only("Music"), category=lambda messages, _: FINISH if turns_so_far(messages) else ""))
    search.ask()
    *_, last = [messages for kind, messages in search.policy.asked if kind == "category"]
    assert [message.text for message in last[2:3]] == ["(nothing)"]
    assert all(message.text.strip() for message in last)


@pytest.mark.parametrize(
    "names", ["Maps_tool_0_api_a", '["Maps_tool_0_api_a", "Maps_tool_1_api_b"]', "[Maps", "[" * 9_999]
)
def test_names_may_be_the_text_of_a_list(names):
    search = Search(Policy(meta=only("Maps"), tool=first_then([("add_API_into_API_pool", {"APIs": names})])))
    pool = [api.rsplit("/", 1)[-1] for api in search.ask()["pool"]]
    assert pool == [f"api_{letter}" for letter in "ab" if f"api_{letter}" in names]


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


def test_given_candidates_are_the_pool_all_of_them_and_that_is_told():
    search = Search()
    given = [api.id for api in search.catalog.apis()[:10]]
    asked = {"query": "alpha", "candidates": [*given, given[0]]}
    result = search.build().invoke(asked, context=Context(pool_size=4))
    assert (result["pool"], result["agents"], result["solvable"]) == (given, {}, False)
    assert (result["status"], result["reason"]) == ("solved", "The candidates were given.")
    assert not search.policy.asked


@pytest.mark.parametrize("graph", [retriever, anytool], ids=["retriever", "anytool"])
def test_a_catalogue_without_anything_is_not_searched(graph):
    search = Search(Policy(), catalog=Catalog.create(), graph=graph)
    result = search.ask()
    assert (result["pool"], result["status"], result["answer"]) == ([], "failed", "")
    assert result["reason"] == "The catalogue has no API. Import some: toolquiver catalog import."
    assert not search.policy.asked


def test_two_queries_on_one_thread_do_not_mix():
    search, saver = Search(), InMemorySaver()
    first = search.ask(checkpointer=saver)
    assert search.ask(checkpointer=saver) == first
