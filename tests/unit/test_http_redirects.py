"""Redirects: each one through the guard, as the method that RFC 9110 says, without keys for another host."""

import httpx
import pytest

from tests.support.http_server import NAME, Answer, text
from toolquiver.calling import CallError
from toolquiver.calling.guard import allowed_url
from toolquiver.calling.http.caller import _own_hosts
from toolquiver.calling.http.credentials import Held
from toolquiver.calling.http.redirects import same_origin
from toolquiver.calling.http.request import Outgoing
from toolquiver.catalog.operation import Credential

KEY = "a-secret-key-1234"
IN_HEADER = Credential(key="key", kind="api_key", name="X-Key", location="header")
IN_QUERY = Credential(key="key", kind="api_key", name="key", location="query")
IN_COOKIE = Credential(key="key", kind="api_key", name="key", location="cookie")


async def loopback(host, port):
    return ["127.0.0.1"]


def to(place, status=302):
    return Answer(status, {"Location": place})


def failure(server, *arguments, **options):
    with pytest.raises(CallError) as caught:
        server.call(*arguments, **options)
    return caught.value


@pytest.mark.parametrize(
    ("status", "method", "then"),
    [
        (301, "POST", "GET"),
        (302, "POST", "GET"),
        (303, "POST", "GET"),
        (307, "POST", "POST"),
        (308, "POST", "POST"),
        (301, "PUT", "PUT"),
        (302, "DELETE", "DELETE"),
        (303, "PUT", "GET"),
        (303, "HEAD", "HEAD"),
        (307, "GET", "GET"),
    ],
)
def test_the_method_changes_as_it_should(server, status, method, then):
    server.answers(to("/then?x=1", status), Answer(body=b"fine"))
    has_body = method in {"POST", "PUT"}
    placed = {"placements": [("a", "body")], "body_media_type": "application/json"} if has_body else {}
    server.call(server.api("/first", method, **placed), {"a": 1} if has_body else {})
    assert [(got.method, got.path) for got in server.got] == [(method, "/first"), (then, "/then?x=1")]
    kept = has_body and then == method
    assert server.got[1].body == (b'{"a":1}' if kept else b"")
    assert ("content-type" in server.got[1].headers) == kept


@pytest.mark.parametrize("status", [300, 304])
def test_other_statuses_are_not_followed(server, status):
    server.answers(to("/then", status))
    assert failure(server, server.api()).kind == "tool_error"
    assert len(server.got) == 1


def test_a_redirect_without_a_place_is_a_failure(server):
    server.answers(Answer(302))
    assert failure(server, server.api()).kind == "tool_error"


def test_five_redirects_are_followed_and_no_sixth(server):
    server.answers(*[to("/x")] * 5, Answer(body=b"fine"))
    assert text(server.call(server.api())) == "fine"
    server.got.clear()
    server.answers(to("/x"))
    assert "more than 5 times" in str(failure(server, server.api()))
    assert len(server.got) == 6


@pytest.mark.parametrize(
    "place",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://10.0.0.1/",
        "http://[::1]/",
        "http://localhost/",
        "http://2130706433/",
        "http://0x7f.1/",
        "//evil.test/",
        "https://evil.test/",
        "file:///etc/passwd",
        "ftp://evil.test/",
        "http://me:secret@127.0.0.1/",
        "http://[bad/",
    ],
)
@pytest.mark.parametrize("hosts", [(), ("127.0.0.1", "[::1]", "10.0.0.1", "169.254.169.254", "localhost")])
def test_a_redirect_does_not_lead_where_a_call_may_not(server, place, hosts):
    server.answers(to(place))
    assert failure(server, server.api(), hosts=hosts, resolve=loopback).kind == "blocked"
    assert len(server.got) == 1


@pytest.mark.parametrize("place", ["file:///etc/passwd", "ftp://evil.test/", "javascript:alert(1)"])
def test_a_redirect_to_what_is_no_web_address_names_its_scheme(server, place):
    server.answers(to(place))
    said = f"Only http and https may be called, not '{place.partition(':')[0]}'."
    assert str(failure(server, server.api())) == said


def test_a_redirect_to_another_port_of_this_machine_is_refused(server):
    other = f"127.0.0.1:{server.port + 1}"
    server.answers(to(f"http://{other}/"))
    for private in (f"127.0.0.1:{server.port}", "127.0.0.1"):
        said = str(failure(server, server.api(), private_hosts=(private,)))
        assert f"The host {other} is not one of its source" in said
    assert "private_hosts" in str(failure(server, server.api(), hosts=("127.0.0.1",)))


def test_a_server_may_send_on_to_its_https():
    outgoing, token = Outgoing(method="GET", url=httpx.URL("http://a.test/")), "https://b.test:8443/token"
    login = Credential(key="login", kind="oauth2", name="", location="header", token_url=token)
    places = _own_hosts(outgoing, [Held(login, ("id", "secret"))])
    assert allowed_url(httpx.URL("https://a.test/b"), places)
    assert allowed_url(httpx.URL(token), places)
    with pytest.raises(CallError, match=r"a\.test:8080 is not one"):
        allowed_url(httpx.URL("http://a.test:8080"), places)


def elsewhere(server, credential, monkeypatch, location="/", *, name=NAME):
    """Call under one name, get redirected to the other; both are this server."""
    monkeypatch.setenv("A_KEY", KEY)
    server.answers(to(f"http://{name}:{server.port}{location}"), Answer(body=b"fine"))
    api = server.api(placements=[("X-Mine", "header"), ("mine", "cookie")], credentials=((credential,),))
    settings = {"hosts": ("127.0.0.1", NAME), "credentials": {"key": "A_KEY"}, "resolve": loopback}
    return server.call(api, {"X-Mine": "x", "mine": "y"}, **settings)


@pytest.mark.parametrize("credential", [IN_HEADER, IN_QUERY, IN_COOKIE])
def test_keys_are_not_sent_to_another_host(server, credential, monkeypatch):
    assert text(elsewhere(server, credential, monkeypatch)) == "fine"
    first, second = server.got
    assert KEY in str(first)
    assert KEY not in str(second)
    assert {"X-Mine", "x-mine", "cookie"}.isdisjoint(second.headers)


@pytest.mark.parametrize("credential", [IN_HEADER, IN_QUERY, IN_COOKIE])
def test_keys_are_sent_on_to_the_same_host(server, credential, monkeypatch):
    elsewhere(server, credential, monkeypatch, name="127.0.0.1")
    assert all(KEY in str(got) for got in server.got)
    assert "x-mine" in server.got[1].headers


def test_keys_do_not_come_back_after_they_were_left_out(server, monkeypatch):
    monkeypatch.setenv("A_KEY", KEY)
    server.answers(to(f"http://{NAME}:{server.port}/"), to(f"{server.url}/"), Answer(body=b"fine"))
    api = server.api(credentials=((IN_HEADER,),))
    server.call(api, hosts=("127.0.0.1", NAME), credentials={"key": "A_KEY"}, resolve=loopback)
    assert [KEY in str(got) for got in server.got] == [True, False, False]


def test_a_server_that_hands_a_key_on_is_stopped(server, monkeypatch):
    with pytest.raises(CallError, match="with a credential in the address") as caught:
        elsewhere(server, IN_QUERY, monkeypatch, f"/?key={KEY}")
    assert caught.value.kind == "blocked"
    assert KEY not in str(caught.value)
    assert len(server.got) == 1


def test_a_key_that_stands_in_the_place_already_is_not_sent_twice(server, monkeypatch):
    elsewhere(server, IN_QUERY, monkeypatch, f"/then?a=1&key={KEY}", name="127.0.0.1")
    assert server.got[1].path == f"/then?a=1&key={KEY}"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("http://a.test", "http://A.test:80/x", True),
        ("https://a.test", "https://a.test:443", True),
        ("http://a.test", "https://a.test", True),
        ("https://a.test", "http://a.test", False),
        ("http://a.test:8080", "https://a.test", False),
        ("https://a.test", "https://a.test:444", False),
        ("https://a.test", "https://b.a.test", False),
    ],
)
def test_what_is_the_same_origin(one, other, same):
    assert same_origin(httpx.URL(one), httpx.URL(other)) == same
