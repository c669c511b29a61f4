"""Documentation condensed by rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.catalog.condense import condensed


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
        ("Lists fish. Sign up for a free plan. Contact us on Discord.", "Lists fish."),
        ("Lists fish. See our documentation for the rest. Click here.", "Lists fish."),
        ("The unit (default: km)", "The unit"),
        ("The unit, default is `km`", "The unit"),
        ("Default value: 10", ""),
        ("Sends it.\n```python\nimport fish\n```", "Sends it."),
        ("snake_case_names and 2*3*4 stay", "snake_case_names and 2*3*4 stay"),
    ],
)
def test_what_says_nothing_is_stripped(raw, short):
    assert condensed(raw) == short


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
