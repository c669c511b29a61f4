"""Sums in a question, which say what is to be done by signs and words between numbers alone."""

import pytest

from toolquiver.catalog import API, Catalog, api_id
from toolquiver.catalog.arithmetic import operations


@pytest.mark.parametrize(
    ("text", "done"),
    [
        ("How much is 8714 plus 3120 plus 4270?", ["add"]),
        ("12+30", ["add"]),
        ("15998.46 minus 719.72", ["subtract"]),
        ("5 x 7", ["multiply"]),
        ("3 * -4", ["multiply"]),
        ("144 divided by 12", ["divide"]),
        ("2^10", ["raise"]),
        ("12.5% of 80", ["percentage"]),
        ("1 + 2 and 3 times 4", ["add", "multiply"]),
    ],
)
def test_what_is_done_with_the_numbers_is_said_in_words(text, done):
    assert [name.split()[0] for name in operations(text)] == done


@pytest.mark.parametrize(
    "text",
    [
        "on 2024-05-01 at 10:30",
        "call +44 20-7946 0958",
        "3 times a day",
        "pages 3/4",
        "a plus 3",
        "5 of 12",
        "4x4 cars",
    ],
)
def test_other_numbers_are_no_sum(text):
    assert operations(text) == []


@pytest.mark.parametrize("text", ["How much is 8714 plus 3120 plus 4270?", "12 + 30"])
def test_a_sum_is_found_by_what_is_done(text):
    texts = {"add": "Add numbers together.", "weather": "How the weather is.", "joke": "A joke."}
    with Catalog.create() as catalog:
        made = {name: api_id("c", "t", name) for name in texts}
        catalog.add(*(API(id=made[n], name=n, description=texts[n], tool=n, category="c") for n in texts))
        assert [hit.api.name for hit in catalog.search(text, dense=False)] == ["add"]
