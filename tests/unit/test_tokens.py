"""Counting tokens: with tiktoken's table where it lies, and never over the network."""

import hashlib
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage

from toolquiver.models import tokens as ledger_tokens
from toolquiver.models.tokens import _ADDRESS, _table, count_message_tokens, count_tokens, load_table

MODULE = import_module("toolquiver.models.tokens")  # its package has a function of that name
FILE = hashlib.sha1(_ADDRESS.encode()).hexdigest()


class Words:
    """A stand-in for the table: a token a word."""

    def encode(self, text, disallowed_special):
        assert disallowed_special == ()
        return text.split()


@pytest.fixture
def table(tmp_path, monkeypatch):
    """A folder with a file that passes for tiktoken's table."""
    data = b"the table"
    monkeypatch.setattr(MODULE, "load_table", load_table)
    monkeypatch.setattr(MODULE, "_TABLE_HASH", hashlib.sha256(data).hexdigest())
    monkeypatch.setattr("tiktoken.get_encoding", lambda name: {"o200k_base": Words()}[name])
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    monkeypatch.delenv("DATA_GYM_CACHE_DIR", raising=False)
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / FILE).write_bytes(data)
    _table.cache_clear()
    yield tmp_path / "cache"
    _table.cache_clear()


@pytest.mark.parametrize("variable", ["TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"])
def test_the_table_is_used_where_it_was_fetched_before(table, monkeypatch, variable):
    monkeypatch.setenv(variable, str(table))
    assert count_tokens("three short words <|endoftext|>") == 4


def test_the_table_is_looked_for_where_tiktoken_keeps_it(table, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(table.parent))
    table.rename(table.parent / "data-gym-cache")
    assert count_tokens("three short words") == 3


def no_table(table, monkeypatch):
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(table.parent))


def a_damaged_table(table, monkeypatch):
    (table / FILE).write_bytes(b"half the ta")
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(table))


def no_cache_wanted(table, monkeypatch):
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    monkeypatch.setenv("DATA_GYM_CACHE_DIR", str(table))


@pytest.mark.parametrize("arranged", [no_table, a_damaged_table, no_cache_wanted])
def test_nothing_is_fetched_where_tiktoken_would(table, monkeypatch, arranged):
    def fetched(_):
        pytest.fail("tiktoken was asked, and would start a download")

    monkeypatch.setattr("tiktoken.get_encoding", fetched)
    arranged(table, monkeypatch)
    assert count_tokens("x" * 32) == 10


@given(st.text(), st.text())
def test_estimates_grow_with_the_text(left, right):
    assert count_tokens("") == 0
    assert max(count_tokens(left), count_tokens(right)) <= count_tokens(left + right)
    assert count_tokens(left + right) <= count_tokens(left) + count_tokens(right)


def test_messages_cost_their_text_and_a_frame_each():
    messages = [HumanMessage("x" * 32), AIMessage([{"type": "text", "text": "x" * 32}])]
    assert count_message_tokens(messages) == 2 * (10 + 5)
    assert count_message_tokens([]) == ledger_tokens({}) == 0
