"""Secrets of the environment are masked, whole, in texts and in data."""

import html
import json
from urllib.parse import quote, quote_plus

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


@pytest.mark.parametrize("way", [quote_plus, lambda text: quote(text, safe=""), html.escape, json.dumps, repr])
def test_it_is_found_however_it_is_written(monkeypatch, way):
    secret = 'to"ken\\<é>+/ 12'
    monkeypatch.setenv("MY_KEY", secret)
    written = way(secret).strip("'") if way is repr else way(secret).strip('"')
    assert masked(f"for url: https://a.test/?key={written}&n=1") == "for url: https://a.test/?key=[hidden]&n=1"
    assert masked(json.dumps(json.dumps([secret]))) == '"[\\"[hidden]\\"]"'


@pytest.mark.parametrize("name", ["GITHUB_PAT", "PGPASS", "DB_PASS", "MYSQL_PWD", "AUTH", "SENTRY_DSN", "BEARER"])
def test_names_that_say_that_they_are_secret(monkeypatch, name):
    monkeypatch.setenv(name, "hunter2hunter2")
    assert masked("It is hunter2hunter2.") == "It is [hidden]."


@pytest.mark.parametrize("name", ["PWD", "SSH_AUTH_SOCK", "PATIENCE", "AUTHOR", "COMPASS"])
def test_names_that_only_look_like_it(monkeypatch, name):
    monkeypatch.setenv(name, "/srv/ada/work")
    assert masked("It is in /srv/ada/work.") == "It is in /srv/ada/work."


def test_of_a_url_the_password_is_masked(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://ada:S3cret%2FPw@h/db")
    monkeypatch.setenv("TEST_URL", "postgres://postgres:postgres@h/db")
    assert masked("postgres://ada:S3cret%2FPw@h/db: S3cret/Pw") == "postgres://ada:[hidden]@h/db: [hidden]"


def test_what_is_short_or_called_no_secret_stays(monkeypatch):
    monkeypatch.setenv("PIN_TOKEN", "1234")
    monkeypatch.setenv("EDITOR", "/usr/bin/vim")
    assert masked("1234 /usr/bin/vim") == "1234 /usr/bin/vim"


def test_data_keep_their_shape(monkeypatch):
    monkeypatch.setenv("PIN_TOKEN", "12345678")
    data = {"12345678": 12345678, "a": ["b 12345678", None, True, 1.5, {"c": {"d": NASTY}}]}
    assert masked_values(data) == {"12345678": 12345678, "a": ["b [hidden]", None, True, 1.5, {"c": {"d": "[hidden]"}}]}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SPRING_AUTH_METHOD", "certificate"),
        ("XDG_SESSION_AUTH", "kerberos"),
        ("PASS_DIR", "/srv/user"),
        ("DATABASE_URL", "postgres://app:password@localhost/db"),
    ],
)
def test_ordinary_words_stay(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    said = "A certificate or kerberos of /srv/user, and my password"
    assert masked(said) == said


def test_a_secret_in_other_letters_is_another_word(monkeypatch):
    monkeypatch.setenv("KEYBOARD_LAYOUT", "Deutsch-1")
    assert masked("deutsch-1") == "deutsch-1"
