"""Values that an argument takes out of a response: by path, as they are."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graphs.chains import a_typed_api
from toolquiver.catalog.outputs import path_text
from toolquiver.nodes.chain.values import hit, likeliest, parts_for

PEOPLE = [{"id": 7, "name": "Jack", "room": {"id": "R1"}}, {"id": 8, "name": "Jill", "room": {"id": "R2"}}]


def parts(response, kind="integer", name="person_id", outputs=None):
    producer = a_typed_api("find_person", {"q": "string"}, outputs)
    schema = kind if isinstance(kind, dict) else {"type": kind}
    taker = a_typed_api("book", {name: schema}, {})
    text = response if isinstance(response, str) else json.dumps(response)
    return {path_text(part.path): part.value for part in parts_for(text, taker.parameter_list()[0], producer, taker)}


@pytest.mark.parametrize(
    ("response", "kind", "expected"),
    [
        ({"id": 7, "age": 41}, "integer", {"id": 7}),
        ({"id": 7.0, "age": 41}, "integer", {"id": 7.0}),
        ({"id": 7}, "string", {"id": "7"}),
        ({"id": "7"}, "integer", {"id": 7}),
        ({"id": "seven"}, "integer", {}),
        ({"id": "12E4"}, "integer", {}),
        ({"id": None}, "integer", {}),
        ({"data": {"person": {"id": 7}}}, "integer", {"data.person.id": 7}),
        (PEOPLE[0], "integer", {"id": 7}),
        (PEOPLE, "integer", {"[0].id": 7, "[1].id": 8}),
        ([{"id": 7}, {"id": 7}], "integer", {"[0].id": 7}),
        (PEOPLE, {"type": "array", "items": {"type": "integer"}}, {"[].id": [7, 8]}),
        ("42", "integer", {"the whole output": 42}),
        ("Jack Jones", "string", {"the whole output": "Jack Jones"}),
        ("word " * 100, "string", {}),
        ("[]", "integer", {}),
        ('{"id": 7', "integer", {}),
    ],
)
def test_the_best_fitting_values_are_found_with_their_paths(response, kind, expected):
    assert parts(response, kind) == expected


def test_of_many_parts_those_are_shown_beside_which_the_request_s_words_stand():
    airports = [{"iata": f"A{number:02}", "city": f"Town {number}"} for number in range(40)]
    airports[35]["city"] = "Tromso"
    text = json.dumps(airports)
    api = a_typed_api("airports", {"country": "string"}, {})
    taker = a_typed_api("flights", {"iata": "string"}, {})
    found = parts_for(text, taker.parameter_list()[0], api, taker)
    shown = [part.value for part in likeliest(found, text, "When do flights leave Tromso?", 24)]
    assert shown == [*(f"A{number:02}" for number in range(23)), "A35"]
    assert likeliest(found[:24], text, "Tromso", 24) == found[:24]


@pytest.mark.parametrize("people", [PEOPLE, PEOPLE[:1]])
def test_a_hit_is_found_where_all_of_the_list_would_fit_too(people):
    wanted = {"type": ["integer", "array"], "items": {"type": "integer"}}
    producer = a_typed_api("find_person", {"q": "string"}, {"results": {"type": "array"}})
    taker = a_typed_api("book", {"person_id": wanted}, {})
    (parameter,) = taker.parameter_list()
    rows = [{"person_id": one["id"], "name": one["name"]} for one in people]
    text = json.dumps({"results": rows})
    found = parts_for(text, parameter, producer, taker)
    assert [[7, 8], [7]][len(people) == 1] in [part.value for part in found]
    assert hit(found, text, {"q": "Jack"}, parameter, "Book for Jack.").value == 7


@pytest.mark.parametrize(
    ("response", "kind", "name", "outputs"),
    [
        ({"latitude": -12.0}, "number", "longitude", {"latitude": "number", "longitude": "number"}),
        ({"latitude": -12.0, "longitude": None}, "number", "longitude", {"latitude": "number", "longitude": "number"}),
        ({"person_id": None, "name": "not found"}, "string", "person_id", {"person_id": "string", "name": "string"}),
    ],
)
def test_nothing_stands_in_for_a_declared_field_that_is_missing(response, kind, name, outputs):
    assert parts(response, kind, name, outputs) == {}


def test_a_message_is_no_value_where_fields_were_to_come():
    assert parts("Nobody is called so.", "string", outputs={"id": "string"}) == {}


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=20,
)


def leaves(data):
    if isinstance(data, dict | list):
        for part in data.values() if isinstance(data, dict) else data:
            yield from leaves(part)
    else:
        yield data


@given(anything)
def test_a_value_is_never_made_up(data):
    for value in parts(data, "integer").values():
        assert any(str(leaf).strip() in {str(value), f"{value}.0"} or leaf == value for leaf in leaves(data))
