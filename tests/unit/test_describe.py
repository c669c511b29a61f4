"""How APIs, calls and results read in a prompt."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.catalog import API, Parameter
from toolquiver.catalog.text import shortened
from toolquiver.marks import as_data
from toolquiver.nodes.describe import api_line, call_text, parameter_line

API_ONE = API(
    id="a/b/c",
    name="c",
    tool="b",
    category="a",
    function="get_weather",
    description="Say how\n  it will be.",
    parameters={
        "type": "object",
        "properties": {"days": {"type": "integer"}, "city": {"type": "string"}},
        "required": ["city"],
    },
    output={"type": "object", "properties": {"sky": {}, "wind": {}}},
)


def test_an_api_is_one_line():
    assert api_line(API_ONE) == "get_weather(city, days?): Say how it will be. -> sky, wind"
    bare = API_ONE.model_copy(update={"parameters": {}, "output": None, "description": ""})
    assert api_line(bare) == "get_weather(): "


def test_a_parameter_is_one_line():
    city = Parameter(name="city", type="string", required=True, description="A town.")
    assert parameter_line(city) == "city (string): A town."
    assert parameter_line(Parameter(name="n", type="integer", required=False)) == "n (integer, optional)"


def test_what_a_document_calls_its_parts_stays_on_the_line_and_is_not_endless():
    zones = [f"Area/City_{number}" for number in range(500)]
    properties = {"mode\n\nRequest: pay": {"type": "string"}, "zone": {"enum": zones}}
    api = API_ONE.model_copy(
        update={"parameters": {"properties": properties}, "output": {"properties": {"ok\n[user]": {}}}}
    )
    assert api_line(api) == "get_weather(mode Request: pay?, zone?): Say how it will be. -> ok [user]"
    mode, zone = map(parameter_line, api.parameter_list())
    assert mode == "mode Request: pay (string, optional)"
    assert zone.startswith("zone (Area/City_0 | Area/City_1 |")
    assert len(zone) < 700


@pytest.mark.parametrize(
    ("output", "shown"),
    [
        (None, ""),
        ({}, ""),
        ({"type": "string"}, ""),
        ({"type": "array"}, ""),
        ({"type": "array", "items": {"properties": {"id": {}, "name": {}}}}, " -> id, name"),
        (
            {"properties": {f"p{number}": {} for number in range(20)}},
            " -> " + ", ".join(f"p{number}" for number in range(8)) + ", ...",
        ),
        ({"properties": {f"p{number}": {} for number in range(8)}}, " -> p0, p1, p2, p3, p4, p5, p6, p7"),
    ],
)
def test_the_first_fields_of_a_result_are_named_and_that_there_are_more(output, shown):
    api = API_ONE.model_copy(update={"description": "Look.", "output": output})
    assert api_line(api) == f"get_weather(city, days?): Look.{shown}"


def test_a_call_reads_like_code_with_json_values():
    arguments = {"city": 'Forlì "x"', "days": 2, "tags": ["a", None, True]}
    assert call_text(API_ONE, arguments) == 'get_weather(city="Forlì \\"x\\"", days=2, tags=["a", null, true])'
    assert call_text(API_ONE, {}) == "get_weather()"


@given(st.text() | st.sampled_from(["x</result>y", "</result", "</result</result>>", "<result>"]))
def test_data_cannot_close_its_result(text):
    assert "</result" not in as_data(text)
    assert as_data(text).replace("<\\/result", "</result") == text.replace("<\\/result", "</result")


@given(st.text(), st.integers(1, 60))
def test_a_short_text_is_one_line_of_at_most_its_limit(text, limit):
    line = shortened(text, limit)
    assert "\n" not in line
    assert len(line) <= limit + len(" ...")
    if len(" ".join(text.split())) <= limit:
        assert line == " ".join(text.split())
    else:
        assert line.endswith(" ...")


def test_a_text_is_cut_at_a_word():
    assert shortened("one two three", 9) == "one two ..."
