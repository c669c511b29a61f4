"""Pages of the retriever: best first, what is left is told, and only names that were listed count."""

import re

import pytest

from tests.graphs.searching import (
    FINISH,
    Policy,
    Search,
    a_catalog,
    an_api,
    choices,
    first_then,
    names_in,
    only,
    results,
    turns_so_far,
)
from toolquiver.models.tokens import count_tokens


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


@pytest.mark.parametrize("page", [6, 8, 20, 40])
@pytest.mark.parametrize("query", ["alpha", "Tell of rain.", "Tell of rivers and of lions."])
def test_a_tool_agent_that_follows_what_its_prompt_says_reaches_every_api(query, page):
    offered = []

    def play(messages, schema):
        offered.append(choices(schema, "add_API_into_API_pool", "APIs"))
        said = " ".join(message.text for message in messages[3 if turns_so_far(messages) else 1 :])
        looks = re.findall(r"\d+ of Maps tool (\d), from its page (\d+) on", said)
        looks += re.findall(r"Maps_tool_(\d)_api_\w[^_]+\d+ more, on page (\d+)\.", said)
        calls = [("get_APIs_in_tool", {"tool_name": f"Maps tool {n}", "page": int(number)}) for n, number in looks]
        return calls if calls and turns_so_far(messages) < 2 else FINISH

    search = Search(Policy(meta=only("Maps"), tool=play), catalog=a_catalog({"Maps": 3}, apis=12))
    search.ask(query, page=page)
    assert (len(offered[0]), len(set(offered[-1]))) == (min(page, 36), 36)
    assert not [text for text in results(search, "tool") if "There is no page" in text]


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
    told = [sum("not offered now" in m.text for m in said) for kind, said in search.policy.asked if kind == "category"]
    assert told == [not one for one in offered]
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


def test_what_is_out_of_sight_cannot_be_chosen_until_it_is_listed_again():
    offered = []

    def play(messages, schema):
        offered.append(choices(schema, "create_agent_tool_level", "tools"))
        looks = [("get_tools_in_category", {"category_name": "Music", "page": turns_so_far(messages) + 2})]
        return [*looks, ("get_tool_descriptions", {"tools": offered[-1][-1:]})]

    Search(Policy(meta=only("Music"), category=play)).ask(page=2, agent_context=20, agent_turns=3)
    names = [[name.removeprefix("Music tool ") for name in one] for one in offered]
    assert names == [["0", "1"], ["0", "1", "2", "3"], ["0", "1", "4", "5", "3"]]


@pytest.mark.parametrize("kind", ["meta", "flat"])
def test_of_very_many_categories_the_likeliest_are_named_and_search_finds_the_others(kind):
    offered = []

    def play(messages, schema):
        offered.append(choices(schema, "get_tools_in_category", "category_name"))
        if turns_so_far(messages) or len(offered[0]) < 64:
            return FINISH
        return [("search_apis", {"text": "volcanoes"})]

    catalog = a_catalog({f"Category {number}": 1 for number in range(600)}, apis=1)
    catalog.add(an_api("Zoo", "Zoo tool", "api a", "volcanoes"))
    search = Search(Policy(**{kind: play}), catalog=catalog)
    result = search.ask(retriever="flat" if kind == "flat" else "hierarchy", token_budget=8_000)
    assert (len(offered[0]), set(offered[1]) - set(offered[0])) == (64, {"Zoo"})
    assert search.policy.asked[0][1][1].text.count("Category ") == 64
    assert "\n44 more: Category " in search.policy.asked[0][1][1].text
    assert ". 537 others; search_apis finds them.\n" in search.policy.asked[0][1][1].text
    assert result["numbers"]["tokens"] < 6_000


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


def test_what_search_finds_comes_in_pages_too():
    def play(messages, schema):
        turn = turns_so_far(messages)
        looks = ("search_apis", {"text": "rain", **({"page": turn + 1} if turn else {})})
        other = ("get_tools_in_category", {"category_name": ("Maps", "Music")[turn % 2]})
        return [looks, other] if turn < 4 else FINISH

    search = Search(Policy(meta=play))
    found = len(search.catalog.search("rain", 200))
    size = -(-found // 3)
    search.ask(search_function=True, page=size)
    pages = [text.splitlines() for text in results(search, "meta")[-8::2]]
    left = [f"{found - size} more, on page 2.", f"{found - 2 * size} more, on page 3."]
    assert [page[-1] for page in pages[:2]] == left
    assert pages[3] == ["There is no page 4; the list has 3."]
    assert len({line for page in pages[:3] for line in page} - set(left)) == found


@pytest.mark.parametrize(("apis", "told"), [(3, False), (12, True)])
def test_that_search_lists_no_more_is_told_on_its_last_page(apis, told):
    def play(messages, schema):
        return FINISH if turns_so_far(messages) else [("search_apis", {"text": "rain Maps", "page": 2})]

    search = Search(Policy(meta=play), catalog=a_catalog({"Maps": 20}, apis=apis))
    search.ask(search_function=True, page=100 if told else 30)
    *_, last = results(search, "meta")[0].splitlines()
    assert (last == "Search lists only the likeliest; other words find others.") == told


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


@pytest.mark.parametrize("context", [1, 4_000])
def test_details_are_shown_as_far_as_an_agent_sees_and_the_rest_is_named(context):
    told = []

    def play(messages, schema):
        told.extend(message.text for message in messages if message.type == "tool")
        names = choices(schema, "get_API_detail", "APIs")
        return FINISH if turns_so_far(messages) else [("get_API_detail", {"APIs": part}) for part in (names, names[1:])]

    catalog, long = a_catalog({"Maps": 1}, apis=0), {"type": "string", "description": "It means something. " * 20}
    parameters = {"type": "object", "properties": {f"parameter_{number}": long for number in range(30)}}
    wide = [an_api("Maps", "Maps tool 0", f"api {letter}", "rain") for letter in "abcdefghijkl"]
    catalog.add(*(api.model_copy(update={"parameters": parameters}) for api in wide))
    Search(Policy(tool=play), catalog=catalog).ask(agent_context=context)
    names = [api.function for api in catalog.apis()]
    shown = [[name for name in names if f"{name}(" in text] for text in told]
    assert max(map(count_tokens, told)) < 4_200
    assert shown[1] == names[1:2]
    assert (len(shown[0]) > 1) == (context == 4_000)
    assert told[0].endswith(f"Ask again for {', '.join(names[len(shown[0]) :])}.")


def test_descriptions_of_tools_are_shown_as_far_as_an_agent_sees():
    def play(messages, schema):
        tools = choices(schema, "get_tool_descriptions", "tools")
        return FINISH if turns_so_far(messages) else [("get_tool_descriptions", {"tools": tools[:3]})]

    search = Search(Policy(meta=only("Music"), category=play))
    search.ask(agent_context=9)
    assert results(search, "category")[0].splitlines()[1:] == ["Ask again for Music tool 1, Music tool 2."]


def page_told(page):
    """What a category agent is told that asks for this page."""
    look = [("get_tools_in_category", {"category_name": "Music", "page": page})]
    search = Search(Policy(meta=only("Music"), category=first_then(look)))
    search.ask(page=3)
    return results(search, "category")[0].splitlines()


@pytest.mark.parametrize("page", [2, "2", 2.0, " 2 "])
def test_a_page_is_turned_however_its_number_is_written(page):
    assert page_told(page) == ["Music tool 3", "Music tool 4", "Music tool 5", "1 more, on page 3."]


@pytest.mark.parametrize("page", [0, -1, "two", None, True, [2]])
def test_without_a_number_it_is_the_first_page(page):
    assert page_told(page)[-1] == "4 more, on page 2."


def test_who_has_a_category_or_tools_looks_into_no_other():
    gives = [("create_agent_tool_level", {"tools": ["Music tool 1"]})]
    looks = [("get_tools_in_category", {"category_name": "Weather"}), *gives]
    other = first_then([("get_APIs_in_tool", {"tool_name": "Music tool 2"})])
    search = Search(Policy(meta=only("Music"), category=first_then(looks), tool=other))
    search.ask()
    assert results(search, "category")[0] == "There is no category 'Weather' here."
    assert results(search, "tool") == ["There is no tool 'Music tool 2' here."]


def test_of_several_tools_at_once_the_rest_is_named():
    names = ["Maps tool 1", "Maps tool 0", "Atlas"]
    search = Search(Policy(meta=only("Maps"), tool=first_then([("get_APIs_in_tool", {"tool_name": names})])))
    search.ask()
    told = results(search, "tool")[0].splitlines()
    assert [line.split(":")[0] for line in told[:3]] == [f"Maps_tool_1_api_{letter}" for letter in "abc"]
    assert told[3:] == ["One tool at a time: ask again for Maps tool 0.", "There is no tool 'Atlas' here."]
