"""Texts that a model wrote up to its limit."""

import pytest

from toolquiver.nodes.texts.broken_off import ended


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("Says when the sun rises and when it sets", "Says when the sun rises and when it sets"),
        ("Finds cities. It really finds them. It re", "Finds cities. It really finds them."),
        ("Finds cities, villages and towns, and som", "Finds cities, villages and towns"),
        ("Dr. Smith lives in town and he has a long", "Dr. Smith lives in town and he has a long"),
        ("It finds e.g. towns. It does, as is well k", "It finds e.g. towns."),
        ("Name of the place for which a sunset is w", "Name of the place"),
        ("Name of the planet to be seen (Venus in t", "Name of the planet to be seen"),
        ("Name of the planet (Venus) to be seen at ", "Name of the planet (Venus) to be seen at"),
        ("Says when the sun sets at a certain place", "Says when the sun sets at a certain place"),
        ("Says when the sun sets at 51.5 degrees no", "Says when the sun sets at 51.5 degrees no"),
    ],
)
def test_what_was_broken_off_ends_where_something_ends(written, kept):
    limit = 41 if len(written) > 40 else 44
    assert ended(written, limit) == kept
