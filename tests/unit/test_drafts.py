"""Drafts: nested calls as a model writes them, read without running them, and what of them holds."""

import ast

import pytest

from tests.graphs.chains import BOOKING, a_typed_api
from toolquiver.catalog.fits import feeding
from toolquiver.nodes.scripts.drafts import carried, held, read_drafts
from toolquiver.nodes.sources import REQUEST


def named(api, function=""):
    """The API as a catalogue names it for models."""
    return api.model_copy(update={"function": function or api.name})


NAME2ID, ROOM, BOOK = APIS = [named(api) for api in BOOKING]
CAPITAL, CITY, SUN, LATER = (
    named(api)
    for api in (
        a_typed_api("capital_of", {"country": "string"}, {"country_code": "string", "capital": "string"}),
        a_typed_api("find_city", {"name": "string"}, {"latitude": "number", "longitude": "number"}),
        a_typed_api("sunset", {"latitude": "number", "longitude": "number"}, {"time": "string"}),
        a_typed_api(
            "date_add",
            {
                "date": "string",
                "days": {"type": "integer", "default": 0},
                "years": {"type": "integer", "default": 0},
                "zone": {"type": "string", "default": "UTC"},
            },
            {"date": "string"},
            optional=("days", "years", "zone"),
        ),
    )
)


def draft(api, values=None, **calls):
    return {"api": api.id, "values": values or {}, "calls": calls}


def last(text, apis, task=""):
    """The call that was written last."""
    return read_drafts(text, apis, task)[-1].draft


def offered(api, *producers):
    return {p.name: [fed for one in producers if (fed := feeding(one, api, p)).fit] for p in api.parameter_list()}


@pytest.mark.parametrize(
    "text",
    [
        "BookRoom(person_ID=Name2ID(person_name='Jack'), start_time='9am')",
        "`BookRoom(Name2ID('Jack')['person_ID'], start_time='9am')`",
        "BookRoom(person_ID=Name2ID(person_name='Jack').person_ID, start_time='9am', room_ID=unknown)",
    ],
)
def test_a_nested_call_is_read_however_it_is_written(text):
    assert last(text, APIS) == draft(BOOK, {"start_time": "9am"}, person_ID=draft(NAME2ID, {"person_name": "Jack"}))


@pytest.mark.parametrize(
    "lines",
    [
        "# the person\nperson = Name2ID('Jack')\nBookRoom(person_ID=person.person_ID, start_time='9am')",
        "start = '9am'\nName2ID = Name2ID('Jack')\nbooked = BookRoom(person_ID=Name2ID['person_ID'], start_time=start)",
        "person = Name2ID('Ann')\nperson = Name2ID('Jack')\nx = BookRoom(person_ID=person, start_time='9am')\nprint(x)",
        "BookRoom(id=Name2ID('Jack'), start_time='9am')",  # the one required input that is not given by its name
    ],
)
def test_lines_that_build_on_each_other_are_one_call(lines):
    room = named(a_typed_api("BookRoom", {"person_ID": "integer", "start_time": "string"}, {"x": "string"}))
    assert last(lines, [NAME2ID, room]) == draft(
        room, {"start_time": "9am"}, person_ID=draft(NAME2ID, {"person_name": "Jack"})
    )


def test_a_name_that_is_given_to_something_unknown_is_forgotten():
    lines = "person = Name2ID('Jack')\nperson = other(person)\nBookRoom(person_ID=person, start_time='9am')"
    assert last(lines, APIS) == draft(BOOK, {"start_time": "9am"})


def test_calls_that_no_other_takes_from_are_drafts_of_their_own_with_what_is_said_of_them():
    lines = [
        "# the person",
        "person = Name2ID('Jack')",
        "# where Riga lies",
        "city = find_city('Riga')",
        "BookRoom(person_ID=person.person_ID, start_time='9am')",
        "again = city",
    ]
    person = draft(NAME2ID, {"person_name": "Jack"})
    assert read_drafts("\n".join(lines), [*APIS, CITY]) == [
        (draft(CITY, {"name": "Riga"}), "where Riga lies"),
        (draft(BOOK, {"start_time": "9am"}, person_ID=person), "BookRoom"),
    ]


def test_functions_need_no_python_names():
    dashed = named(CITY, "GET_find-city")
    text = "GET_find-city(name='GET_find-city (Jack)')"
    assert last(text, [dashed]) == draft(dashed, {"name": "GET_find-city (Jack)"})


@pytest.mark.parametrize(
    "written",
    [
        *("'ask find_city (2) for it'", '"it\'s find_city (x)"', "'it\\'s find_city (x)'", "' find_city (x)'"),
        '"""\nfind_city (x)\n and \'find_city (y)"""',
    ],
)
def test_a_text_in_quotes_stays_as_it_is(written):
    read = last(f"# Riga's find_city (x)\nfind_city({written})", [CAPITAL, CITY])
    assert read == draft(CITY, {"name": ast.literal_eval(written)})


@pytest.mark.parametrize("name", ["find_city", "find_city_by_name", "findCity"])
def test_a_function_that_is_nearly_named_is_meant(name):
    assert last(f"{name}(name='Riga')", [CITY, SUN]) == draft(CITY, {"name": "Riga"})


@pytest.mark.parametrize("name", ["city", "find", "find_town", "find_city_of_state"])
def test_a_name_with_too_little_in_common_or_of_two_functions_is_none(name):
    state = named(a_typed_api("city_of_state", {"name": "string"}, {"city": "string"}))
    with pytest.raises(ValueError, match="no call of one"):
        last(f"{name}(name='Riga')", [CITY, state])


@pytest.mark.parametrize("text", ["", "nothing", "BookRoom(", "other(x=1)", "__import__('os').system('true')", "1 + 1"])
def test_what_is_no_call_of_the_functions_is_refused(text):
    with pytest.raises(ValueError, match=r"^That is no (nested call|call of one)"):
        last(text, APIS)


@pytest.mark.parametrize("value", ["{[1]: 2}", "{'red', 'blue'}", "...", "b'x'", "1 + other(2)", "-'x'"])
def test_what_is_no_json_is_no_value(value):
    assert last(f"find_city({value})", [CITY]) == draft(CITY)


def test_a_call_of_thousands_is_refused():
    lines = ["x = capital_of('Peru')", *["x = find_city(x, latitude=x)"] * 3, *["x = date_add(x, days=x)"] * 20]
    with pytest.raises(ValueError, match="too many calls"):
        read_drafts("\n".join(lines), [CAPITAL, CITY, LATER])


def test_what_is_said_of_a_call_is_as_it_was_written():
    text = "    # call capital_of (Peru)\n    capital_of('Peru')"
    assert read_drafts(text, [CAPITAL])[0].words == "call capital_of (Peru)"


def test_defaults_are_left_out():
    assert last("date_add(date='2031-01-01', days=0, zone='UTC')", [LATER])["values"] == {"date": "2031-01-01"}


@pytest.mark.parametrize(
    ("written", "task", "values"),
    [
        ("years=76", "What comes 76 days after it?", {"days": 76}),
        ("years=76", "What comes 76 years after it?", {"years": 76}),
        ("years=76", "What comes 76 business days after it?", {"days": 76}),
        ("years=76", "What comes after it?", {"years": 76}),
        ("years=76, days=5", "What comes 76 days after it?", {"years": 76, "days": 5}),
        ("years=76", "What comes 176 days after it?", {"years": 76}),
    ],
)
def test_a_number_is_for_what_the_task_calls_it(written, task, values):
    assert last(f"date_add({written})", [LATER], task)["values"] == values


def test_what_holds_are_values_of_the_right_type_and_apis_that_are_offered():
    written = draft(BOOK, {"start_time": "9am", "end_time": 10}, person_ID=draft(NAME2ID), room_ID=draft(CITY))
    apis = {api.id: api for api in (NAME2ID, CITY)}
    assert held(written, BOOK.parameter_list(), offered(BOOK, NAME2ID), apis) == {
        "person_ID": {"from": "Name2ID"},
        "start_time": {"from": REQUEST, "value": "9am"},
    }


@pytest.mark.parametrize(("filters", "holds"), [([{"field": "a"}], True), ([{}], False)])
def test_a_value_is_checked_with_what_its_schema_refers_to(filters, holds):
    plain = a_typed_api("search", {"filters": {"type": "array", "items": {"$ref": "#/$defs/Filter"}}}, {})
    shared = {"$defs": {"Filter": {"type": "object", "required": ["field"]}}}
    api = named(plain.model_copy(update={"parameters": plain.parameters | shared}))
    found = held(draft(api, {"filters": filters}), api.parameter_list(), {"filters": []}, {})
    assert found == ({"filters": {"from": REQUEST, "value": filters}} if holds else {})


def test_a_link_that_was_left_out_is_put_in():
    written = draft(
        SUN, latitude=draft(CAPITAL, {"country": "Latvia"}), longitude=draft(CAPITAL, {"country": "Latvia"})
    )
    apis = {CAPITAL.id: CAPITAL}
    found = held(written, SUN.parameter_list(), offered(SUN, CITY, CAPITAL), apis)
    assert found == {"latitude": {"from": "find_city"}, "longitude": {"from": "find_city"}}
    assert carried(written["calls"]["latitude"], CITY, apis) == draft(CITY, name=draft(CAPITAL, {"country": "Latvia"}))


def test_a_name_that_others_have_too_does_not_replace_what_was_written():
    airport = named(a_typed_api("airport", {"code": "string"}, {"name": "string"}))
    written = draft(CITY, name=draft(CAPITAL, {"country": "Peru"}))
    found = held(written, CITY.parameter_list(), offered(CITY, airport, CAPITAL), {CAPITAL.id: CAPITAL})
    assert found == {"name": {"from": "capital_of"}}


def test_what_was_written_for_another_api_is_not_carried_where_it_cannot_be_taken():
    takes_nothing = a_typed_api("here", {}, {"latitude": "number"})
    assert carried(draft(CAPITAL), takes_nothing, {CAPITAL.id: CAPITAL}) is None
    assert carried(None, CITY, {}) is None
    same = draft(CITY, {"name": "Riga"})
    assert carried(same, CITY, {CITY.id: CITY}) is same
