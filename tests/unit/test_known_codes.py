"""Codes that stand in other texts, in one or in groups."""

import re

import pytest

from toolquiver.nodes.texts.known_codes import stands_grouped, without_codes


@pytest.mark.parametrize(
    ("source", "known"),
    [
        ("DE89 3704 0044 0532 01", True),
        ("It is\nde89-3704.0044 (0532) 01.", True),
        ("xDE8937040044053201, DE8937040044053201", True),
        ("DE893704004405320100", False),
        ("7-DE8937040044053201", False),
        ("DE89   3704 0044 0532 01", False),
        ("", False),
    ],
)
def test_a_code_stands_whole_in_whatever_groups(source, known):
    assert stands_grouped("DE89 370400440532 01", [source]) is known


def test_a_decimal_number_is_no_code():
    assert not stands_grouped("1234567", ["1234.567"])


def test_no_pattern_is_built_for_each_of_many_codes(monkeypatch):
    codes = [f"DE{number:018}" for number in range(700)]
    compiled = []
    monkeypatch.setattr(re, "compile", lambda *pattern: compiled.append(pattern))
    assert not without_codes(", ".join(codes), [" and ".join(codes)]).strip(" ,")
    assert compiled == []
