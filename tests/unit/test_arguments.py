"""Arguments against a schema."""

import pytest

from toolquiver.calling.arguments import closed, is_sound, misfits, problems
from toolquiver.catalog import API


def make_api(**schema):
    return API(id="a/b/c", name="c", tool="b", category="a", parameters={"type": "object"} | schema)


FLIGHT = make_api(
    properties={
        "seats": {"type": "integer", "minimum": 1},
        "cabin": {"enum": ["economy", "first"]},
        "stops": {"type": "array", "items": {"type": "object", "properties": {"code": {"type": "string"}}}},
    },
    required=["seats"],
)


def test_arguments_that_fit_have_no_problems():
    assert problems(FLIGHT, {"seats": 2, "cabin": "first", "stops": [{"code": "LIS"}]}) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "'seats' is a required property."),
        ({"seats": "two"}, "seats: 'two' is not of type 'integer'."),
        ({"seats": True}, "seats: True is not of type 'integer'."),
        ({"seats": 0}, "seats: 0 is less than the minimum of 1."),
        ({"seats": 1, "cabin": "second"}, "cabin: 'second' is not one of ['economy', 'first']."),
        ({"seats": 1, "stops": [{"code": "LIS"}, {"code": 7}]}, "stops.1.code: 7 is not of type 'string'."),
        ({"seats": 1, "sheep": 1}, "Additional properties are not allowed ('sheep' was unexpected)."),
    ],
)
def test_each_problem_is_a_sentence_with_its_place(arguments, said):
    assert problems(FLIGHT, arguments) == [said]


def test_all_problems_are_told():
    assert len(problems(FLIGHT, {"seats": 0, "cabin": 1, "x": 1})) == 3


def test_a_schema_may_allow_more_properties():
    assert problems(make_api(additionalProperties={"type": "string"}), {"any": "thing"}) == []
    assert problems(make_api(additionalProperties={"type": "string"}), {"any": 1}) != []


def test_an_api_without_parameters_takes_none():
    assert problems(make_api(), {}) == []
    assert problems(make_api(), {"x": 1}) != []


@pytest.mark.parametrize("part", ["allOf", "anyOf", "oneOf", "$ref"])
def test_arguments_that_only_a_part_of_the_schema_names_are_there(part):
    named = {"properties": {"city": {"type": "string"}}, "required": ["city"]}
    api = (
        make_api(**{part: "#/$defs/Named"}, **{"$defs": {"Named": named}})
        if part == "$ref"
        else make_api(**{part: [named]})
    )
    assert problems(api, {"city": "Lisbon"}) == []
    assert problems(api, {"city": 1}) != []
    assert "'sheep' was unexpected" in problems(api, {"city": "Lisbon", "sheep": 1})[0]


def test_closing_a_schema_leaves_the_api_alone():
    schema = {"type": "object"}
    assert closed(schema) == {"type": "object", "additionalProperties": False}
    assert schema == {"type": "object"}


@pytest.mark.parametrize(
    "broken",
    [
        {"type": "text"},
        {"$ref": "#/$defs/missing"},
        {"$ref": "http://192.0.2.1/schema.json"},  # the guard of the tests would show a request
    ],
)
def test_of_a_broken_schema_the_other_side_judges(broken):
    assert problems(make_api(properties={"x": broken}), {"x": "1"}) == []


def test_of_a_schema_made_of_itself_the_other_side_judges():
    pet = {"oneOf": [{"$ref": "#/$defs/cat"}]}
    defs = {"pet": pet, "cat": {"allOf": [{"$ref": "#/$defs/pet"}]}}
    assert problems(make_api(properties={"x": {"$ref": "#/$defs/pet"}}, **{"$defs": defs}), {"x": {}}) == []
    assert not is_sound(pet | {"$defs": defs})
    assert misfits(pet | {"$defs": defs}, {}) == []  # where nobody can say what fits, everything does


ENDLESS = r"^(a|a)*$"


@pytest.mark.parametrize("pattern", ["[", r"^\p{Extended_Pictographic}+$", ENDLESS, "(" * 5_000])
def test_a_pattern_that_cannot_be_read_or_has_no_end_is_for_the_other_side_to_judge(pattern):
    text = "a" * 60 + "!" if pattern == ENDLESS else "\U0001f600"
    assert problems(make_api(properties={"x": {"type": "string", "pattern": pattern}}), {"x": text}) == []
    named = make_api(patternProperties={pattern: {"type": "integer"}})
    assert problems(named, {text: 1}) == []


def test_no_dialect_and_no_list_of_values_brings_endless_patterns_back():
    endless, text = {"pattern": ENDLESS}, "a" * 60 + "!"
    draft = "https://json-schema.org/draft/2020-12/schema"
    nested = make_api(**{"$schema": draft}, properties={"p": endless, "kid": {"$ref": "#"}})
    assert problems(nested, {"kid": {"p": text}}) == []
    inner = make_api(properties={"x": {"$schema": draft, "properties": {"p": endless}}})
    assert problems(inner, {"x": {"p": text}}) == []
    many = make_api(properties={"x": {"type": "array", "items": endless}})
    assert problems(many, {"x": [text] * 1_000}) == []
    named = make_api(patternProperties={ENDLESS: {}}, additionalProperties=True, unevaluatedProperties=False)
    assert problems(named, {text: 1}) == []


def test_a_property_called_schema_is_one():
    api = make_api(properties={"$schema": {"type": "integer"}})
    assert problems(api, {"$schema": 1}) == []
    assert problems(api, {"$schema": "x"})


def test_braces_that_are_no_count_stand_for_themselves():
    api = make_api(properties={"x": {"pattern": "^a{e}$"}, "y": {"pattern": r"^\p{L}{2}$"}})
    assert problems(api, {"x": "a{e}", "y": "ab"}) == []
    assert problems(api, {"x": "b"})
    assert problems(api, {"y": "a1"})


@pytest.mark.parametrize("odd", [{"type": "int"}, {"multipleOf": 0}, {"required": 5}, {"pattern": 5}, "x"])
def test_whatever_a_reference_leads_to_is_no_crash(odd):
    api = make_api(properties={"x": {"$ref": "#/components/X"}}, components={"X": odd})
    assert problems(api, {"x": {"a": 1} if odd == {"required": 5} else "1" if odd == {"pattern": 5} else 1}) == []


def test_a_pattern_is_held_to():
    api = make_api(properties={"x": {"pattern": "^[a-z]{3}$"}}, patternProperties={"^n_": {"type": "integer"}})
    assert problems(api, {"x": "abc", "n_one": 1}) == []
    assert problems(api, {"x": "abcd"}) == ["x: 'abcd' does not match '^[a-z]{3}$'."]
    assert problems(api, {"n_one": "1"}) == ["n_one: '1' is not of type 'integer'."]
    assert problems(api, {"m_one": 1}) == ["Additional properties are not allowed ('m_one' was unexpected)."]
    assert problems(make_api(patternProperties={"^n_": {}}, additionalProperties={"type": "null"}), {"n": 1, "n_": 1})


def test_references_within_a_schema_are_followed():
    api = make_api(properties={"x": {"$ref": "#/$defs/short"}}, **{"$defs": {"short": {"maxLength": 2}}})
    assert problems(api, {"x": "ab"}) == []
    assert problems(api, {"x": "abc"}) == ["x: 'abc' is too long."]


@pytest.mark.parametrize("said", [{}, {"unevaluatedProperties": False}])
@pytest.mark.parametrize(
    "twice", [lambda next_: {"allOf": [next_, next_]}, lambda next_: {"if": True, "then": next_} | next_]
)
def test_references_that_lead_to_two_each_are_for_the_other_side_to_judge(twice, said):
    links = {f"a{number}": twice({"$ref": f"#/$defs/a{number + 1}"}) for number in range(40)}
    deep = said | {"$ref": "#/$defs/a0", "$defs": links | {"a40": {"type": "object"}}}
    assert misfits(deep, {"x": 1}) == [], "in years, if each is followed"


def test_a_pattern_of_great_length_is_for_the_other_side_to_judge():
    assert misfits({"pattern": "(?i)" + "\N{LATIN SMALL LETTER LONG S}" * 10_000}, "s" * 10_000) == [], (
        "in minutes that no limit ends, if held to"
    )
    assert misfits({"pattern": "b" * 400}, "a")
