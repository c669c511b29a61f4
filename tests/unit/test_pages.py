"""Names in texts, pages that are missing, and tools that tell of named things."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graphs.script import an_api
from toolquiver.nodes.apis.pages import (
    asked_names,
    is_missing,
    name_parameter,
    names_in,
    page_text,
    reader_among,
    similar,
)

TEXT = {"type": "object", "properties": {"heading": {"type": "string"}, "summary": {"type": "string"}}}


def a_tool(name, *inputs, output=TEXT):
    return an_api(name, inputs=dict.fromkeys(inputs, "string")).model_copy(update={"output": output})


def test_the_reader_takes_a_name_and_gives_a_text():
    lookup, article = a_tool("find_in", "title", "keyword"), a_tool("article", "topic")
    reader = reader_among([lookup, article])
    assert reader is article
    assert name_parameter(reader) == "topic"


def test_where_no_output_is_declared_the_description_says_what_is_told():
    assert reader_among([a_tool("article", "topic", output=None)])


@pytest.mark.parametrize(
    "others",
    [
        [],
        [a_tool("find_in", "title", "keyword")],
        [a_tool("article", "topic"), an_api("weather", inputs={"city": "string"}, outputs=("degrees",))],
        [a_tool("article", "topic"), a_tool("page_by_number", "number")],
        [a_tool("article", "topic"), a_tool("lyrics", "title")],
        [a_tool("song", "topic", output=None)],
        [a_tool("article", "topic", output={"type": "array"})],
        [a_tool("web", "query")],
        [an_api("article", inputs={"topic": "integer"}).model_copy(update={"output": TEXT})],
        [an_api("article", inputs={}).model_copy(update={"output": TEXT})],
    ],
)
def test_without_a_reader_or_with_other_tools_nothing_is_read(others):
    assert reader_among(others) is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Who wrote The Trial?", ["The Trial"]),
        ("Which river flows through Frankfurt and Mainz?", ["Frankfurt", "Mainz"]),
        ("Was the Bank of England older than Lloyd's?", ["Bank of England", "Lloyd"]),
        ('Who sang "as time goes by" in Casablanca?', ["as time goes by", "Casablanca"]),
        ("Did J. R. R. Tolkien live in Oxford? Ask him.", ["J. R. R. Tolkien", "Oxford"]),
        ("It was sold. Afterwards nobody came.", []),
        ("He played in Heat (1995 film) and Ronin.", ["Heat (1995 film)", "Ronin"]),
        ("Ada Lovelace (born 1815) met Charles Babbage.", ["Ada Lovelace", "Charles Babbage"]),
        ("The 12th Street Rag is a tune.", ["12th Street Rag"]),
        ("how tall is it?", []),
        ("When was \u00c9mile Zola in \u0141\u00f3d\u017a?", ["\u00c9mile Zola in \u0141\u00f3d\u017a"]),
        (
            "\u041a\u0442\u043e \u041b\u0435\u0432 \u0422\u043e\u043b\u0441\u0442\u043e\u0439?",
            ["\u041a\u0442\u043e \u041b\u0435\u0432 \u0422\u043e\u043b\u0441\u0442\u043e\u0439"],
        ),
    ],
)
def test_names_are_written_large_or_quoted(text, names):
    assert names_in(text) == names


def test_the_form_of_the_answer_names_nothing():
    assert asked_names("Where was Ravel born? Give the Answer alone: a Name or a Date.") == ["Ravel"]


@given(st.text(max_size=200))
def test_names_are_parts_of_the_text_once_each(text):
    names = names_in(text)
    assert len(names) == len(set(names))
    assert all(name in text for name in names)


@pytest.mark.parametrize(
    ("observation", "text"),
    [
        (json.dumps({"heading": "Ravel", "summary": " A \n composer."}), "Ravel: A composer."),
        (json.dumps({"heading": "", "summary": None}), ""),
        ("plain words", "plain words"),
        ("[1, 2]", "[1, 2]"),
    ],
)
def test_a_page_is_told_without_its_marks(observation, text):
    assert page_text(observation) == text


@pytest.mark.parametrize(
    ("page", "missing"),
    [
        ("There is no page on 'Bolero'. Similar pages: Boléro.", True),
        ("Article not found", True),
        ("No matching results.", True),
        ("Boléro: A piece for orchestra, of which there is a film.", False),
    ],
)
def test_a_page_says_that_there_is_none(page, missing):
    assert is_missing(page) is missing


@pytest.mark.parametrize(
    ("name", "listed", "context", "meant"),
    [
        ("Heat", "Heat (1995 film), Heatwave, Wheat", "Who directed Heat?", "Heat (1995 film)"),
        ("Ravel", "Ravel (crater), Ravel (composer)", "Which composer was Ravel?", "Ravel (composer)"),
        ("Maurice Joseph Ravel", "Maurice Ravel, Joseph Haydn", "Who was Maurice Joseph Ravel?", "Maurice Ravel"),
        ("Rain", "Rain, Steam and Speed, Rainbow", "Who painted Rain, Steam and Speed?", "Rain, Steam and Speed"),
        ("Danish", "Danish pastry, Danish Straits", "Which Danish town is it?", ""),
        ("Dutch", "Macbeth, Radharc", "Is he Dutch?", ""),
    ],
)
def test_of_the_names_listed_the_one_that_means_the_same_is_taken(name, listed, context, meant):
    assert similar(f"There is no page on {name!r}. Similar pages: {listed}.", name, context) == meant


def test_where_nothing_is_listed_nothing_is_similar():
    assert similar("Not found", "Ravel", "Who was Ravel?") == ""
