"""Arguments in a URL, a header or a form: the tables of the OpenAPI specification, worked by hand."""

from urllib.parse import parse_qsl, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.calling.http.styles import header_text, path_text, plain, query_pairs
from toolquiver.catalog.operation import Placement

ARRAY = ["blue", "black", "brown"]
OBJECT = {"R": 100, "G": 200, "B": 150}


def place(style="form", explode=True, name="color", **more):
    return Placement(argument="color", name=name, location="query", style=style, explode=explode, **more)


def query(value, *options, **more):
    return "&".join(query_pairs(place(*options, **more), value))


@pytest.mark.parametrize(
    ("style", "explode", "expected"),
    [
        ("matrix", False, [";color", ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"]),
        ("matrix", True, [";color", ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"]),
        ("label", False, [".", ".blue", ".blue,black,brown", ".R,100,G,200,B,150"]),
        ("label", True, [".", ".blue", ".blue.black.brown", ".R=100.G=200.B=150"]),
        ("simple", False, ["", "blue", "blue,black,brown", "R,100,G,200,B,150"]),
        ("simple", True, ["", "blue", "blue,black,brown", "R=100,G=200,B=150"]),
    ],
)
def test_paths_are_written_as_the_specification_says(style, explode, expected):
    assert [path_text(place(style, explode), value) for value in ("", "blue", ARRAY, OBJECT)] == expected


@pytest.mark.parametrize(
    ("style", "explode", "value", "expected"),
    [
        ("form", False, "", "color="),
        ("form", False, "blue", "color=blue"),
        ("form", False, ARRAY, "color=blue,black,brown"),
        ("form", False, OBJECT, "color=R,100,G,200,B,150"),
        ("form", True, "", "color="),
        ("form", True, "blue", "color=blue"),
        ("form", True, ARRAY, "color=blue&color=black&color=brown"),
        ("form", True, OBJECT, "R=100&G=200&B=150"),
        ("spaceDelimited", False, ARRAY, "color=blue%20black%20brown"),
        ("spaceDelimited", False, OBJECT, "color=R%20100%20G%20200%20B%20150"),
        ("pipeDelimited", False, ARRAY, "color=blue%7Cblack%7Cbrown"),
        ("pipeDelimited", False, OBJECT, "color=R%7C100%7CG%7C200%7CB%7C150"),
        ("deepObject", True, OBJECT, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"),
    ],
)
def test_queries_are_written_as_the_specification_says(style, explode, value, expected):
    assert query(value, style, explode) == expected


@pytest.mark.parametrize(
    ("style", "explode", "value", "expected"),
    [
        ("simple", False, "blue", "blue"),
        ("simple", False, ARRAY, "blue,black,brown"),
        ("simple", False, OBJECT, "R,100,G,200,B,150"),
        ("simple", True, OBJECT, "R=100,G=200,B=150"),
        ("simple", False, "blue sky/50%", "blue sky/50%"),
    ],
)
def test_headers_are_written_as_the_specification_says(style, explode, value, expected):
    assert header_text(place(style, explode), value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"a": {"b": 1, "c": [2, 3]}}, "color[a][b]=1&color[a][c][0]=2&color[a][c][1]=3"),
        (["x", {"y": True}], "color[0]=x&color[1][y]=true"),
        ({"a": None, "b": {}}, ""),
        ("plain", "color=plain"),
    ],
)
def test_what_is_nested_stands_in_brackets(value, expected):
    assert unquote(query(value, "deepObject")) == expected


def test_null_and_nothing_are_left_out():
    for explode in (True, False):
        assert [query(value, "form", explode) for value in (None, [], {}, [None])] == [""] * 4
    assert query([1, None, 2]) == "color=1&color=2"


@pytest.mark.parametrize(
    ("value", "text"),
    [(True, "true"), (3, "3"), (3.0, "3"), (-0.5, "-0.5"), (1e300, "1e+300"), ("x", "x"), ({"a": [1]}, '{"a":[1]}')],
)
def test_single_values_are_written_as_servers_read_them(value, text):
    assert plain(value) == text


def test_a_parameter_of_its_own_media_type_is_json():
    json_place = place(media_type="application/json")
    assert unquote(query_pairs(json_place, {"a": ["é"]})[0]) == 'color={"a":["é"]}'
    assert unquote(path_text(json_place, [1])) == "[1]"
    assert header_text(json_place, {"a": 1}) == '{"a":1}'


@pytest.mark.parametrize(("style", "delimiter"), [("spaceDelimited", " "), ("pipeDelimited", "|")])
def test_lists_of_openapi_2_are_delimited_everywhere(style, delimiter):
    assert unquote(path_text(place(style, explode=False), ARRAY)) == delimiter.join(ARRAY)
    assert header_text(place(style, explode=False), ARRAY) == delimiter.join(ARRAY)


def test_a_text_of_its_own_media_type_stays_a_text():
    text_place = place(media_type="text/plain")
    assert query_pairs(text_place, "a b") == ["color=a%20b"]
    assert path_text(text_place, "a b") == "a%20b"
    assert header_text(text_place, "a b") == "a b"


def test_a_whole_query_is_one_argument():
    assert query({"a": 1, "b": [2]}, name="", explode=False) == "a=1&b=%5B2%5D"
    assert query({"a": 1}, name="", media_type="application/json") == "%7B%22a%22:1%7D"
    assert query("a=1&b=é#x", name="", media_type="text/plain") == "a=1&b=%C3%A9%23x"


def test_reserved_characters_are_kept_only_where_allowed_and_harmless():
    value = "http://a.test/?x=1&y=2#z+w;v%41"
    assert query(value) == "color=http%3A%2F%2Fa.test%2F%3Fx%3D1%26y%3D2%23z%2Bw%3Bv%2541"
    assert query(value, allow_reserved=True) == "color=http://a.test/?x=1%26y=2%23z%2Bw%3Bv%2541"


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@given(texts, texts.filter(bool), st.booleans())
def test_no_text_leaves_its_parameter(value, name, reserved):
    pairs = query_pairs(place(name=name, allow_reserved=reserved), value)
    assert parse_qsl("&".join(pairs), keep_blank_values=True) == [(name, value)]


@given(st.lists(texts, min_size=1))
def test_lists_come_apart_again(values):
    pairs = query_pairs(place(), values)
    assert [value for _, value in parse_qsl("&".join(pairs), keep_blank_values=True)] == values
    (joined,) = query_pairs(place(explode=False), values)
    assert [unquote(value) for value in joined.partition("=")[2].split(",")] == values


@given(st.dictionaries(texts.filter(bool), texts, min_size=1), st.sampled_from(["simple", "label", "matrix"]))
def test_objects_come_apart_again(value, style):
    text = path_text(place(style, explode=True), value)
    separator = {"simple": ",", "label": ".", "matrix": ";"}[style]
    if style == "label" and any("." in part for member in value.items() for part in member):
        return  # a dot is never encoded, so a label cannot tell it from its own
    members = [
        part.partition("=") for part in text.removeprefix(separator if style != "simple" else "").split(separator)
    ]
    assert {unquote(key): unquote(item) for key, _, item in members} == value
