"""OAuth 2's client credentials: a token fetched once, used until it ends, fetched anew when it is refused."""

import asyncio
import base64
import json
from urllib.parse import parse_qs, quote_plus

import httpx
import pytest

from tests.support.http_server import JSON, Answer
from toolquiver.calling import CallError
from toolquiver.calling.http import HttpCaller
from toolquiver.calling.http.credentials import Held, Keys
from toolquiver.calling.http.exchange import Reply
from toolquiver.calling.http.oauth import Tokens
from toolquiver.catalog.operation import Credential

CLIENT, SECRET = "my client", "s3cret/1234"


@pytest.fixture(autouse=True)
def _client(monkeypatch):
    monkeypatch.setenv("CLIENT", CLIENT)
    monkeypatch.setenv("SECRET", SECRET)


def granted(token="token-1", **more):
    return Answer(headers=JSON, body=json.dumps({"access_token": token, "token_type": "bearer"} | more).encode())


def oauth(server, *scopes, path="/token"):
    return Credential(key="auth", kind="oauth2", token_url=f"{server.url}{path}", scopes=scopes)


def settings(server, **more):
    return server.settings(**({"credentials": {"auth": ("CLIENT", "SECRET")}} | more))


def calls(server, times=1, *scopes, **more):
    """So many calls with one caller."""
    api = server.api("/x", credentials=((oauth(server, *scopes),),))
    caller = HttpCaller(settings(server, **more))

    async def made():
        return [(await caller.call(api, {})).text for _ in range(times)]

    return asyncio.run(made())


def paths(server):
    return [got.path for got in server.got]


def test_a_token_is_fetched_with_the_client_s_secret_and_kept(server):
    server.answers(granted(expires_in=3600), Answer(body=b"fine"))
    assert calls(server, 2, "read", "write") == ["fine", "fine"]
    assert paths(server) == ["/token", "/x", "/x"]
    asked, *others = server.got
    assert asked.method == "POST"
    assert parse_qs(asked.body.decode()) == {"grant_type": ["client_credentials"], "scope": ["read write"]}
    pair = base64.b64decode(asked.headers["authorization"].removeprefix("Basic ")).decode()
    assert pair == "my+client:s3cret%2F1234"
    assert [got.headers["authorization"] for got in others] == ["Bearer token-1"] * 2


def test_a_token_that_is_refused_is_fetched_anew_once(server):
    server.answers(granted("old"), Answer(), Answer(401), granted("new"), Answer(body=b"fine"))
    assert calls(server, 2)[1] == "fine"
    assert paths(server) == ["/token", "/x", "/x", "/token", "/x"]
    assert server.got[-1].headers["authorization"] == "Bearer new"


def test_a_client_that_may_not_call_is_told_so(server):
    server.answer = lambda got: granted() if got.path == "/token" else Answer(401, body=b"no token-1 here")
    with pytest.raises(CallError, match="401") as caught:
        calls(server)
    assert caught.value.kind == "unauthorized"
    assert "token-1" not in str(caught.value)
    assert paths(server) == ["/token", "/x"] * 2


@pytest.mark.parametrize(
    "answer",
    [
        Answer(401, JSON, b'{"error": "access_denied"}'),
        Answer(401, JSON, b'{"error": {"code": "invalid_client"}}'),
        Answer(403, JSON, b'{"error": "invalid_client"}'),
        Answer(200, JSON, b'{"token": "x"}'),
        Answer(200, {}, b"<html>" + SECRET.encode()),
        Answer(500),
    ],
)
def test_a_server_that_grants_no_token_is_named(server, answer):
    server.answers(answer)
    with pytest.raises(CallError, match=r"127\.0\.0\.1 grants no token for 'auth'") as caught:
        calls(server)
    assert caught.value.kind == "unauthorized"
    assert SECRET not in str(caught.value)
    assert paths(server) == ["/token"]


def in_form_only(got):
    """A server that takes a client's id and secret in the form, and not as HTTP Basic."""
    if got.path != "/token":
        return Answer(body=b"fine")
    if parse_qs(got.body.decode()).get("client_secret") != [SECRET] or "authorization" in got.headers:
        return Answer(401, JSON, b'{"error": "invalid_client"}')
    return granted(expires_in=1)


def test_a_server_that_knows_no_basic_gets_the_secret_in_the_form(server):
    server.answer = in_form_only
    assert calls(server) == ["fine"]
    first, second, _ = server.got
    assert base64.b64decode(first.headers["authorization"].removeprefix("Basic "))
    assert "client_secret" not in first.body.decode()
    form = {"grant_type": ["client_credentials"], "client_id": [CLIENT], "client_secret": [SECRET]}
    assert parse_qs(second.body.decode()) == form


def test_where_the_secret_goes_is_remembered(server):
    clock = [0.0]
    tokens, keys, asked = Tokens(clock=lambda: clock[0]), Keys(), []

    async def send(request, keys):
        asked.append((dict(keys.headers), request.is_secret))
        refused = b'{"error": "invalid_client"}'
        return Reply(
            method="POST",
            status=200 if request.is_secret else 400,
            headers=httpx.Headers(JSON),
            content=b'{"access_token": "t"}' if request.is_secret else refused,
        )

    for _ in range(2):
        assert asyncio.run(tokens.token(Held(oauth(server), (CLIENT, SECRET)), keys, send)) == "t"
        clock[0] += 1_000
    assert [(bool(headers), is_secret) for headers, is_secret in asked] == [(True, False), (False, True), (False, True)]
    assert SECRET not in repr(tokens)


@pytest.mark.parametrize("status", [400, 401])
def test_a_client_that_is_known_neither_way_is_told_once(server, status):
    refused = f'{{"error": "invalid_client", "error_description": "not {quote_plus(SECRET)}, {SECRET}"}}'
    server.answers(Answer(status, JSON, refused.encode()))
    with pytest.raises(CallError, match=rf"grants no token for 'auth' \(status {status}\)") as caught:
        calls(server)
    assert SECRET not in str(caught.value)
    assert paths(server) == ["/token"] * 2


def test_a_secret_in_the_form_follows_no_redirect_to_another_host(server):
    elsewhere = Answer(307, {"Location": "http://other.test/token"})
    server.answers(Answer(400, JSON, b'{"error": "invalid_client"}'), elsewhere)
    with pytest.raises(CallError, match="another host with a credential in the body"):
        calls(server)
    assert paths(server) == ["/token"] * 2


def test_the_place_of_the_tokens_is_guarded_too(server):
    server.answers(granted(), Answer())
    api = server.api(credentials=((oauth(server).model_copy(update={"token_url": "http://evil.test/"}),),))
    with pytest.raises(CallError, match="hosts"):
        server.call(api, hosts=("127.0.0.1",), credentials={"auth": ("CLIENT", "SECRET")})
    for place in ("http://10.0.0.1/token", "file:///token", "/token", "http://a.test:x/"):
        api = server.api(credentials=((oauth(server).model_copy(update={"token_url": place}),),))
        with pytest.raises(CallError) as caught:
            server.call(api, credentials={"auth": ("CLIENT", "SECRET")})
        assert caught.value.kind in {"blocked", "unknown_api"}
    assert server.got == []


def test_a_token_ends_before_it_expires(server):
    now = [0.0]
    tokens, made = Tokens(clock=lambda: now[0]), []
    one = Held(oauth(server), (CLIENT, SECRET))

    async def send(request, keys):
        made.append(request)
        return type(
            "Reply", (), {"content": json.dumps({"access_token": f"t{len(made)}", "expires_in": 100}), "status": 200}
        )

    def token():
        return asyncio.run(tokens.token(one, keys, send))

    keys = Keys()
    assert token() == "t1"
    now[0] = 69
    assert token() == "t1"
    now[0] = 71
    assert token() == "t2"
    assert {"t1", "t2", SECRET} <= keys.secrets
    assert SECRET not in repr(tokens)
    assert tokens.forget(one)
    assert not tokens.forget(one)
