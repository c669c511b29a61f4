"""AnyTool's retriever: who may call what, who makes whom, what fills the pool, who stops when (AnyTool, 4.1)."""

import json

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from tests.support.anytool_search import (
    ADD,
    CHECK,
    FINISH,
    Policy,
    Search,
    a_catalog,
    add_first,
    first_then,
    in_writing,
    kinds,
    listed,
    only,
    perfect_tool,
    results,
    turns_so_far,
)
from tests.support.savers import SAVERS, saving
from toolquiver.contexts import AnyToolContext, RetrieverContext
from toolquiver.errors import InputError
from toolquiver.graphs import retriever
from toolquiver.models import scripted
from toolquiver.nodes.retriever.functions import functions_of
from toolquiver.prompts import load_prompt

pytestmark = pytest.mark.usefixtures("strict")


def checks(messages, schema):
    """A tool agent that adds all it was shown, asks about the pool, and goes on looking."""
    turns = turns_so_far(messages)
    return [(ADD, {"APIs": listed(messages)}), (CHECK, {})] if not turns else "Hm."


def agents_of(result, kind):
    return [agent for agent in result["agents"].values() if agent["kind"] == kind]


@pytest.mark.parametrize("kind", SAVERS)
def test_agents_of_three_levels_find_all_there_is(kind, tmp_path):
    with saving(kind, tmp_path / "state.db") as saver:
        search = Search()
        result = search.ask(checkpointer=saver)
    assert len(result["pool"]) == 48
    made = [("category", "Music"), ("category", "Weather"), ("meta", ""), ("tool", "Maps"), *[("tool", "Music")] * 2]
    assert kinds(result) == [*made, *[("tool", "Weather")] * 2]
    assert {agent["status"] for agent in result["agents"].values()} == {"finished"}
    assert (result["status"], result["reason"]) == ("solved", "All agents have finished.")
    assert result["numbers"]["candidates"] == 48


def test_agents_that_write_their_calls_find_all_there_is_too():
    search = Search()
    graph = search.build(model=scripted(in_writing(search.policy), tool_calling=False))
    result = graph.invoke({"query": "alpha"}, context=RetrieverContext())
    assert len(result["pool"]) == 48


TABLE_8 = {
    "meta": "create_agent_category_level get_tools_in_category get_tool_descriptions finish_search",
    "category": "create_agent_tool_level get_tools_in_category get_tool_descriptions finish_search",
    "tool": f"{ADD} get_APIs_in_tool get_API_detail {CHECK} finish_search",
    "flat": f"get_tools_in_category get_tool_descriptions get_APIs_in_tool get_API_detail {ADD} {CHECK} finish_search",
}


@pytest.mark.parametrize("kind", TABLE_8)
def test_an_agent_has_the_functions_of_table_8(kind):
    offered = [one["name"] for one in functions_of(kind, most_tools=5, checks=True)]
    assert offered == TABLE_8[kind].split()


def test_names_are_said_once_a_prompt_and_never_in_a_function():
    search = Search()
    seen = []

    def watching(messages, schema):
        if schema.get("title") == "Turn" and not turns_so_far(messages):
            text = "\n".join(message.text for message in messages)
            seen.append((text, json.dumps(schema["functions"])))
        return search.policy(messages, schema)

    search.build(model=scripted(watching)).invoke({"query": "alpha"})
    names = [tool.name for tool in search.catalog.list_tools()] + [api.function for api in search.catalog.apis()]
    assert len(seen) == 8
    for text, functions in seen:
        assert not any(name in functions for name in names)
        assert all(text.count(f"\n- {api.function}:") <= 1 for api in search.catalog.apis())


@pytest.mark.parametrize("kind", ["meta", "category", "tool", "flat"])
def test_a_prompt_names_no_function_that_its_agent_lacks(kind):
    every = set(" ".join(TABLE_8.values()).split())
    for name in (f"anytool/{kind}", f"anytool/wake_{kind}"):
        prompt = load_prompt(name)
        named = {function for function in every if function in "".join(text for _, text in prompt.parts)}
        assert named <= set(TABLE_8[kind].split())


def test_finishing_is_said_to_be_for_good():
    for kind in ("meta", "category", "tool", "flat"):
        assert "not asked again" in load_prompt(f"anytool/{kind}").messages()[0].text


@pytest.mark.parametrize(("tools", "made"), [(5, "tool"), (6, "category")])
def test_a_category_that_one_tool_agent_can_take_gets_that_agent_at_once(tools, made):
    result = Search(catalog=a_catalog({"Maps": tools})).ask()
    assert made in [kind for kind, _ in kinds(result)]
    assert ("category" in [kind for kind, _ in kinds(result)]) is (made == "category")


@pytest.mark.parametrize("most", [3, 5, 10])
def test_a_tool_agent_manages_k_tools_at_most(most):
    result = Search().ask(tools_per_agent=most)
    assert max(len(agent["tools"]) for agent in agents_of(result, "tool")) == min(most, 7)


def test_what_is_too_many_for_one_agent_is_told():
    every = first_then([("create_agent_tool_level", {"tools": [f"Music tool {n}" for n in range(7)]})])
    search = Search(Policy(meta=only("Music"), category=every))
    result = search.ask()
    assert agents_of(result, "tool")[0]["tools"] == [f"Music tool {n}" for n in range(5)]
    assert "at most 5 tools; not given: Music tool 5, Music tool 6." in results(search, "category")[0]


def test_no_category_and_no_tool_has_two_agents():
    twice = first_then([("create_agent_tool_level", {"tools": ["Music tool 1"]})] * 2)
    search = Search(Policy(meta=only("Music", "Music"), category=twice))
    assert kinds(search.ask()) == [("category", "Music"), ("meta", ""), ("tool", "Music")]
    assert "have an agent already: Music tool 1" in " ".join(results(search, "category"))


@pytest.mark.parametrize(
    ("kind", "call", "told"),
    [
        ("meta", ("create_agent_category_level", {"category_name": "None"}), "There is no category 'None'"),
        ("meta", ("get_tools_in_category", {"category_name": "None"}), "There is no category 'None'"),
        ("meta", ("get_tool_descriptions", {"tools": ["None/tool"]}), "There is no tool 'None/tool'"),
        ("meta", ("get_APIs_in_tool", {"tool_name": "Maps tool 1"}), "There is no function 'get_APIs_in_tool'"),
        ("tool", (ADD, {"APIs": ["nothing"]}), "There is no API 'nothing'"),
        ("tool", (ADD, {"APIs": ["Music_tool_1_api_a"]}), "There is no API 'Music_tool_1_api_a' here"),
        ("tool", (ADD, {"APIs": []}), "Name the APIs as they were listed."),
    ],
)
def test_a_name_that_is_not_there_is_told_and_a_finish_beside_it_is_ignored(kind, call, told):
    beside = first_then([call, *FINISH])
    search = Search(Policy(**{"meta": only("Maps"), kind: beside}))
    result = search.ask()
    said = results(search, kind)
    assert told in said[0]
    assert "another call of this turn was not valid" in said[1]
    (agent,) = agents_of(result, kind)
    assert (agent["turns"], agent["status"]) == (2, "finished"), "it finishes with its next turn"


def test_lists_come_in_pages_sorted_by_what_the_query_asks_for():
    shown = []

    def looks(messages, schema):
        shown[:] = listed(messages)
        turned = [("get_tools_in_category", {"category_name": "Music", "page": "2.0"})]
        return turned if not turns_so_far(messages) else FINISH

    search = Search(Policy(meta=only("Music"), category=looks))
    search.ask("Tell of parliament.", page=4)
    assert shown[0] == "Music tool 6"
    assert len(shown) == 4
    (page,) = results(search, "category")
    assert page.count("\n- ") + 1 == 3


def test_what_descriptions_and_details_say():
    looks = [("get_tool_descriptions", {"tools": '["Maps/Maps tool 1"]'})]
    details = [("get_API_detail", {"APIs": ["Maps_tool_1_api_a"]})]
    meta = lambda messages, _: [looks, only("Maps")([], {}), FINISH][turns_so_far(messages)]  # noqa: E731
    search = Search(Policy(meta=meta, tool=first_then(details)))
    search.ask()
    assert results(search, "meta")[0] == "Maps/Maps tool 1 (3 APIs): not described"
    assert "Maps_tool_1_api_a(note?): Tell of rivers for Maps." in search.policy.told("tool")
    assert "note (string, optional)" in search.policy.told("tool")


@pytest.mark.parametrize("size", [1, 4, 64])
def test_the_pool_takes_what_fits_and_no_more(size):
    search = Search(Policy(meta=only("Maps"), tool=perfect_tool))
    result = search.ask(pool_size=size)
    assert len(result["pool"]) == min(size, 6)
    assert result["pool"] == [api.id for api in search.catalog.apis(category="Maps")][: min(size, 6)]


def test_a_full_pool_parks_everybody():
    search = Search(Policy(tool=lambda messages, _: [(ADD, {"APIs": listed(messages)})]))
    result = search.ask(pool_size=2)
    assert len(result["pool"]) == 2
    parked = [agent for agent in result["agents"].values() if agent["status"] == "parked"]
    assert parked
    assert {agent["why"] for agent in parked} == {"the pool is full"}
    assert result["status"] == "partial"


def test_who_finishes_while_what_it_added_does_not_fit_is_parked_and_told():
    search = Search(
        Policy(
            meta=only("Maps"), tool=first_then([(ADD, {"APIs": ["Maps_tool_0_api_a", "Maps_tool_0_api_b"]}), *FINISH])
        )
    )
    result = search.ask(pool_size=1)
    (agent,) = agents_of(result, "tool")
    assert (agent["status"], agent["why"]) == ("parked", "the pool is full")


def test_no_api_is_in_the_pool_twice():
    twice = [(ADD, {"APIs": ["Maps_tool_0_api_a", "Maps_tool_0_api_a"]}), (ADD, {"APIs": ["Maps_tool_0_api_a"]})]
    result = Search(Policy(meta=only("Maps"), tool=first_then(twice))).ask()
    assert result["pool"] == ["maps/maps_tool_0/api_a"]


def test_the_check_sees_the_pool_of_all_agents_and_is_asked_once_for_all():
    asked = []

    def check(messages):
        asked.append(messages[-1].text)
        return {"reason": "It suffices.", "verdict": "solvable"}

    search = Search(Policy(meta=only("Weather", "Music"), tool=checks))
    search.policy.decides["Solvability"] = check
    result = search.ask()
    assert len(asked) == 1
    assert all(f"- {api.function}(" in asked[0] for api in search.catalog.apis() if api.category != "Maps")
    assert result["solvable"] is True
    assert (result["status"], len(result["pool"])) == ("solved", 42)
    tools = agents_of(result, "tool")
    assert {(agent["status"], agent["why"]) for agent in tools} == {("parked", "the pool suffices")}


def test_a_no_goes_to_all_that_have_asked_and_they_go_on():
    search = Search(Policy(tool=lambda m, s: checks(m, s) if not turns_so_far(m) else FINISH))
    search.policy.decides["Solvability"] = {"reason": "No tool tells of snow.", "verdict": "unsolvable"}
    result = search.ask()
    told = [text for text in results(search, "tool") if "No tool tells of snow." in text]
    assert len(told) == len(agents_of(result, "tool")) == 5
    assert result["solvable"] is False
    assert result["status"] == "solved", "all have finished"


def test_the_same_pool_is_not_asked_about_twice_and_an_empty_one_never():
    plays = [[(CHECK, {})], [(ADD, {"APIs": ["Maps_tool_0_api_a"]}), (CHECK, {})], [(CHECK, {})], FINISH]
    search = Search(Policy(meta=only("Maps"), tool=lambda messages, _: plays[turns_so_far(messages)]))
    result = search.ask()
    assert result["usage"]["solvable"]["calls"] == 1
    assert results(search, "tool")[-1].startswith("No: Enough.")
    assert "the pool is empty" in " ".join(results(search, "tool"))


def test_the_check_is_a_switch():
    search = Search(Policy(meta=only("Maps"), tool=checks))
    result = search.ask(check_function=False)
    assert "solvable" not in result["usage"]
    assert "There is no function 'check_if_request_solvable'" in " ".join(results(search, "tool"))


def test_an_agent_that_changes_nothing_is_parked():
    result = Search(Policy(meta=only("Maps"), tool=lambda *_: "Hm.")).ask()
    (agent,) = agents_of(result, "tool")
    assert (agent["status"], agent["why"], agent["turns"]) == ("parked", "it makes no progress", 2)


def test_the_same_calls_again_change_nothing():
    same = [("get_APIs_in_tool", {"tool_name": "Maps tool 0"})]
    search = Search(Policy(meta=only("Maps"), tool=lambda *_: same))
    (agent,) = agents_of(search.ask(), "tool")
    assert (agent["why"], agent["turns"]) == ("it makes no progress", 3)


def test_the_limit_of_turns_is_hard():
    pages = lambda messages, _: [  # noqa: E731
        ("get_APIs_in_tool", {"tool_name": "Maps tool 0", "page": turns_so_far(messages) + 1})
    ]
    (agent,) = agents_of(Search(Policy(meta=only("Maps"), tool=pages)).ask(agent_turns=4), "tool")
    assert (agent["why"], agent["turns"]) == ("its turns are used up", 4)


@pytest.mark.parametrize("budget", [3_000, 6_000, 20_000])
def test_the_budget_is_hard(budget):
    search = Search(Policy(tool=lambda *_: "Hm."))
    result = search.ask(token_budget=budget)
    assert result["numbers"]["tokens"] <= budget


def test_a_budget_too_small_to_start_is_refused():
    with pytest.raises(InputError, match="Raise token_budget"):
        Search().ask(token_budget=10)


def test_an_agent_whose_share_was_too_small_goes_alone_with_what_is_left():
    search = Search(Policy(meta=only("Music"), tool=perfect_tool))
    whole = search.ask()
    result = Search(Policy(meta=only("Music"), tool=perfect_tool)).ask(token_budget=whole["numbers"]["tokens"] + 800)
    assert len(result["pool"]) == len(whole["pool"]) == 21


def test_given_candidates_are_the_pool_and_nothing_is_searched():
    search = Search()
    given = [api.id for api in search.catalog.apis(category="Maps")]
    result = search.build().invoke({"query": "alpha", "candidates": given}, context=RetrieverContext(pool_size=2))
    assert (result["pool"], result["agents"], search.policy.asked) == (given, {}, [])
    assert (result["status"], result["reason"]) == ("solved", "The candidates were given.")


def test_a_catalogue_without_anything_is_not_searched():
    search = Search(catalog=a_catalog({}))
    assert search.ask()["reason"].startswith("The catalogue has no API")
    assert search.policy.asked == []


def test_two_queries_on_one_thread_do_not_mix():
    search, saver = Search(), InMemorySaver()
    assert len(search.ask("alpha", checkpointer=saver)["pool"]) == 48
    search.policy.plays["tool"] = add_first(1)
    result = search.ask("bravo", checkpointer=saver)
    assert len(result["pool"]) == 5
    assert result["usage"]["tool_agent"]["calls"] == 10


@pytest.mark.parametrize("most", [6, 20])
def test_a_part_of_the_catalogue_can_be_searched(most):
    result = Search().ask(searched_apis=most)
    assert len(result["pool"]) == most
    assert result["pool"] == Search().ask(searched_apis=most)["pool"]


def test_the_defaults_are_the_papers():
    context = AnyToolContext()
    assert (context.pool_size, context.tools_per_agent, context.token_budget) == (64, 5, 200_000)
    assert (context.solver, context.solver_calls, context.reactivated, context.unsure) == (
        "dfsdt",
        10,
        "all",
        "unsolved",
    )
    assert retriever.build().context_schema is RetrieverContext
