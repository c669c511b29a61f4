"""Documentation condensed by rule: markup and sentences that stand twice go, and nothing by what it means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.catalog.condense import condensed


@pytest.mark.parametrize(
    ("raw", "short"),
    [
        ("Where an airport is.", "Where an airport is."),
        ("Get **bold** and `code` and *this*", "Get bold and code and this"),
        ("This is **for this endpoint. states.**", "This is for this endpoint. states."),
        ("<p>Fish &amp; chips<br/>by <b>name</b></p>", "Fish & chips. by name"),
        ("Gives ![logo](https://a.b/x.png) fish", "Gives fish"),
        ("Gives <!-- all --> fish<script>x()</script>", "Gives. fish"),
        ("# Fish\n\nOne of:\n- cod\n- eel\n", "Fish. One of: cod, eel"),
        ("| fish | price |\n| --- | --- |\n| cod | 3 |", "fish price. cod 3"),
        ("## Changelog\n- Eels too.", "Changelog, Eels too."),
        ("snake_case_names and 2*3*4 and 2**3 stay", "snake_case_names and 2*3*4 and 2**3 stay"),
        ("Get __bold__, ~~gone~~ and *this*.", "Get bold, gone and this."),
    ],
)
def test_markup_is_stripped(raw, short):
    assert condensed(raw) == short


@pytest.mark.parametrize(
    ("raw", "short"),
    [
        ("Lists fish. Lists fish. LISTS FISH!", "Lists fish. LISTS FISH!"),
        ("Lists fish\nLists fish.", "Lists fish"),
        ("day\nday and night", "day. day and night"),
        ("asc: rising\nasc: rising, then size", "asc: rising. asc: rising, then size"),
        ("Call `a.b`. Call `a.c`. Call `a.b`.", "Call a.b. Call a.c."),
    ],
)
def test_of_identical_sentences_the_first_stays(raw, short):
    assert condensed(raw) == short


@pytest.mark.parametrize(
    ("raw", "short"),
    [
        ("Gives [prices](https://a.b/c) of fish", "Gives prices (https://a.b/c) of fish"),
        ("Gives [prices](codes.json 'all') of fish", "Gives [prices](codes.json 'all') of fish"),
        ('Gives [prices](codes.json "all") of fish', "Gives prices (codes.json) of fish"),
        ("By <a class='x' href='https://a.b/__c__'>name</a>", "By name (https://a.b/__c__)"),
        ("[https://a.b](https://a.b), or <https://a.b/d>.", "https://a.b, or https://a.b/d."),
        ("[![Badge](https://a.b/c.svg)](https://a.b) Lists fish.", "Lists fish."),
        ("Send `--form **all** <id>` with it!", "Send --form **all** <id> with it!"),
        (
            "Sends it.\n```sh\ncurl https://a.b/__c__ \\\n  -d *x*\n```\nNow.",
            "Sends it. curl https://a.b/__c__ \\ -d *x*. Now.",
        ),
        ("Sends it: ```import fish```", "Sends it: import fish"),
        ("As <pre><code>{&quot;a&quot;: **1**}</code></pre>", 'As {"a": **1**}'),
    ],
)
def test_code_and_addresses_stay_as_they_are(raw, short):
    assert condensed(raw) == short


@pytest.mark.parametrize(
    "told",
    [
        "Filter: price__gte and price__lte.",
        "Ask for a~~b or c~~d!",
        r"Files: C:\temp\*.txt and D:\*.log.",
        "Accept: text/* and image/*.",
        "Match: *.txt or **/*.log!",
        "Give e.g. 'a.b@lakes.test' as user name",
        'Give e.g. "fish@lakes.test" as user name',
        "Pass one of the region values (eg. FrenchRepublican, French). You can also pass an IMDB ID.",
        "The unit (default: km), or another one.",
        "Lists fish. Sign up for a free plan. Contact us on Discord.",
        "List Fish. List the fish that live in a lake.",
        "Not required for admins. Required.",
        "Do not pass a city name. Pass a city name.",
        "Range is -5 to 5. Range is 5 to 5.",
        "A login such as jack@example.com!",
        "Read it at https://a.b/c?d=e&f=__g__ now.",
        "See the list (https://example.com).",
        "Order: asc|desc; of: >=5",
        "Call now() with [] for all!",
    ],
)
def test_nothing_is_left_out_by_what_it_means(told):
    assert condensed(told) == told


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


def test_what_only_repeats_the_name_is_left_out():
    assert condensed("Get fish.", name="get_fish") == ""
    assert condensed("Get fish. Of a lake.", name="get_fish") == "Of a lake."
    assert condensed("Get Fish of a lake", name="get_fish") == "Get Fish of a lake"
    assert condensed("Get -5.", name="get_5") == "Get -5."


def test_what_is_longer_than_allowed_ends_in_an_ellipsis():
    assert condensed("One two three. Four five six. Seven eight nine.", 30) == "One two three. Four five..."
    assert condensed("one two three four five six seven", 20) == "one two three..."


@given(st.text(max_size=400), st.integers(min_value=20, max_value=120))
def test_it_is_one_line_no_longer_than_allowed(text, longest):
    once = condensed(text, longest)
    assert len(once) <= longest
    assert "\n" not in once
    assert len(condensed(once, longest)) <= len(once)


@pytest.mark.parametrize("signs", [" ", "|", "\t ", "[", "![", "a.", "[x]("])
def test_no_row_of_signs_takes_long(signs):
    said = condensed(f"Get a fish. {signs * 400_000} Now.")  # it would take hours to read all of it
    assert said.startswith("Get a fish.")
