"""Decision types made for one call."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from toolquiver.catalog import API
from toolquiver.nodes.executor.verify import Verdict
from toolquiver.nodes.shapes import arguments_of, choice_among

API_ONE = API(
    id="a/b/c",
    name="c",
    tool="b",
    category="a",
    parameters={
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["city"],
    },
)


@given(st.lists(st.from_regex(r"\A[a-z_]{1,20}\Z"), min_size=1, max_size=8, unique=True), st.text())
def test_only_a_name_on_the_list_can_be_chosen(names, other):
    shape = choice_among(names)
    assert [shape.model_validate({"tool": name}).tool for name in names] == names
    if other not in names:
        with pytest.raises(ValidationError):
            shape.model_validate({"tool": other})


def test_the_names_are_an_enum_of_the_schema():
    schema = choice_among(["get", "put"]).model_json_schema()
    assert schema["title"] == "Choice"
    assert schema["properties"]["tool"]["enum"] == ["get", "put"]


def test_a_single_name_can_be_chosen():
    assert choice_among(["get"]).model_validate({"tool": "get"}).tool == "get"


def test_arguments_have_the_schema_of_the_api_and_no_more():
    shape = arguments_of(API_ONE)
    assert shape.__name__ == "Arguments"
    assert shape.model_json_schema() == {"additionalProperties": False} | API_ONE.parameters


def test_arguments_that_fit_are_kept():
    assert arguments_of(API_ONE).model_validate({"city": "Rome", "days": 2}).root == {"city": "Rome", "days": 2}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "'city' is a required property"),
        ({"city": "Rome", "days": "two"}, "days: 'two' is not of type 'integer'"),
        ({"city": "Rome", "sheep": 1}, "'sheep' was unexpected"),
        (["Rome"], "valid dictionary"),
    ],
)
def test_arguments_that_do_not_fit_are_refused_with_the_reason(arguments, said):
    with pytest.raises(ValidationError, match=said):
        arguments_of(API_ONE).model_validate(arguments)


def test_the_option_that_the_task_names_is_taken():
    planets = {"planet": {"type": "string", "enum": ["Mars", "Venus", "Pluto"]}}
    api = API_ONE.model_copy(update={"parameters": {"type": "object", "properties": planets}})
    task = "How far is Venus, or VENUS and mars?"
    with pytest.raises(ValidationError, match="the task names Mars, Venus"):
        arguments_of(api, task).model_validate({"planet": "Pluto"})
    assert arguments_of(api, task).model_validate({"planet": "Mars"}).root == {"planet": "Mars"}
    assert arguments_of(api, "How far is it?").model_validate({"planet": "Pluto"}).root == {"planet": "Pluto"}


def test_arguments_that_were_used_are_not_used_again():
    shape = arguments_of(API_ONE, made=[{"city": "Rome"}])
    with pytest.raises(ValidationError, match="used before"):
        shape.model_validate({"city": "Rome"})
    assert shape.model_validate({"city": "Rome", "days": 2}).root["days"] == 2


def test_arguments_may_refer_to_definitions():
    pet = {"type": "object", "properties": {"pet": {"$ref": "#/$defs/pet"}}, "$defs": {"pet": {"type": "string"}}}
    shape = arguments_of(API_ONE.model_copy(update={"parameters": pet}))
    assert shape.model_json_schema()["$defs"] == pet["$defs"]
    assert shape.model_validate({"pet": "Rex"}).root == {"pet": "Rex"}
    with pytest.raises(ValidationError, match="not of type 'string'"):
        shape.model_validate({"pet": 5})


def test_a_description_is_no_value():
    schema = {"type": "object", "properties": {"city": {"type": "string", "description": "Name of a city"}}}
    api = API_ONE.model_copy(update={"parameters": schema})
    assert arguments_of(api).model_validate({"city": "Name"}).root == {"city": "Name"}
    with pytest.raises(ValidationError, match="city: that is what it means, not a value"):
        arguments_of(api).model_validate({"city": "Name of a city"})


def test_an_option_that_the_task_names_is_needed_once():
    language = {"enum": ["english", "french"]}
    api = API_ONE.model_copy(update={"parameters": {"type": "object", "properties": {"of": language, "to": language}}})
    shape = arguments_of(api, "What does the French word chat mean?")
    assert shape.model_validate({"of": "french", "to": "english"}).root == {"of": "french", "to": "english"}
    with pytest.raises(ValidationError, match="to: the task names french"):
        shape.model_validate({"of": "english", "to": "english"})


def test_a_text_that_is_a_little_longer_than_asked_for_is_not_refused():
    schema = Verdict.model_json_schema()["properties"]["asked"]
    assert schema["maxLength"] == 80
    verdict = {"asked": "x" * 81, "given": "it", "missing": "nothing", "done": True}
    assert Verdict.model_validate(verdict).done
    with pytest.raises(ValidationError):
        Verdict.model_validate(verdict | {"given": "x" * 10_000})
