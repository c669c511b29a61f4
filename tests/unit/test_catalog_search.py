"""Search: the right API first, whatever characters the question has."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.catalog import API, Catalog
from toolquiver.catalog import search as searching
from toolquiver.catalog.evidence import Match
from toolquiver.catalog.question import Question, usable
from toolquiver.catalog.search import Ranking
from toolquiver.catalog.stems import _of_lower, stems
from toolquiver.catalog.text import content_words, spaced

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
    assert names(catalog.search("city", 2, dense=False)) == ["getAlertsByCity", "get_forecast"]


def test_a_search_stays_in_its_category_and_tool(catalog):
    assert names(catalog.search("forecast", category="finance", dense=False)) == ["forecast"]
    found = names(catalog.search("forecast", tool="weather tool", dense=False))
    assert found[0] == "get_forecast"
    assert set(found) <= {"get_forecast", "getAlertsByCity"}
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
    assert set(names(catalog.search("NEAR", 2, dense=False))) == {"YouTubeSearch", "getAlertsByCity"}


def test_a_very_long_text_is_searched(catalog):
    text = " ".join(f"word{number % 2}" for number in range(5_000)) + " storm " + "x" * 100_000
    assert names(catalog.search(text, 1, dense=False)) == ["getAlertsByCity"]


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


@pytest.mark.parametrize(
    "text",
    [
        "weather/t/getalertsbycity",
        "Please call weather/t/getAlertsByCity now.",
        "call `getAlertsByCity` about the forecast of the cash flow",
        "getalertsbycity",
        "weather tool getAlertsByCity",
        "weather tool: getAlertsByCity",
    ],
)
def test_what_is_named_exactly_comes_first(text):
    with Catalog.create() as catalog:
        cash = API(id="finance/t/forecast", name="forecast cash flow", category="finance", tool="cash flow forecast")
        named = API(id="weather/t/getalertsbycity", name="getAlertsByCity", category="weather", tool="weather tool")
        other = named.model_copy(update={"id": "weather/t/call", "name": "call", "description": text})
        catalog.add(cash, other, named)
        first, *rest = catalog.search(text, dense=False)
        assert first.api.id == named.id
        assert first.evidence["exact name"] > 0
        assert all("exact name" not in hit.evidence for hit in rest)


def test_a_plain_word_that_is_also_a_name_is_not_taken_for_it(catalog):
    assert all("exact name" not in hit.evidence for hit in catalog.search("make a forecast of a storm", dense=False))
    assert "exact name" in catalog.search("forecast", dense=False)[0].evidence


def test_a_score_is_the_sum_of_its_evidence(catalog):
    for hit in catalog.search("weather forecast. storm alerts for a city."):
        assert hit.score == pytest.approx(sum(hit.evidence.values()), abs=1e-5)


def test_an_explanation_names_the_words_in_each_field(catalog):
    text = "storms near a city"
    hit = catalog.search(text, 1, dense=False)[0]
    why = catalog.explain(text, hit)
    assert why.api.name == "getAlertsByCity"
    assert why.words["name"] == ("city",)
    assert why.words["description"] == ("storms", "near")
    assert "parameters" not in why.words
    assert (why.score, why.evidence) == (hit.score, hit.evidence)


def test_parts_of_a_long_text_each_find_their_api(catalog):
    text = "I am planning a trip and would like to hear storm warnings near my place. Change the size of the picture."
    assert {"getAlertsByCity", "resize"} <= set(names(catalog.search(text, 3, dense=False)))


def test_words_that_lead_up_to_what_is_wanted_count_little():
    with Catalog.create() as catalog:
        for name, text in (
            ("explore", "Helpful for exploring, finding and understanding."),
            ("hail", "When it hails."),
        ):
            catalog.add(API(id=f"c/{name}/t", name="t", description=text, category="c", tool=f"the {name} tool"))
        found = catalog.search("I was wondering, trying to understand: finding helpful hail", dense=False)
        assert [hit.api.tool for hit in found] == ["the hail tool", "the explore tool"]


@pytest.mark.parametrize(
    ("text", "talk"),
    [
        ("Additionally, I'm looking for hail", {"addit", "look"}),
        ("I hope that hail is interesting, but what are interest rates?", {"hope"}),  # interest is a topic here
        ("the price of hail", set()),
    ],
)
def test_a_word_is_talk_where_no_other_word_has_its_stem(text, talk):
    assert Question(text).talk == talk


def test_a_tool_is_found_by_the_parameters_of_its_apis():
    with Catalog.create() as catalog:
        properties = {"isbn": {"description": "of the paperback"}}
        for tool, given in (("novels", properties), ("comics", {})):
            for name in ("look up", "borrow"):
                schema = {"type": "object", "properties": given if name == "borrow" else {}}
                catalog.add(API(id=f"c/{tool}/{name}", name=name, category="c", tool=tool, parameters=schema))
        hits = catalog.search("paperback", dense=False)
        assert [(hit.api.tool, hit.api.name) for hit in hits] == [("novels", "borrow"), ("novels", "look up")]
        assert catalog.explain("paperback", hits[1]).words == {"their parameters": ("paperback",)}


def test_a_text_that_nothing_fits_finds_nothing(catalog):
    text = (
        "my grandmother knits woollen socks while uncle Horace repairs antique clocks, cousin Albert polishes boots"
        " and aunt Matilda bakes gingerbread near the fireplace"
    )
    assert catalog.search(text, dense=False) == []
    assert catalog.search(text, dense=False, floor=False), "the best, however little they fit"


def test_a_name_of_words_that_say_nothing_is_still_found_by_its_name():
    with Catalog.create() as catalog:
        catalog.add(API(id="c/t/get", name="get", category="c", tool="t"))
        assert names(catalog.search("get", dense=False)) == ["get"]
        assert catalog.search("what have you got", dense=False) == []


@given(st.one_of(st.from_regex(r"[-_(\"*/A-Za-z.é,'9]{1,9}", fullmatch=True), st.text(max_size=9)))
def test_the_stems_of_a_word_are_the_same_by_the_short_way(word):
    assert stems(word) == [stem for part in content_words(word) for stem in _of_lower(part)]


def test_a_large_tool_comes_after_a_small_one_that_fits_as_well():
    with Catalog.create() as catalog:
        for tool, count in (("large", 40), ("small", 2)):
            names = ["weather", *(f"other {number}" for number in range(1, count))]
            catalog.add(*(API(id=f"c/{tool}/{name}", name=name, tool=tool, category="c") for name in names))
        first, second = (hit for hit in catalog.search("weather", dense=False) if hit.api.name == "weather")
        assert (first.api.tool, second.api.tool) == ("small", "large")
        assert second.evidence["tool size"] < first.evidence["tool size"] < 0


@pytest.mark.parametrize(
    ("share", "rarity", "meaning", "among", "fits"),
    [
        (0.1, 9, None, 16_463, False),  # one rare word of a long text
        (0.1, 15, None, 16_463, True),  # several
        (0.9, 4, None, 16_463, True),  # a word that is the whole text
        (0.9, 4, None, 1_000_000, True),
        (0.1, 9, 0.2, 16_463, False),
        (0.1, 9, 0.5, 16_463, True),
        (0.17, 2.1, None, 245, False),  # two words that many have
        (0.2, 4.0, None, 245, True),
        (0.17, 2.1, 0.26, 245, False),
        (0.22, 3, 0.33, 245, True),
        (0.02, 0.1, None, 5, False),
        (0.1, 0.5, None, 5, True),  # the rarest word of so few is not rare
    ],
)
def test_what_fits_has_the_share_or_the_number_of_words_that_it_takes(share, rarity, meaning, among, fits):
    evidence = {"exact name": np.zeros(1, np.float32)}
    assert Ranking(np.zeros(1, np.int64), evidence, Match(share, rarity), meaning, among).fits is fits


def test_half_a_character_is_no_word(catalog):
    found = catalog.search("forecast \ud83d")
    assert [hit.api.name for hit in found] == [hit.api.name for hit in catalog.search("forecast")]
    assert catalog.explain("forecast \ud83d", found[0])


def test_a_record_that_was_found_before_is_read_again_after_a_change(tmp_path):
    old = API(id="c/t/storm", name="storm", tool="t", category="c", tool_description="Old.")
    with Catalog.create(tmp_path / "apis.db") as made:
        made.add(old, old.model_copy(update={"id": "c/t/hail", "name": "hail"}))
    with Catalog.open(tmp_path / "apis.db") as reader, Catalog.open(tmp_path / "apis.db") as writer:
        assert reader.search("storm", 1, dense=False)[0].api.tool_description == "Old."
        other = writer.get("c/t/hail")
        writer.update(other.model_copy(update={"tool_description": "New."}))  # the record of the first stays
        assert reader.search("storm", 1, dense=False)[0].api.tool_description == "New."


def test_only_so_many_records_are_kept(monkeypatch):
    monkeypatch.setattr(searching, "_KEPT", 3)
    with Catalog.create() as catalog:
        catalog.add(*(API(id=f"c/t/{n}", name=f"storm{n}", tool="storm", category="c") for n in range(9)))
        for k in (2, 3, 9, 1):
            assert len(catalog.search("storm", k, dense=False)) == k
        assert len(catalog._index.found) == 1


def test_of_a_few_all_are_candidates_behind_those_found(catalog):
    found = catalog.search("storm", 3)
    hits = catalog.candidates("storm", 3, few=len(APIS))
    assert hits[: len(found)] == found
    assert sorted(names(hits)) == sorted(name for _, name, *_ in APIS)
    assert not any(hit.score for hit in hits[len(found) :])
    assert catalog.candidates("storm", 3, few=len(APIS) - 1) == found
