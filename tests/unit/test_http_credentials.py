"""Secrets: read when a request is built, sent where they belong, and seen nowhere else."""

import asyncio
import base64
import html
import json
import logging
import re
import traceback
from functools import reduce
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from tests.support.http_server import JSON, Answer, text
from toolquiver.calling import CallError
from toolquiver.calling.http import HttpCaller, HttpSource
from toolquiver.calling.http.credentials import HIDDEN, Held, Keys, add, held
from toolquiver.calling.mcp import McpSource
from toolquiver.catalog.operation import Credential

MARKER = "mark/er+\"2f9c41='é"
PLAIN = "sk-marker-2f9c41"


def key(kind="api_key", name="X-Key", location="header", *, called="key"):
    return Credential(key=called, kind=kind, name=name, location=location)


def call(server, *credentials, named=None, arguments=None, placements=(), **more):
    """Call with credentials that `named` names, by default one in the variable A_KEY."""
    alternatives = credentials if credentials and isinstance(credentials[0], tuple) else (credentials,)
    api = server.api(credentials=alternatives, placements=placements)
    return server.call(api, arguments, credentials={"key": "A_KEY"} if named is None else named, **more)


def refusal(*arguments, **options):
    with pytest.raises(CallError) as caught:
        call(*arguments, **options)
    assert caught.value.kind == "unauthorized"
    return str(caught.value)


@pytest.fixture(autouse=True)
def _variables(monkeypatch):
    for name, value in {"A_KEY": PLAIN, "A_USER": "me", "A_PAIR": f"me:{PLAIN}", "EMPTY": " "}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("MISSING", raising=False)


def test_an_api_key_is_sent_where_the_document_says(server):
    call(server, key())
    call(server, key(location="query", name="api key"))
    call(server, key(location="cookie", name="session"), placements=[("c", "cookie")], arguments={"c": 1})
    header, query, cookie = server.got
    assert header.headers["x-key"] == PLAIN
    assert query.path == f"/?api%20key={PLAIN}"
    assert cookie.headers["cookie"] == f"c=1; session={PLAIN}"


def test_a_bearer_token_and_a_password_are_sent_as_authorization(server):
    call(server, key("bearer"))
    call(server, key("oauth2"))  # a token that is there already
    call(server, key("basic"), named={"key": ("A_USER", "A_KEY")})
    call(server, key("basic"), named={"key": "A_PAIR"})
    pair = base64.b64encode(f"me:{PLAIN}".encode()).decode()
    sent = [got.headers["authorization"] for got in server.got]
    assert sent == [f"Bearer {PLAIN}"] * 2 + [f"Basic {pair}"] * 2


@pytest.mark.parametrize("ending", ["", ":"])
def test_a_key_may_be_the_user_of_a_pair_without_a_password(server, monkeypatch, ending):
    monkeypatch.setenv("A_USER_ALONE", f"{PLAIN}{ending}")
    server.answers(Answer(body=f"hello {PLAIN}".encode()))
    said = text(call(server, key("basic"), named={"key": "A_USER_ALONE"}))
    assert server.got[-1].headers["authorization"] == "Basic " + base64.b64encode(f"{PLAIN}:".encode()).decode()
    assert PLAIN not in said


def test_a_credential_is_stronger_than_an_argument(server):
    call(server, key(), placements=[("x-key", "header")], arguments={"x-key": "other"})
    assert server.got[0].headers["x-key"] == PLAIN
    for location in ("query", "cookie"):
        call(
            server,
            key(name="k", location=location),
            placements=[("k", location), ("a", location)],
            arguments={"k": 1, "a": 2},
        )
    assert server.got[1].path == f"/?a=2&k={PLAIN}"
    assert server.got[2].headers["cookie"] == f"a=2; k={PLAIN}"


def test_a_key_that_was_named_twice_is_hidden_too(server):
    server.answer = lambda got: Answer(body=got.headers["authorization"].encode())
    assert text(call(server, key("bearer"), named={"key": ("A_KEY", "A_USER")})) == f"Bearer {HIDDEN}"


def test_the_first_alternative_that_can_be_met_is_taken(server):
    first, second = key(called="first", name="X-First"), key(called="second", name="X-Second")
    named = {"first": "MISSING", "second": "A_KEY"}
    call(server, (first,), (second,), named=named)
    call(server, (first, second), (second,), named=named)
    call(server, (key("other"),), (second,), named=named)
    call(server, (), (second,), named=named)
    assert [("x-second" in got.headers, "x-first" in got.headers) for got in server.got] == [(True, False)] * 4


def test_all_members_of_an_alternative_are_sent(server):
    call(server, key(called="a", name="X-A"), key(called="b", name="X-B"), named={"a": "A_KEY", "b": "A_USER"})
    assert (server.got[0].headers["x-a"], server.got[0].headers["x-b"]) == (PLAIN, "me")


def test_nothing_is_sent_where_nothing_is_needed_or_nothing_is_there(server):
    server.call(server.api(), credentials={"key": "A_KEY"})
    call(server, (), (key(),), named={})
    call(server, (key(),), (), named={"key": "MISSING"})
    assert all("x-key" not in got.headers for got in server.got)


def test_what_is_missing_is_named(server):
    assert refusal(server, key(), named={}) == (
        "The credential 'key' is needed. Name the environment variable that holds it in the source's settings:"
        " credentials={'key': 'NAME'}, or `--credential key=NAME`."
    )
    assert refusal(server, key(), named={"key": "MISSING"}) == "Set MISSING in the environment: the credential 'key'."
    assert "EMPTY" in refusal(server, key(), named={"key": "EMPTY"})
    assert "A_USER and MISSING" in refusal(server, key("basic"), named={"key": ("A_USER", "MISSING")})
    assert "cannot be sent" in refusal(server, key("other"))
    assert server.got == []


def test_a_variable_is_read_when_the_request_is_built(server, monkeypatch):
    caller = HttpCaller(server.settings(credentials={"key": "A_KEY"}))
    api = server.api(credentials=((key(),),))
    for value in ("first-value", " second-value\n"):
        monkeypatch.setenv("A_KEY", value)
        asyncio.run(caller.call(api, {}))
    assert [got.headers["x-key"] for got in server.got] == ["first-value", "second-value"]


@pytest.mark.parametrize("kind", ["api_key", "bearer"])
def test_a_secret_of_two_lines_is_refused_and_not_told(server, monkeypatch, kind):
    monkeypatch.setenv("A_KEY", f"{PLAIN}\r\nX-Evil: 1")
    message = refusal(server, key(kind))
    assert "'key' cannot be sent" in message
    assert PLAIN not in message


def test_a_secret_that_is_no_text_is_sent_as_well_as_it_can_be(server, monkeypatch):
    monkeypatch.setenv("A_KEY", "half\udc80")
    call(server, key())
    call(server, key("basic"), named={"key": ("A_USER", "A_KEY")})
    assert server.got[0].headers["x-key"] == "half?"


def test_a_secret_that_is_too_long_for_an_address_is_not_told(server, monkeypatch):
    monkeypatch.setenv("A_KEY", PLAIN * 5_000)
    with pytest.raises(CallError) as caught:
        call(server, key(location="query"))
    assert caught.value.kind == "network"
    assert PLAIN not in str(caught.value)


def test_the_name_of_a_cookie_stays_a_name(server):
    call(server, key(location="cookie", name="a;\r\nb: c"))
    assert server.got[0].headers["cookie"] == f"a%3B%0D%0Ab%3A%20c={PLAIN}"


@pytest.mark.parametrize("wrong", ["sk-live-1234", "a b", "", ("A", "sk-live-1234"), "1A"])
def test_a_secret_in_the_place_of_a_name_is_refused_and_not_told(wrong):
    with pytest.raises(ValidationError) as caught:
        HttpSource(credentials={"key": wrong})
    assert "sk-live" not in str(caught.value)


SECRETS = ["ghp_16C7e42F292c6912E7710c838347Ae178B4a", "sk_live_51H8x", "AKIAIOSFODNN7EXAMPLE", "a1b2" * 8]


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_that_could_be_a_name_is_refused_unless_it_is_one(monkeypatch, secret):
    for make in (
        lambda: HttpSource(credentials={"key": secret}),
        lambda: McpSource(url="https://a.test", bearer=secret),
    ):
        with pytest.raises(ValidationError, match="looks like a secret") as caught:
            make()
        assert secret not in str(caught.value)
    monkeypatch.setenv(secret, "x")
    assert HttpSource(credentials={"key": secret}).credentials == {"key": secret}


@pytest.mark.parametrize("name", ["SHOP_KEY", "ghost_key", "my_company_service2_client_secret", "A" * 40 + "1"])
def test_a_name_is_no_secret(name):
    assert HttpSource(credentials={"key": name}).credentials == {"key": name}


def escaped(text, characters="+&<>'\"é"):
    """JSON's inside as .NET writes it: more is escaped than must be."""
    return "".join(f"\\u{ord(one):04X}" if one in characters else one for one in text)


ECHOES = [
    Answer(401, JSON, f'{{"error":"bad key {escaped(MARKER)}"}}'.encode()),
    Answer(500, JSON, f'{{"error":"bad key {escaped(MARKER, MARKER).lower()}"}}'.encode()),
    Answer(500, JSON, json.dumps({"error": f'{{"inside": "bad key {escaped(MARKER)}"}}'}).encode()),
    Answer(500, JSON, f'["{escaped(MARKER)}",{"[" * 90_000}'.encode()),
    Answer(body=f'{{"a":"{escaped(MARKER)}"}}\n{{"a":"{escaped(MARKER).lower()}"}}\n'.encode()),
    Answer(
        headers={"Content-Type": "text/xml"}, body=f"<key>{html.escape(MARKER).replace('+', '&#x2B;')}</key>".encode()
    ),
    Answer(body=f"you said {MARKER}".encode()),
    Answer(headers=JSON, body=json.dumps({"echo": MARKER}).encode()),
    Answer(headers=JSON, body=json.dumps({"echo": MARKER}, ensure_ascii=False).replace("/", "\\/").encode()),
    Answer(headers=JSON, body=json.dumps({"error": f"bad key {MARKER}"}).encode()),
    Answer(500, JSON, json.dumps({"error": f"bad key {MARKER}"}).encode()),
    Answer(401, {}, f"<p>bad key {html.escape(MARKER)}</p>".encode()),
    Answer(
        403, {}, f"/?key={quote(MARKER)} and {quote(MARKER, safe='')} and {quote(MARKER, safe='').lower()}".encode()
    ),
    Answer(headers=JSON, body=f'{{"broken": "{MARKER}'.encode()),
    Answer(302, {"Location": f"/?key={quote(MARKER)}"}),
    Answer(302, {"Location": f"http://evil.test/?key={quote(MARKER)}"}),
    Answer(400, JSON, b'{"x": "' + b"y" * 280 + json.dumps(MARKER).encode()[1:] + b"}"),
]


def marks(text):
    """The pieces of the marker that stand in a text, or in what its escapes mean."""
    read = text.lower() + re.sub(r"\\u([0-9a-f]{4})", lambda code: chr(int(code[1], 16)), text.lower())
    return [piece for piece in ("2f9c41", "mark/er", "mark%2f", "mark\\/") if piece in read]


@pytest.mark.parametrize("echo", ECHOES)
@pytest.mark.parametrize("credential", [key(location="query", name="key"), key("basic")])
def test_a_server_that_repeats_a_secret_does_not_give_it_away(server, monkeypatch, caplog, echo, credential):
    monkeypatch.setenv("A_KEY", MARKER)
    server.answers(echo)
    named = {"key": ("A_USER", "A_KEY")} if credential.kind == "basic" else None
    with caplog.at_level(logging.DEBUG):
        try:
            seen = text(call(server, credential, named=named))
        except CallError as error:
            seen = "".join(traceback.format_exception(error)) + repr(error.__cause__) + repr(error.__context__)
    assert server.got
    assert marks(seen) == []
    if echo.status != 302:
        assert marks(caplog.text) == []


def test_the_pair_of_a_password_is_hidden_too(server):
    server.answer = lambda got: Answer(body=got.headers["authorization"].encode())
    assert text(call(server, key("basic"), named={"key": ("A_USER", "A_KEY")})) == f"Basic {HIDDEN}"


@pytest.mark.parametrize("name", ["Content-Encoding", "Content-Type", "ETag", "Location"])
def test_a_secret_that_comes_back_in_a_header_is_hidden(server, name):
    value = f"http://{PLAIN}.test/" if name == "Location" else PLAIN
    server.answers(Answer(302 if name == "Location" else 200, {name: value}, b"\0"))
    try:
        seen = text(call(server, key()))
    except CallError as error:
        seen = str(error)
    assert "2f9c41" not in seen


def test_nothing_that_holds_a_secret_prints_it(server):
    keys = Keys()
    for credential in (key(), key(location="query"), key(location="cookie"), key("bearer"), key("basic")):
        one = Held(credential, ("me", PLAIN) if credential.kind == "basic" else (PLAIN,))
        add(keys, credential, one.values)
        assert PLAIN not in repr(one) + str(one) + f"{one}"
    assert PLAIN not in repr(keys)
    caller = HttpCaller(server.settings(credentials={"key": "A_KEY"}))
    assert PLAIN not in repr(caller) + repr(vars(caller))


def test_values_are_held_in_the_order_of_their_variables():
    source = HttpSource(credentials={"key": ("A_USER", "A_KEY")})
    assert held(((key("basic"),),), source) == [Held(key("basic"), ("me", PLAIN))]


@given(st.text(min_size=4), st.text(), st.sampled_from([str, quote, lambda text: json.dumps(text)[1:-1]]))
def test_a_secret_is_hidden_however_it_is_written(secret, around, way):
    keys = Keys(secrets={secret})
    assert way(secret) not in keys.hide(f"{around}{way(secret)}{around}").replace(HIDDEN, "")


NESTED = [
    lambda text, times=times: reduce(lambda inner, _: json.dumps(inner)[1:-1], range(times), text) for times in (2, 3)
]


@given(st.text('\\"+/&% é\n🎈a', min_size=4), st.sampled_from([escaped, quote_plus, *NESTED, html.escape]))
def test_a_secret_of_signs_is_hidden_whole(secret, way):
    assert Keys(secrets={secret}).hide(f"<{way(secret)}>") == f"<{HIDDEN}>"


@pytest.mark.parametrize(
    ("secret", "nearly"),
    [("+" * 40, "+" * 39), ('\\"' * 40, '\\\\\\"' * 39), ("&" * 40, "&amp;" * 39), ("\\" * 40, "\\" * 39)],
)
def test_what_is_nearly_a_secret_takes_no_time(secret, nearly):
    assert Keys(secrets={f"{secret}!"}).hide(nearly * 1_000) == nearly * 1_000


@pytest.mark.parametrize("scheme", ["Bearer", "token", "Api-Key"])
def test_a_secret_is_hidden_without_its_scheme_too(scheme):
    assert Keys(secrets={f"{scheme} sk-live-12"}).hide("Wrong key: sk-live-12") == f"Wrong key: {HIDDEN}"
    pair = base64.b64encode(b"ada:pass:word").decode()
    assert Keys(secrets={f"Basic {pair}"}).hide(f"{pair}, pass:word, ada") == f"{HIDDEN}, {HIDDEN}, ada"
    assert Keys(secrets={"Basic no pair"}).hide("no pair") == HIDDEN


def test_short_secrets_do_not_garble_texts():
    assert Keys(secrets={"a", ""}).hide("banana") == "banana"
