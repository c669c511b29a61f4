"""One word that is made of several."""

import pytest

from toolquiver.nodes.texts.compounds import parted

SAID = "when do the sun rise and set for the user by name who can play her day today".split()
FILLING = frozenset(["get", "name", "list", "all"])


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("sunset", ["sun", "set"]),
        ("getSunrise", ["get", "sun", "rise"]),
        ("getdaybyuser", ["get", "day", "by", "user"]),
        ("username", ["username"]),  # filling is no word of its own
        ("playlist", ["playlist"]),
        ("together", ["together"]),
        ("sunday", ["sun", "day"]),
        ("today", ["today"]),
        ("inset", ["inset"]),
        ("by", ["by"]),
        ("", [""]),
    ],
)
def test_a_word_is_parted_where_two_of_its_parts_are_said(word, parts):
    assert parted(word, SAID, FILLING) == parts


def test_a_long_word_of_many_ways_is_parted_at_once():
    assert parted("a" * 60 + "b", {"a" * length for length in range(3, 40)}) == ["a" * 60 + "b"]
