"""Search: the right API first, whatever characters the question has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.catalog import API, Catalog
from toolquiver.catalog.question import usable
from toolquiver.catalog.text import spaced

APIS = [
    ("weather", "get_forecast", "Say how warm it will be.", {"city": {"type": "string"}}),
    ("weather", "getAlertsByCity", "Storm warnings near a place.", {}),
    ("media", "YouTubeSearch", "Find PayPal clips. Near matches count AND partial ones, NOT only whole words.", {}),
    ("media", "resize", "Change a picture's size. Café ready. 日本", {"pixelWidth": {"description": "breadth"}}),
    ("finance", "forecast", "Cash flow of a company.", {}),
]


@pytest.fixture(scope="module")
def catalog():
    with Catalog.create() as made:
        for category, name, description, properties in APIS:
            made.add(
                API(
                    id=f"{category}/t/{name}",
                    name=name,
                    description=description,
                    category=category,
                    tool=f"{category} tool",
                    parameters={"type": "object", "properties": properties},
                )
            )
        yield made


def names(hits):
    return [hit.api.name for hit in hits]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("storm", "getAlertsByCity"),
        ("alerts", "getAlertsByCity"),
        ("getAlertsByCity", "getAlertsByCity"),
        ("get_alerts_by_city", "getAlertsByCity"),
        ("paypal", "YouTubeSearch"),
        ("PayPal", "YouTubeSearch"),
        ("YouTube", "YouTubeSearch"),
        ("pictures", "resize"),
        ("cafe", "resize"),
        ("日本", "resize"),
        ("width", "resize"),
        ("breadth", "resize"),
    ],
)
def test_words_find_the_api_however_they_are_written(catalog, text, found):
    assert names(catalog.search(text, 1, dense=False)) == [found]


def test_the_best_comes_first_and_scores_fall(catalog):
    hits = catalog.search("weather forecast for a city", dense=False)
    assert names(hits)[0] == "get_forecast"
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_a_word_in_the_name_counts_more_than_one_in_a_parameter(catalog):
    assert names(catalog.search("city", dense=False)) == ["getAlertsByCity", "get_forecast"]


def test_a_search_stays_in_its_category_and_tool(catalog):
    assert names(catalog.search("forecast", category="finance", dense=False)) == ["forecast"]
    assert names(catalog.search("forecast", tool="weather tool", dense=False)) == ["get_forecast"]
    assert catalog.search("forecast", category="finance", tool="weather tool", dense=False) == []


@pytest.mark.parametrize("k", [0, -1])
def test_none_are_found_when_none_are_wanted(catalog, k):
    assert catalog.search("forecast", k, dense=False) == []


def test_at_most_k_are_found(catalog):
    assert len(catalog.search("forecast", 1, dense=False)) == 1


@pytest.mark.parametrize("text", ["", "   ", "what is the", "🎉🎉", "*", '"', "()", "^:-", "\x00"])
def test_a_text_without_words_finds_nothing(catalog, text):
    assert catalog.search(text, dense=False) == []


@pytest.mark.parametrize(
    "text",
    [
        'storm" OR "x',
        "storm AND",
        "NEAR(storm, 2)",
        "name: storm",
        "{storm}",
        "storm*",
        "^storm",
        "-storm",
        "storm'); DROP TABLE api; --",
        "🎉storm🎉",
    ],
)
def test_query_syntax_is_only_words(catalog, text):
    assert "getAlertsByCity" in names(catalog.search(text, dense=False))


def test_operators_are_searched_as_words(catalog):
    assert set(names(catalog.search("NEAR", dense=False))) == {"YouTubeSearch", "getAlertsByCity"}


def test_a_very_long_text_is_searched(catalog):
    text = " ".join(f"word{number}" for number in range(5_000)) + " storm " + "x" * 100_000
    assert names(catalog.search(text, dense=False)) == ["getAlertsByCity"]


@given(text=st.text())
def test_no_text_breaks_the_search(catalog, text):
    assert len(catalog.search(text, 3, dense=False)) <= 3


@given(st.text())
def test_stems_are_once_each_and_worth_searching(text):
    stems = usable(text)
    assert len(stems) == len(set(stems))
    assert all(stem and stem.split() == [stem] for stem in stems)


@pytest.mark.parametrize(
    ("name", "apart"),
    [
        ("get_user-name", "get user name"),
        ("getUserByID", "getUserByID get User By ID"),
        ("HTTPServer now", "HTTPServer HTTP Server now"),
    ],
)
def test_names_are_taken_apart_and_kept_whole(name, apart):
    assert spaced(name) == apart
