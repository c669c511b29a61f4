"""One word that is made of several."""

import pytest

from toolquiver.nodes.texts.compounds import parted

KNOWN = {"sun", "set", "rise", "get", "user", "name", "all", "sunset", "solutions", "random", "ran"}


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("sunrise", ["sun", "rise"]),
        ("getUserByName", ["get", "user", "by", "name"]),
        ("getallsolutions", ["get", "all", "solutions"]),
        ("randomuser", ["random", "user"]),
        ("sunset", ["sunset"]),
        ("sunshine", ["sunshine"]),
        ("together", ["together"]),
        ("by", ["by"]),
        ("", [""]),
    ],
)
def test_a_word_is_parted_where_all_its_parts_are_known(word, parts):
    assert parted(word, KNOWN) == parts


def test_a_long_word_of_many_ways_is_parted_at_once():
    assert parted("a" * 60 + "b", {"a" * length for length in range(3, 40)}) == ["a" * 60 + "b"]
