"""APIs as Python functions: names, types and values, from and to what the API has."""

import ast
import keyword
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.catalog import API
from toolquiver.programs import UNKNOWN, docs, functions, is_open, line, open_arguments
from toolquiver.programs.check import stubs
from toolquiver.programs.functions import OWN, arguments_of
from toolquiver.programs.values import plain


def an_api(name="alpha", properties=None, *, required=(), output=None, number=0):
    return API(
        id=f"tests/tests/{name}{number}",
        name=name,
        function=name,
        description="Look it up.",
        parameters={"type": "object", "properties": properties or {}, "required": list(required)},
        output=output,
        tool="tests",
        category="tests",
    )


def the_function(properties, **more):
    (function,) = functions([an_api(properties=properties, **more)]).values()
    return function


@pytest.mark.parametrize(
    "name", ["$filter", "order by", "class", "größe", "X-Page", "2fa", "", "名前", "None", "a.b[c]", "m²", "ﬁle"]
)
def test_a_name_that_python_cannot_have_is_mapped_back_at_the_call(name):
    function = the_function({name: {"type": "string"}})
    (own,) = function.parameters
    assert own.isidentifier()
    assert not keyword.iskeyword(own)
    assert arguments_of(function, [], {own: "x"}) == arguments_of(function, ["x"], {}) == {name: "x"}
    assert f"{own}: str" in line(function)


def test_names_that_would_be_alike_stay_unlike():
    function = the_function({"a b": {}, "a-b": {}, "a_b": {}})
    assert len(function.parameters) == 3
    given = dict.fromkeys(function.parameters, 1)
    assert arguments_of(function, [], given) == {"a b": 1, "a-b": 1, "a_b": 1}


@pytest.mark.parametrize("taken", [*OWN, UNKNOWN, "print", "answer", "gather", "for"])
def test_a_function_does_not_take_the_name_of_what_a_program_has(taken):
    (name,) = functions([an_api(taken)])
    assert name != taken
    assert name.isidentifier()


@given(st.lists(st.text(max_size=8), min_size=1, max_size=6))
def test_any_names_give_functions_that_python_and_the_checker_can_read(names):
    apis = [
        an_api(name, {one: {"type": "string"} for one in names}, number=number) for number, name in enumerate(names)
    ]
    known = functions(apis)
    assert len(known) == len(apis)
    ast.parse(stubs(known, []))
    for function in known.values():
        assert set(function.parameters.values()) == set(names)


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, "str"),
        ({"type": "integer"}, "int"),
        ({"type": ["integer", "null"]}, "int"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "str"),
        ({"enum": ["a", "größe"]}, '"a" | "größe"'),
        ({"type": "array", "items": {"type": "number"}}, "list[float]"),
        ({"type": "object"}, "dict"),
        ({}, "Any"),
    ],
)
def test_a_type_is_told_in_pythons_words(schema, kind):
    function = the_function({"it": schema}, required=["it"])
    assert f"alpha(it: {kind})" in line(function)


def test_what_may_be_left_out_says_so():
    assert "alpha(a: str, b: int = None)" in line(
        the_function({"b": {"type": "integer"}, "a": {"type": "string"}}, required=["a"])
    )


def test_what_is_returned_is_told_with_its_fields():
    output = {"type": "object", "properties": {"id": {"type": "integer"}, "of": {"type": "array", "items": {}}}}
    assert "-> {id: int, of: list[Any]}" in line(the_function({}, output=output))


def test_how_it_failed_before_is_told():
    assert "failed before: timeout: Too slow." in line(the_function({}), "timeout: Too slow.")


def test_the_documentation_has_the_whole_schema():
    text = docs(the_function({"it": {"type": "string", "description": "x" * 3_000}}))
    assert "x" * 3_000 in text


# ---- values


def test_null_is_dropped_where_the_argument_is_optional_and_cannot_be_null():
    properties = {"a": {"type": "integer"}, "b": {"type": ["integer", "null"]}, "c": {"type": "string"}}
    function = the_function(properties, required=["c"])
    assert arguments_of(function, [], {"a": None, "b": None, "c": None}) == {"b": None, "c": None}


@pytest.mark.parametrize(
    ("args", "kwargs", "said"),
    [(["x", "y"], {}, "takes 1"), ([], {"other": 1}, "'other'"), (["x"], {"it": "y"}, "twice")],
)
def test_arguments_that_are_not_there_are_refused_with_what_is(args, kwargs, said):
    with pytest.raises(TypeError, match=said):
        arguments_of(the_function({"it": {}}), args, kwargs)


@pytest.mark.parametrize("value", ["", "  ", "UNKNOWN", None])
def test_a_value_that_nobody_has_given_is_open(value):
    assert is_open(value, {"type": "string"})
    api = an_api(properties={"it": {"type": "string"}, "other": {"type": "string"}}, required=["it"])
    assert open_arguments(api, {"it": value}) == ["it"]


@pytest.mark.parametrize(
    ("value", "schema"),
    [
        ("UNKNOWN", {"enum": ["KNOWN", "UNKNOWN"]}),
        ("", {"enum": ["", "a"]}),
        (None, {"type": ["string", "null"]}),
        (0, {"type": "integer"}),
        (False, {"type": "boolean"}),
        ([], {"type": "array"}),
        ("none", {"type": "string"}),
        ("unknown", {"type": "string"}),
        ("unknown soldier", {"type": "string"}),
    ],
)
def test_a_value_that_was_given_is_not_open(value, schema):
    assert not is_open(value, schema)


def test_values_of_a_program_are_sent_as_json_has_them():
    value = {1: (date(2031, 5, 2), {"a"}, datetime(2031, 5, 2, 9, tzinfo=UTC)), "b": [None, True, 2.5]}
    assert plain(value) == {"1": ["2031-05-02", ["a"], "2031-05-02T09:00:00+00:00"], "b": [None, True, 2.5]}


@pytest.mark.parametrize(
    "value", [len, b"x", float("nan"), ValueError("x"), ["<coroutine object f>"], "<function 'f' at 0x4c>", [...]]
)
def test_what_json_does_not_have_is_no_value(value):
    with pytest.raises(TypeError):
        plain(value)


def test_an_unknown_argument_is_left_out():
    assert arguments_of(the_function({"it": {}, "other": {}}), [...], {"other": 1}) == {"other": 1}
