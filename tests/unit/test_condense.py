"""Documentation condensed by rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.catalog.boilerplate import is_boilerplate
from toolquiver.catalog.condense import cleaned, condensed, without_default


@pytest.mark.parametrize(
    ("raw", "short"),
    [
        ("Where an airport is.", "Where an airport is."),
        ("Get **bold** and `code` and *this*", "Get bold and code and this"),
        ("<p>Fish &amp; chips<br/>by <a href='https://a.b'>name</a></p>", "Fish & chips. by name"),
        ("Gives [prices](https://a.b/c) of ![logo](https://a.b/x.png) fish", "Gives prices of fish"),
        ("Read it at https://a.b/c?d=e now.", "Read it at now."),
        ("# Fish\n\nOne of:\n- cod\n- eel\n", "Fish. One of: cod, eel"),
        ("Lists fish. Lists fish. LISTS FISH!", "Lists fish."),
        ("List Fish. List the fish that live in a lake.", "List the fish that live in a lake."),
        ("Search Shows.\nSearch for a show.", "Search for a show."),
        ("Get fish. id: the id of the fish to get", "Get fish. id: the id of the fish to get"),
        ("Get no fish. Get fish.", "Get no fish. Get fish."),
        ("Get eels. Get fish.", "Get eels. Get fish."),
        ("Flights to Oslo. Flights from Oslo to Rome.", "Flights to Oslo. Flights from Oslo to Rome."),
        ("Get all fish. Get fish by id.", "Get all fish. Get fish by id."),
        ("day\nday and night", "day. day and night"),
        ("asc: rising\nasc: rising, then size", "asc: rising. asc: rising, then size"),
        ("Search fish. Search fish with our free plan. Up to 9.", "Search fish. Up to 9."),
        ("# Changelog\nReturns the commits.", "Returns the commits."),
        ("## Changelog\n- Eels too.", "Changelog, Eels too."),
        ("Lists fish.\n## Changelog\n### 1.2\n- Eels too.\n\n**Note** by lake.", "Lists fish. Note by lake."),
        ("Lists fish. Read more about this [here](https://a.b).", "Lists fish."),
        ("Lists fish. Read more about this fish: its name.", "Lists fish. Read more about this fish: its name."),
        (
            "Lists fish.\n#### Recent Changes\n| Date | Change |\n| - | - |\n| 1 May | Eels too. |\n# Use\nBy lake.",
            "Lists fish. Use. By lake.",
        ),
        ("Lists fish. Sign up for a free plan. Contact us on Discord.", "Lists fish."),
        ("Lists fish. See our documentation for the rest. Click here.", "Lists fish."),
        ("The unit (default: km)", "The unit"),
        ("The unit, default is `km`", "The unit"),
        ("Default value: 10", ""),
        ("The unit, default is km", "The unit"),
        ("The page (optional)", "The page"),
        ("Sends it.\n```python\nimport fish\n```", "Sends it."),
        ("snake_case_names and 2*3*4 stay", "snake_case_names and 2*3*4 stay"),
        ("Get __bold__, ~~gone~~ and *this*.", "Get bold, gone and this."),
        ("Filter: a, b; default: a,b,c", "Filter: a, b"),
        ("Write to fish@lakes.test now!", "Write to now!"),
    ],
)
def test_what_says_nothing_is_stripped(raw, short):
    assert condensed(raw) == short


@pytest.mark.parametrize(
    "told",
    [
        "Filter: price__gte and price__lte.",
        "Ask for a~~b or c~~d!",
        r"Files: C:\temp\*.txt and D:\*.log.",
        "Accept: text/* and image/*.",
        "Match: *.txt or *.log!",
        "Give e.g. 'a.b@lakes.test' as user name",
        'Give e.g. "fish@lakes.test" as user name',
    ],
)
def test_names_and_values_stay_as_they_are(told):
    assert condensed(told) == told


@pytest.mark.parametrize(
    "told",
    [
        "Send a message to a Discord channel.",
        "Send a Telegram message to a chat.",
        "Sign up a new user.",
        "Subscribe to a channel",
        "Returns the pricing of a product.",
        "Lists the plans that a customer can upgrade to",
        "Cancel a subscription for a user",
        "Gets copyright information about a song",
        "Check the website status",
        "Check the link for phishing",
        "Read page content",
        "Read a page.",
        "List the donations of a campaign",
        "Used to see the next page of movies",
        "Get market sentiment for tokens powered by Token Metrics",
        "Entries of this kind are only there with the premium plan.",
        "The endpoint returns the last messages of a Telegram channel",
    ],
)
def test_what_an_api_does_is_not_taken_for_an_advertisement(told):
    assert not is_boilerplate(told)
    assert condensed(told) == told
    assert condensed(f"{told.rstrip('.')}. It is fast.") == f"{told.rstrip('.')}. It is fast."


@pytest.mark.parametrize(
    "said",
    [
        "Sign up here to get a key",
        "Please visit our website at https://a.b for more details!",
        "For more info, see [the docs](https://a.b).",
        "If you have questions or comments, please contact us.",
        "Join our Discord to find out more",
        "Welcome to the Lakes API!",
        "Any problems? Email us",
        "Feel free to reach out",
        "Try it with the free plan",
        "Powered by Lakes",
        "Copyright 2020 by Lakes. All rights reserved",
        "Click here for the documentation",
    ],
)
def test_an_advertisement_goes_where_something_else_is_said(said):
    assert condensed(f"{said}\nLists fish.") == "Lists fish."
    assert condensed(said) != ""


def test_what_a_model_wrote_keeps_every_sentence():
    assert cleaned("Lists **fish**. See the docs.", 160) == "Lists fish. See the docs."
    assert cleaned("Get fish", 160, "get_fish") == ""


@pytest.mark.parametrize(
    ("raw", "short"),
    [
        ("Use <city>,<country> as the query", "Use <city>,<country> as the query"),
        ("if x<y and y>z then ok", "if x<y and y>z then ok"),
        ("if a<b and c>d", "if a<b and c>d"),
        ("The <code> of it, &lt;id&gt;", "The <code> of it, <id>"),
        ("The <code>id</code> of <TITLE lang='en'>it</TITLE>", "The id of it"),
        ("See <img src=x onerror=y><b>it</b>", "See it"),
        ("A photo [![Telegram](https://a.b/c", "A photo"),
    ],
)
def test_only_markup_is_stripped_of_what_stands_in_angles(raw, short):
    assert condensed(raw) == short


def test_what_follows_the_name_alone_is_cut_instead():
    states = "State Code\n" + ", ".join(f"S{n}" for n in range(60))
    assert condensed(states, 40, "state_code") == "S0, S1, S2, S3, S4, S5, S6, S7, S8..."


def test_what_only_repeats_the_name_is_empty():
    assert condensed("Get fish.", name="get_fish") == ""
    assert condensed("Get Fish of a lake", name="get_fish") == "Get Fish of a lake"


def test_whole_sentences_stay_below_the_limit():
    assert condensed("One two three. Four five six. Seven eight nine.", 30) == "One two three. Four five six."
    assert condensed("one two three four five six seven", 20) == "one two three..."


@given(st.text(max_size=400), st.integers(min_value=20, max_value=120))
def test_it_is_one_line_no_longer_than_allowed_and_ends_there(text, longest):
    once = condensed(text, longest)
    assert len(once) <= longest
    assert "\n" not in once
    assert len(condensed(once, longest)) <= len(once)


@pytest.mark.parametrize(
    ("told", "default", "short"),
    [
        ("Default value is 5", 5, ""),
        ("Number of rows, default 10, at most 100", 10, "Number of rows, at most 100"),
        ("Number of rows (default 10, at most 100)", 10, "Number of rows (default 10, at most 100)"),
        ("CSV or JSON. Default JSON", "json", "CSV or JSON"),
        ("Default 500; max 1000.", 500, "max 1000."),
        ("Default 30 when no date is given", 30, "Default 30 when no date is given"),
        ("The unit; defaults to `km`.", "km", "The unit"),
        ("Number of rows, default 100", 10, "Number of rows, default 100"),
        ("Number of rows, default 10.5", 10, "Number of rows, default 10.5"),
        ("Whether it is on, default true", True, "Whether it is on"),
        ("The default unit", "km", "The default unit"),
        ("Which default category", "food", "Which default category"),
        ("Which default category", "", "Which default category"),
    ],
)
def test_a_default_that_the_schema_has_is_not_told_again(told, default, short):
    assert without_default(condensed(told), default) == short


@pytest.mark.parametrize("signs", [" ", "|", "\t ", "[", "![", "a.", "[x]("])
def test_no_row_of_signs_takes_long(signs):
    said = condensed(f"Get a fish. {signs * 400_000} Now.")  # it would take hours to read all of it
    assert said.startswith("Get a fish.")
