"""Calls to a real server that behaves, and misbehaves, on purpose."""

import asyncio
import datetime as dt
import gc
import gzip
import json
import logging
import socket
import ssl
import threading
import time
import zlib
from contextlib import contextmanager, suppress
from importlib import import_module

import pytest

from tests.support.http_server import JSON, NAME, Answer, serving, text
from toolquiver.calling import CallError, Failure, Limits, perform
from toolquiver.calling.http import HttpCaller, HttpSource, Pace, http_callers
from toolquiver.calling.http.reading import _unpacker


def failure(server, api, arguments=None, **settings):
    with pytest.raises(CallError) as caught:
        server.call(api, arguments, **settings)
    return caught.value


async def loopback(host, port):
    return ["127.0.0.1"]


def test_an_answer_comes_back(server):
    server.answers(Answer(headers=JSON, body=b'{ "name": "Rex" }'))
    places = [("id", "path"), ("full", "query")]
    assert text(server.call(server.api("/pets/{id}", placements=places), {"id": 7, "full": True})) == '{"name":"Rex"}'
    (got,) = server.got
    assert (got.method, got.path, got.headers["Host"]) == ("GET", "/pets/7?full=true", f"127.0.0.1:{server.port}")


def test_a_body_arrives_as_it_is_written(server):
    api = server.api("/", "POST", placements=[("name", "body")], body_media_type="application/json")
    server.call(api, {"name": "Rex"})
    assert (server.got[0].method, json.loads(server.got[0].body)) == ("POST", {"name": "Rex"})
    assert server.got[0].headers["content-type"] == "application/json"


def test_the_setting_s_server_stands_in_for_the_document_s(server):
    assert text(server.call(server.api("/x", server="/v1"), server=f"{server.url}/v2")) == "fine"
    assert server.got[0].path == "/v2/x"


def test_connections_are_kept_open(server):
    async def three():
        caller = HttpCaller(server.settings())
        for _ in range(3):
            await caller.call(server.api(), {})
        await caller.aclose()
        await caller.aclose()
        await caller.call(server.api(), {})

    asyncio.run(three())
    assert (len(server.got), server.connections) == (4, 2)


def test_one_caller_works_in_one_event_loop_after_another(server):
    caller = HttpCaller(server.settings())
    for _ in range(2):
        assert text(asyncio.run(caller.call(server.api(), {}))) == "fine"
    threads = [threading.Thread(target=lambda: asyncio.run(caller.call(server.api(), {}))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.got) == 5
    assert caller._connections._kept == {}


def test_a_caller_that_nobody_holds_closes_its_connections(server):
    async def left():
        caller = HttpCaller(server.settings())
        await caller.call(server.api(), {})
        kept = caller._connections._kept
        del caller
        gc.collect()
        await asyncio.sleep(0.05)
        return kept

    assert asyncio.run(left()) == {}


def test_many_calls_at_once_share_the_connections(server):
    async def many():
        caller = HttpCaller(server.settings(requests_per_second=1000))
        return await asyncio.gather(*(caller.call(server.api(), {}) for _ in range(40)))

    assert len(asyncio.run(many())) == 40
    assert server.connections <= 20


@pytest.mark.parametrize(("coding", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress)])
def test_packed_answers_are_unpacked(server, coding, pack):
    server.answers(Answer(headers={"Content-Encoding": coding}, body=pack(b"fine " * 1000)))
    assert text(server.call(server.api())) == "fine " * 1000


def test_deflate_without_a_header_and_gzip_in_pieces_are_unpacked_too(server):
    raw = zlib.compressobj(wbits=-15)
    server.answers(
        Answer(headers={"Content-Encoding": "deflate"}, body=raw.compress(b"fine") + raw.flush()),
        Answer(headers={"Content-Encoding": "gzip"}, body=gzip.compress(b"fi") + gzip.compress(b"ne")),
    )
    assert [text(server.call(server.api())) for _ in range(2)] == ["fine", "fine"]


@pytest.mark.parametrize("behind", [[b"\0" * 8], [b"\0\0", b"\0"], [b"more"], [b"\0", gzip.compress(b"!")]])
def test_what_stands_behind_a_packed_answer_is_no_part_of_it_but_another_member(server, behind):
    body = [gzip.compress(b"fi"), gzip.compress(b"ne"), *behind]
    server.answers(Answer(headers={"Content-Encoding": "gzip"}, body=body, length=sum(map(len, body))))
    assert text(server.call(server.api())) == ("fine!" if len(behind[-1]) > 8 else "fine")


@pytest.mark.parametrize("wbits", [-15, 15, 31])
def test_an_answer_is_unpacked_that_comes_byte_by_byte(wbits):
    packer, unpacker = zlib.compressobj(wbits=wbits), _unpacker("deflate")
    packed = packer.compress(b"fine") + packer.flush()
    packed += gzip.compress(b"!") if wbits == 31 else b""
    came = b"".join(unpacker.unpack(packed[place : place + 1], 100) for place in range(len(packed)))
    assert came == (b"fine!" if wbits == 31 else b"fine")
    assert unpacker.ended


@pytest.mark.parametrize(
    ("coding", "body", "message"),
    [
        ("gzip", b"no gzip", "cannot be unpacked"),
        ("gzip", gzip.compress(b"fine" * 100, mtime=0)[:-20], "too early"),
        ("br", b"x", "'br', which was not asked for"),
        ("gzip, gzip", b"x", "not asked for"),
    ],
)
def test_what_cannot_be_unpacked_is_a_failure(server, coding, body, message):
    server.answers(Answer(headers={"Content-Encoding": coding}, body=body))
    error = failure(server, server.api())
    assert error.kind == "network"
    assert message in str(error)


def test_a_huge_answer_is_not_read_to_its_end(server):
    server.answers(Answer(body=[b"x" * 100_000] * 1000, length=-1))
    error = failure(server, server.api(), max_bytes=200_000)
    assert (error.kind, str(error)) == (
        "tool_error",
        "The answer is too large to be read. Ask for a smaller part.",
    )


def test_a_bomb_is_not_unpacked_to_its_end(server):
    bomb = zlib.compress(b"\0" * 50_000_000)
    server.answers(Answer(headers={"Content-Encoding": "deflate", "Content-Type": "image/x"}, body=bomb))
    assert "more than 1000 bytes" in text(server.call(server.api(), max_bytes=1000))


def test_packed_pieces_without_end_are_not_read_to_their_end(server):
    server.answers(Answer(headers={"Content-Encoding": "gzip"}, body=gzip.compress(b"") * 1000))
    assert "too many pieces" in str(failure(server, server.api()))


def test_a_packed_nothing_without_end_is_not_read_to_its_end(server):
    nothing = b"\x78\x9c" + b"\0\0\0\xff\xff" * 100_000
    server.answers(Answer(headers={"Content-Encoding": "deflate"}, body=nothing))
    assert "too large" in str(failure(server, server.api(), max_bytes=1000))


def test_an_answer_that_ends_too_early_is_a_failure(server):
    server.answers(Answer(headers=JSON, body=b'{"a": 1', length=100))
    assert failure(server, server.api()).kind == "network"


def test_an_answer_that_ends_too_early_without_a_length_is_one_too(server):
    server.answers(Answer(headers=JSON, body=b'{"a": [1, 2', length=-1))
    assert failure(server, server.api()).kind == "server_error"


def test_a_slow_server_is_a_timeout(server):
    ended = threading.Event()
    server.answer = lambda got: ended.wait(5) and Answer()
    try:
        error = failure(server, server.api(), read_timeout=0.05)
        assert (error.kind, str(error)) == ("timeout", "127.0.0.1 took too long to answer.")
        outcome = asyncio.run(
            perform(server.api(), {}, {"openapi:test": HttpCaller(server.settings())}, Limits(timeout=0.05, retries=0))
        )
        assert outcome.kind == "timeout"
    finally:
        ended.set()


@contextmanager
def saying(data):
    """A port that says this to whoever connects, and hangs up."""

    def serve():
        with suppress(OSError):
            while True:
                client, _ = listener.accept()
                with client:
                    client.recv(65536)
                    client.sendall(data)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve)
        thread.start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


@pytest.mark.parametrize(
    "data", [b"", b"SSH-2.0-x\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", b"HTTP/1.1 200 OK\r\nA"]
)
def test_what_is_no_http_is_a_failure_of_the_network(server, data):
    with saying(data) as port:
        error = failure(server, server.api(server=f"http://127.0.0.1:{port}"), private_hosts=("127.0.0.1",))
    assert error.kind == "network"
    assert "127.0.0.1 failed" in str(error)


def test_headers_without_end_are_a_failure(server):
    with saying(b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 100_000) as port:
        error = failure(server, server.api(server=f"http://127.0.0.1:{port}"), private_hosts=("127.0.0.1",))
    assert error.kind == "network"


def test_nobody_at_the_port_is_a_failure_of_the_network(server):
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    assert (
        failure(server, server.api(server=f"http://127.0.0.1:{port}"), private_hosts=("127.0.0.1",)).kind == "network"
    )


def test_this_machine_is_refused_unless_it_is_allowed(server):
    for address in (server.url, f"http://localhost:{server.port}"):
        error = failure(server, server.api(server=address), private_hosts=())
        assert error.kind == "blocked"
        assert "loopback" in str(error)
    assert server.connections == 0


def test_a_host_that_is_not_listed_is_refused(server):
    error = failure(server, server.api(), hosts=("api.example.com",))
    assert (error.kind, server.connections) == ("blocked", 0)
    assert text(server.call(server.api(), hosts=(f"127.0.0.1:{server.port}",))) == "fine"


def test_a_name_is_found_by_the_resolver_and_stays_the_host(server):
    assert text(server.call(server.api(server=f"http://{NAME}:{server.port}"), resolve=loopback)) == "fine"
    assert server.got[0].headers["Host"] == f"{NAME}:{server.port}"


def test_what_one_source_may_reach_another_may_not(server):
    async def both():
        open_caller = HttpCaller(server.settings())
        await open_caller.call(server.api(), {})
        await HttpCaller(HttpSource()).call(server.api(), {})

    with pytest.raises(CallError, match="private_hosts"):
        asyncio.run(both())
    assert len(server.got) == 1


def test_proxies_of_the_environment_are_not_used(server, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert text(server.call(server.api())) == "fine"


def test_a_host_that_asks_for_time_gets_it(server):
    server.answers(Answer(429, {"Retry-After": "30"}), Answer())

    async def twice():
        caller = HttpCaller(server.settings())
        for _ in range(2):
            with pytest.raises(CallError) as caught:
                await caller.call(server.api(), {})
            yield caught.value

    async def collected():
        return [error async for error in twice()]

    first, second = asyncio.run(collected())
    assert (first.kind, first.retry_after) == ("rate_limited", 30)
    assert (second.kind, round(second.retry_after)) == ("rate_limited", 30)
    assert len(server.got) == 1  # the second call did not leave


def test_after_a_short_pause_the_call_is_made_again(server):
    server.answers(Answer(429, {"Retry-After": "0.05"}), Answer(body=b"fine"))
    begun = time.monotonic()
    outcome = asyncio.run(perform(server.api(), {}, {"openapi:test": HttpCaller(server.settings())}, Limits()))
    assert text(outcome) == "fine"
    assert time.monotonic() - begun >= 0.05


def test_the_callers_of_many_sources_share_a_pace():
    callers = http_callers({"a": HttpSource(), "b": HttpSource()})
    assert list(callers) == ["a", "b"]
    assert callers["a"]._pace is callers["b"]._pace


def test_callers_that_share_a_pace_leave_the_host_alone_together(server):
    server.answers(Answer(503, {"Retry-After": "30"}))
    pace = Pace()

    async def both():
        for _ in range(2):
            with pytest.raises(CallError) as caught:
                await HttpCaller(server.settings(), pace=pace).call(server.api(), {})
        return caught.value.kind

    assert asyncio.run(both()) == "rate_limited"
    assert len(server.got) == 1


def test_perform_makes_a_failure_of_it(server):
    server.answers(Answer(404, JSON, b'{"detail": "No such pet."}'))
    outcome = asyncio.run(perform(server.api(), {}, {"openapi:test": HttpCaller(server.settings())}, Limits()))
    message = 'The server answered 404 Not Found: {"detail":"No such pet."}'
    assert outcome == Failure(kind="not_found", message=message)


def test_certificates_that_cannot_be_read_are_a_failure(server, tmp_path):
    error = failure(server, server.api(), certificates=tmp_path / "missing.pem")
    assert "missing.pem" in str(error)


@pytest.fixture
def certificate(tmp_path):
    """A certificate for `api.test` with its key, signed by itself."""
    x509 = pytest.importorskip("cryptography.x509")
    ec = import_module("cryptography.hazmat.primitives.asymmetric.ec")
    hashes = import_module("cryptography.hazmat.primitives.hashes")
    serialization = import_module("cryptography.hazmat.primitives.serialization")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path / "server.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path


def test_tls_names_the_host_and_checks_its_certificate(certificate):
    names = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    context.sni_callback = lambda _, name, __: names.append(name)
    with serving(context) as server:
        api = server.api(server=f"https://{NAME}:{server.port}")
        assert text(server.call(api, resolve=loopback, certificates=certificate)) == "fine"
        assert names == [NAME]
        error = failure(server, api, resolve=loopback)
        assert (error.kind, "CERTIFICATE_VERIFY_FAILED" in str(error)) == ("network", True)
        other = server.api(server=f"https://other.test:{server.port}")
        error = failure(server, other, resolve=loopback, certificates=certificate, private_hosts=("other.test",))
        assert error.kind == "network"


def test_logs_hold_no_address_with_a_query(server, caplog):
    with caplog.at_level(logging.DEBUG):
        server.call(server.api(placements=[("q", "query")]), {"q": "a-question"})
    assert "a-question" not in caplog.text
