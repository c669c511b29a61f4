"""Another API is offered for an argument only when its output fits by JSON Schema (Reverse Chain, 2)."""

import pytest

from tests.support.reverse_chain_stage import NOBODY, Chain, booking, from_api, typed_api, value
from toolquiver.nodes.reverse_chain.call import fitting_values
from toolquiver.nodes.reverse_chain.offers import can_give

OBJECTS = {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}}}}


def parameter(schema):
    return typed_api("take", {"it": schema}).parameter_list()[0]


@pytest.mark.parametrize(
    ("output", "wanted", "fits"),
    [
        ({"id": "integer"}, "integer", True),
        ({"id": "integer"}, "string", False),
        ({"id": "integer"}, "number", True),
        ({"share": "number"}, "integer", True),  # 3.0 is an integer of JSON Schema
        ({"name": "string"}, "integer", False),
        ({"name": "string"}, {"enum": ["a", "b"]}, True),
        ({"number": "integer"}, {"enum": ["a", "b"]}, False),
        ({"flag": "boolean"}, "integer", False),
        ("string", "string", True),
        ("integer", "string", False),
        ({"rows": OBJECTS}, "integer", True),
        ({"rows": OBJECTS}, "string", False),
        ({"rows": OBJECTS}, {"type": "array", "items": {"type": "integer"}}, True),
        ({"rows": OBJECTS}, {"type": "array", "items": {"type": "string"}}, False),
        ({"id": {"type": ["integer", "null"]}}, "integer", True),
        ({"id": {"anyOf": [{"type": "string"}, {"type": "null"}]}}, "string", True),
        ({"anything": {}}, "integer", True),
        ({"more": "object"}, "integer", True),  # what is in there is not told
        (None, "integer", True),
        ({"day": {"type": "string", "format": "date"}}, {"type": "string", "format": "date"}, True),
        ({"day": {"type": "string", "format": "date"}}, {"type": "string", "format": "uuid"}, False),
        ({"day": {"type": "string", "format": "date"}}, {"type": "string", "format": "our own"}, True),
        ({"day": {"type": "string", "format": "date"}}, "string", True),
        ({"unit": {"enum": ["km", "miles"]}}, {"enum": ["miles", "feet"]}, True),
        ({"unit": {"enum": ["km", "miles"]}}, {"enum": ["kg", "pounds"]}, False),
    ],
)
def test_an_output_fits_where_some_value_is_of_both_types(output, wanted, fits):
    assert can_give(typed_api("give", {}, output), parameter(wanted)) is fits


def test_a_parameter_by_reference_is_followed():
    api = typed_api("take", {"it": {"$ref": "#/$defs/Id"}})
    api = api.model_copy(update={"parameters": api.parameters | {"$defs": {"Id": {"type": "integer"}}}})
    assert can_give(typed_api("give", {}, {"id": "integer"}), api.parameter_list()[0])
    assert not can_give(typed_api("give", {}, {"id": "string"}), api.parameter_list()[0])


def test_each_argument_is_offered_what_fits_it_and_nothing_else():
    chain = booking()
    chain.ask("Book it.")
    assert dict(chain.offered[:4]) == {
        "person_ID": ["Name2ID"],
        "room_ID": ["RecommendRoom"],
        "start_time": ["RecommendRoom"],
        "end_time": ["RecommendRoom"],
    }


CAPITAL = typed_api("capital", {"country": "string"}, {"capital": "string"}, description="Say what rules.")
EASTER = typed_api("easter", {"year": "integer"}, {"date": "string"}, description="Easter of a year.")
MOON = typed_api("moon", {"date": "string"}, {"phase": "string"}, description="The phase of the moon.")


def test_the_likeliest_api_is_offered_first_and_none_that_fits_by_type_is_kept_back():
    chain = Chain(CAPITAL, EASTER, MOON, policy=lambda *_: value("2026-04-05"), respond=lambda *_: "ok")
    chain.ask("The moon at Easter?")
    assert chain.offered == [("date", ["easter", "capital"])]


def test_where_search_found_the_candidates_few_are_offered_that_fit_by_type_alone():
    capitals = [typed_api(f"capital{n}", {}, {"capital": "string"}, description="Moon at Easter.") for n in range(9)]
    days = [typed_api(f"easter{n}", {}, {"date": "string"}, description="A feast.") for n in range(9)]
    for more, offered in (([], ["capital"] * 5), (days[:2], ["easter"] * 2 + ["capital"] * 3), (days, ["easter"] * 6)):
        chain = Chain(*capitals, *more, MOON, policy=lambda *_: value("2026-04-05"), respond=lambda *_: "ok")
        chain.ask("The phase of the moon at Easter?", candidates=None, top_k=6)
        assert [name.rstrip("0123456789") for name in chain.offered[0][1]] == offered


def test_no_api_is_offered_for_its_own_argument():
    double = typed_api("double", {"n": "integer"}, {"n": "integer"})
    chain = Chain(double, policy=lambda *_: value(2), respond=lambda *_: 4)
    chain.ask()
    assert chain.offered == [("n", [])]


@pytest.mark.parametrize("effect", ["read", "write"])
def test_no_api_is_on_the_stack_twice_for_the_same_purpose(effect):
    circle = [
        typed_api("second", {"bravo": "string"}, {"alpha": "string"}, effect=effect),
        typed_api("first", {"alpha": "string"}, {"bravo": "string"}, effect=effect),
    ]
    chain = Chain(*circle, policy=lambda _, offered, __: from_api(offered[0]) if offered else NOBODY, respond=None)
    result = chain.ask(max_depth=50, max_calls=100)
    assert [offered for _, offered in chain.offered] == [["second"], ["first"], []]
    assert [entry["why"] for entry in result["unfilled"]] == ["first needs alpha, for: bravo of second."]


# ---- taking a value by its path


@pytest.mark.parametrize(
    ("text", "wanted", "found"),
    [
        ('{"id": 17, "name": "Jack"}', {"type": "integer"}, {"id": 17}),
        ('{"id": 17, "name": "Jack"}', {"type": "string"}, {"name": "Jack"}),
        ('[{"id": 1}, {"id": 2}]', {"type": "integer"}, {"[0].id": 1, "[1].id": 2}),
        ('{"a": {"b": [1.5]}}', {"type": "number"}, {"a.b[0]": 1.5}),
        ('{"rows": [{"id": 1}, {"id": 2}]}', {"type": "array", "items": {"type": "integer"}}, {"rows[].id": [1, 2]}),
        ('{"one": 7, "other": 7}', {"type": "integer"}, {"one": 7}),
        ('{"one": true, "other": 1}', {"type": "integer"}, {"other": 1}),
        ("It is sunny.", {"type": "string"}, {"the whole": "It is sunny."}),
        ("It is sunny.", {"type": "integer"}, {}),
        ("17", {"type": "integer"}, {"the whole": 17}),
        ('{"id": null, "name": ""}', {}, {"the whole": {"id": None, "name": ""}}),
        ('{"unit": "leagues"}', {"enum": ["km", "miles"]}, {}),
        ("", {"type": "string"}, {}),
    ],
)
def test_the_values_that_fit_by_their_paths(text, wanted, found):
    assert fitting_values(text, wanted) == found


def test_a_value_of_a_long_response_is_found():
    rows = ", ".join(f'{{"name": "n{number}"}}' for number in range(300))
    found = fitting_values(f'{{"rows": [{rows}], "id": 5}}', {"type": "integer"})
    assert found == {"id": 5}


def test_more_values_than_are_shown_say_so():
    apis = [typed_api("find", {}, {"ids": {"type": "array", "items": {"type": "integer"}}})]
    apis.append(typed_api("details", {"id": "integer"}))
    ids = {"ids": list(range(50))}
    chain = Chain(*apis, policy=lambda *_: from_api("find"), respond=lambda api, _: ids if api.name == "find" else "ok")
    chain.ask()
    assert "ids[39]: 39" in chain.texts("Places")[0]
    assert "10 more values are not listed." in chain.texts("Places")[0]
