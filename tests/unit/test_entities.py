"""Scripts about things: which calls are meant, and which IDs."""

import pytest

from tests.unit.thing_apis import api, lists
from toolquiver.nodes.scripts.entities import read_script
from toolquiver.nodes.scripts.entity_kinds import details_of, things_in
from toolquiver.nodes.scripts.entity_names import about_things, entity_lines, short_names

PERSON = {"born": "string", "homepage": "string", "portrait": "string"}


APIS = [
    api("GET_search-book", {"query": "string", "page": "string"}, lists("results", ["id", "title"]), ("page",)),
    api("GET_search-writer", {"query": "string", "page": "string"}, lists("results", ["id", "name"]), ("page",)),
    api("GET_book-book_id", {"book_id": "string"}, {"title": "string", "pages": "integer", "isbn": "string"}),
    api("GET_book-book_id-people", {"book_id": "string"}, lists("hands", ["id", "homepage", "portrait"])),
    api("GET_book-book_id-quotes", {"book_id": "string"}, lists("quotes", ["text"])),
    api("GET_writer-writer_id", {"writer_id": "string"}, PERSON),
    api("GET_writer-writer_id-quotes", {"writer_id": "string"}, lists("quotes", ["text"])),
    api("GET_chart", {"kind": "string"}, lists("results", ["place"])),
    api("GET_book-book_id-shop", {"book_id": "string"}, lists("shops", ["id"])),
    api("GET_shop-shop_id", {"shop_id": "string"}, {"street": "string", "town": "string", "phone": "string"}),
]
FUNCTIONS = short_names(APIS)
SEARCHED = "GET_search-book(query='Emma')"


def calls(script, told=None, request=""):
    """The calls without their comments."""
    read = read_script(script, FUNCTIONS, told or {}, request)
    return [line for line in read.text.splitlines() if line and not line.startswith("#")]


def test_names_and_lines_speak_of_things():
    assert list(FUNCTIONS) == [
        "book_details",
        "book_people",
        "book_quotes",
        "book_shop",
        "chart",
        "search_book",
        "search_writer",
        "shop_details",
        "writer_details",
        "writer_quotes",
    ]
    lines = entity_lines(FUNCTIONS)
    assert lines[0] == "book_details(book): Work on GET_book-book_id -> pages, isbn"
    assert (
        lines[5] == "search_book(query): Work on GET_search-book"
    )  # many take a page, and what is in a list says little


def test_what_an_input_can_be_is_told():
    chart = api("chart", {"span": {"type": "string", "enum": ["day", "week"]}}, {"places": "string"})
    assert entity_lines({"chart": chart}) == ["chart(span=day|week): Work on chart -> places"]


def test_a_script_is_for_more_apis_than_are_shown_of_which_one_needs_an_id():
    assert about_things(APIS, 9)
    assert not about_things(APIS, len(APIS))
    assert not about_things([one for one in APIS if "_id" not in one.name], 0)
    assert not about_things(APIS * 10, 10)


def test_fields_say_whose_ids_are_in_a_list():
    named = {one.name: things_in(one, APIS, details_of(APIS)) for one in APIS}
    assert named["GET_book-book_id-people"] == ["writer_id"]
    assert named["GET_search-book"] == ["book_id"]
    assert named["GET_book-book_id-shop"] == ["shop_id"]


@pytest.mark.parametrize(
    ("script", "meant"),
    [
        ("book = search_book('Emma')\nanswer = book_quotes(book)", f"GET_book-book_id-quotes(book_id={SEARCHED})"),
        ("book_details(search_book('Emma')[0]['id']).pages", f"GET_book-book_id(book_id={SEARCHED})"),
        (  # another API has the field
            "book = search_book('Emma')\nanswer = book.pages",
            f"GET_book-book_id(book_id={SEARCHED})",
        ),
        (  # of what was asked with: its details have no quotes
            "book = book_details(search_book('Emma'))\nanswer = book.quotes[0].text",
            f"GET_book-book_id-quotes(book_id={SEARCHED})",
        ),
        (  # no function of this name, but one that takes what people are
            "people = book_people(search_book('Emma'))\nanswer = translator_details(people.hands[0]).born",
            f"GET_writer-writer_id(writer_id=GET_book-book_id-people(book_id={SEARCHED}))",
        ),
        ("answer = search_book('Emma')[0].quotes()", f"GET_book-book_id-quotes(book_id={SEARCHED})"),
        (  # the quotes of a writer are not those of a book
            "writer = search_writer('Austen')\nanswer = book_quotes(writer)",
            "GET_writer-writer_id-quotes(writer_id=GET_search-writer(query='Austen'))",
        ),
        (  # what is found already is not searched for
            "hand = book_people(search_book('Emma')).hands[0]\nanswer = search_writer(hand)",
            f"GET_book-book_id-people(book_id={SEARCHED})",
        ),
        (  # books in between, which the chart is asked for
            "shop = shop_details(chart('book')[0].shop)",
            "GET_shop-shop_id(shop_id=GET_book-book_id-shop(book_id=GET_chart(kind='book')))",
        ),
        (
            "for book in search_book('Emma'):\n    print(book_quotes(book))",
            f"GET_book-book_id-quotes(book_id={SEARCHED})",
        ),
        (
            "answer = [book_quotes(book) for book in search_book('Emma')]",
            f"GET_book-book_id-quotes(book_id={SEARCHED})",
        ),
    ],
)
def test_which_call_is_meant(script, meant):
    assert calls(script) == [meant]


def test_lines_that_nothing_takes_from_are_goals_with_their_comments():
    read = read_script(
        "```python\n# Emma\nbook = search_book('Emma')\n# the charts\ncharts = chart('book')\n"
        "# whether it is there\nanswer = book in charts\n```",
        FUNCTIONS,
        {},
        "",
    )
    assert read.text.splitlines() == [
        "# whether it is there",
        SEARCHED,
        "# whether it is there",
        "GET_chart(kind='book')",
    ]


@pytest.mark.parametrize(
    ("script", "meant"),
    [
        ("book = search_book('Emma')\nbook = book_quotes(book)", [f"GET_book-book_id-quotes(book_id={SEARCHED})"]),
        (
            "book = search_book('Emma')\nbook = book[0]\nbook = book_details(book)",
            [f"GET_book-book_id(book_id={SEARCHED})"],
        ),
        (
            "answer = book_quotes(search_book('Emma'))\nanswer = chart('book')",
            [f"GET_book-book_id-quotes(book_id={SEARCHED})", "GET_chart(kind='book')"],
        ),
        (  # only what the name stood for then is taken from
            "one = search_book('Emma')\nquotes = book_quotes(one)\none = chart('book')",
            [f"GET_book-book_id-quotes(book_id={SEARCHED})", "GET_chart(kind='book')"],
        ),
        (
            "book = search_book('Emma')\nfor book in chart('book'):\n    book_quotes(book)",
            [SEARCHED, "GET_book-book_id-quotes(book_id=GET_chart(kind='book'))"],
        ),
        (
            "book = search_book('Emma')\nquotes = [book_quotes(book) for book in chart('book')]",
            [SEARCHED, "GET_book-book_id-quotes(book_id=GET_chart(kind='book'))"],
        ),
    ],
)
def test_a_name_that_is_given_again_loses_no_goal(script, meant):
    assert calls(script) == meant


def test_what_no_api_tells_by_name_is_unknown_until_somebody_says_it():
    script = "book = search_book('Emma')\nanswer = book.translator"
    (unknown,) = read_script(script, FUNCTIONS, {}, "").unknown
    assert (unknown.name, unknown.thing) == ("translator", "book")
    assert [one.name for one in unknown.options] == [
        "GET_book-book_id-people",
        "GET_book-book_id-quotes",
        "GET_book-book_id-shop",
    ]  # not its details, of which it is known that they lack it
    people, key = unknown.options[0].id, (unknown.source, unknown.name)
    assert calls(script, {key: people}) == [f"GET_book-book_id-people(book_id={SEARCHED})"]
    assert calls(script, {key: None}) == [SEARCHED]
    assert not read_script(script, FUNCTIONS, {key: None}, "").unknown


def test_a_function_that_is_not_there_is_unknown():
    script = "answer = find_book('Emma')"
    (unknown,) = read_script(script, FUNCTIONS, {}, "").unknown
    assert (unknown.source, unknown.name, unknown.thing) == ("", "find_book", "")
    assert calls(script, {("", "find_book"): FUNCTIONS["search_book"].id}) == [SEARCHED]
    assert not read_script("answer = len('Emma')", FUNCTIONS, {}, "").unknown


@pytest.mark.parametrize("script", ["no script", "answer = " + "(" * 500, f"search_book({[0] * 500})"])
def test_what_is_no_script_or_too_long_is_refused(script):
    with pytest.raises(ValueError, match=r"no Python|too long"):
        read_script(script, FUNCTIONS, {}, "")


@pytest.mark.parametrize("line", ["a = a + a", "[a + a for a in a + a]", "[a for a in [a + a for a in a + a]]"])
def test_a_script_that_doubles_a_line_again_and_again_is_refused_at_once(line):
    with pytest.raises(ValueError, match="too long"):
        read_script("a = search_book('Emma')\n" + f"{line}\n" * 60, FUNCTIONS, {}, "")
