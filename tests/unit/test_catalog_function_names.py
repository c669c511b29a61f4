"""Ids and function names: valid, unique, and leading back."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.catalog import API, Catalog, api_id
from toolquiver.catalog.function_names import AGENTS_OWN, function_name
from toolquiver.catalog.records import slug
from toolquiver.nodes.solver.offer import ANSWER, GIVE_UP, RESTART
from toolquiver.nodes.solver.state import DOCS, SEARCH, SHOW
from toolquiver.registration import Registration

VALID = re.compile(r"^[a-zA-Z0-9_-]{1,64}\Z")

names = (
    st.text(min_size=1)
    | st.text("abc_ -", min_size=1, max_size=70)
    | st.sampled_from(["get", "Get", "get!", "日本", "_"])
)


def id_of(parts):
    return api_id(*parts)


@given(names)
def test_every_function_name_is_valid(text):
    assert VALID.match(function_name(text))


@given(st.lists(st.tuples(names, names, names), max_size=12, unique_by=id_of))
def test_function_names_are_valid_unique_and_lead_back_to_the_id(parts):
    with Catalog.create() as catalog:
        catalog.add(
            *(
                API(id=api_id(category, tool, name), name=name, tool=tool, category=category)
                for category, tool, name in parts
            )
        )
        found = catalog.apis()
        assert [api.id for api in found] == [id_of(part) for part in parts]
        assert all(VALID.match(api.function) for api in found)
        assert len({api.function for api in found}) == len(found)
        assert all(catalog.by_function(api.function) == api for api in found)


def test_a_taken_name_gets_its_tool_and_then_a_hash():
    with Catalog.create() as catalog:
        catalog.add(
            *(API(id=f"{category}/maps/get", name="get", tool="maps", category=category) for category in "abcd")
        )
        functions = [api.function for api in catalog.apis()]
    assert functions[:2] == ["get", "maps_get"]
    assert all(re.fullmatch(r"get_[0-9a-f]{8}", function) for function in functions[2:])


@given(st.text())
def test_a_slug_has_only_word_characters_and_no_double_underscore(text):
    made = slug(text)
    assert re.fullmatch(r"\w+", made)
    assert "__" not in made


@given(st.text(), st.text(), st.text())
def test_an_id_has_three_parts_and_is_always_the_same(category, tool, name):
    made = api_id(category, tool, name)
    assert made.count("/") == 2
    assert made == api_id(category, tool, name)
    assert made == api_id(*made.split("/"))


@pytest.mark.parametrize(
    ("text", "made"), [("Get User", "get_user"), ("a -_ b", "a_b"), ("  C++ ", "c"), ("", "_"), ("Café/24", "café_24")]
)
def test_slugs_read_like_names(text, made):
    assert slug(text) == made


def test_names_given_together_are_those_given_one_by_one():
    apis = [
        API(id=f"{category}/{tool}/{name}", name=name, tool=tool, category=category)
        for category in "abc"
        for tool in ("maps", "get")
        for name in ("get", "find", "maps_get")
    ]
    with Catalog.create() as together, Catalog.create() as one_by_one:
        together.add(*apis)
        for api in apis:
            one_by_one.add(api)
        assert [api.function for api in together.apis()] == [api.function for api in one_by_one.apis()]


def test_no_api_has_the_name_of_an_agents_own_function():
    with Catalog.create() as catalog:
        catalog.add(*(API(id=api_id("c", "t", name), name=name, tool="t", category="c") for name in sorted(AGENTS_OWN)))
        assert {api.function for api in catalog.apis()}.isdisjoint(AGENTS_OWN)
        assert catalog.by_function("t_call").name == "call"


def test_the_agents_own_functions_are_all_known():
    registering = [Registration(mode="on_demand", several=several, delivery="result") for several in (True, False)]
    own = [function["name"] for one in registering for function in one.functions([], [])]
    assert {*own, ANSWER, RESTART, GIVE_UP, SEARCH, DOCS, SHOW} == AGENTS_OWN
