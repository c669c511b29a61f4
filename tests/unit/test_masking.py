"""Secrets of the environment are masked, whole, in texts and in data."""

import json

import pytest

from toolquiver.masking import masked, masked_values

NASTY = 'sk-"marker"-\n8f2c'


@pytest.fixture(autouse=True)
def secret(monkeypatch):
    monkeypatch.setenv("MY_KEY", NASTY)


@pytest.mark.parametrize("names", [("A_TOKEN", "B_TOKEN"), ("B_TOKEN", "A_TOKEN")])
def test_a_secret_that_begins_with_another_is_masked_whole(monkeypatch, names):
    for name, value in sorted(zip(names, ("abcd1234", "abcd1234efgh5678"), strict=True)):
        monkeypatch.setenv(name, value)
    assert masked("It is abcd1234efgh5678, or abcd1234.") == "It is [hidden], or [hidden]."


def test_it_is_found_in_json_too():
    assert masked(json.dumps({"key": NASTY})) == '{"key": "[hidden]"}'
    assert masked_values([json.dumps(NASTY)]) == ['"[hidden]"']


def test_what_is_short_or_called_no_secret_stays(monkeypatch):
    monkeypatch.setenv("PIN_TOKEN", "1234")
    monkeypatch.setenv("EDITOR", "/usr/bin/vim")
    assert masked("1234 /usr/bin/vim") == "1234 /usr/bin/vim"


def test_data_keep_their_shape(monkeypatch):
    monkeypatch.setenv("PIN_TOKEN", "12345678")
    data = {"12345678": 12345678, "a": ["b 12345678", None, True, 1.5, {"c": {"d": NASTY}}]}
    assert masked_values(data) == {"12345678": 12345678, "a": ["b [hidden]", None, True, 1.5, {"c": {"d": "[hidden]"}}]}
