"""The guard: which URLs and addresses may be called, trick by trick."""

import asyncio
from contextlib import suppress
from ipaddress import ip_address

import httpcore
import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.calling import CallError
from toolquiver.calling.guard import Guard, allowed_url, kind_of, listed, look_up
from toolquiver.calling.http.transport import GuardedBackend

PUBLIC, LOOPBACK = "93.184.216.34", "127.0.0.1"
HOST = "api.example.com"


def resolver(*answers):
    """Gives these addresses, one list a look-up, the last again and again; `asked` are the names."""
    asked = []

    async def resolve(host, port):
        asked.append(host)
        return list(answers[min(len(asked), len(answers)) - 1])

    resolve.asked = asked
    return resolve


def addresses(host, *answers, private_hosts=(), port=443):
    guard = Guard(private_hosts=private_hosts, resolve=resolver(*(answers or [[PUBLIC]])))
    return asyncio.run(guard.addresses(host, port))


def refusal(act, *arguments, **options):
    with pytest.raises(CallError) as caught:
        act(*arguments, **options)
    assert caught.value.kind == "blocked"
    return str(caught.value)


class Wire(httpcore.AsyncNetworkBackend):
    """Connects to nothing and keeps where it should have; the addresses in `dead` do not answer."""

    def __init__(self, *dead):
        self.dead = dead
        self.tried = []

    async def connect_tcp(self, host, port, timeout=None, local_address=None, socket_options=None):  # noqa: ASYNC109
        self.tried.append((host, port, timeout))
        if host in self.dead:
            raise httpcore.ConnectError("nobody there")
        return httpcore.AsyncMockStream([])


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        (PUBLIC, "public"),
        ("2606:2800:220:1::", "public"),
        ("::ffff:93.184.216.34", "public"),
        ("64:ff9b::5db8:d822", "public"),  # NAT64
        (LOOPBACK, "loopback"),
        ("127.255.255.254", "loopback"),
        ("0.0.0.0", "loopback"),
        ("::1", "loopback"),
        ("::", "loopback"),
        ("::ffff:127.0.0.1", "loopback"),
        ("::127.0.0.1", "loopback"),
        ("64:ff9b::7f00:1", "loopback"),
        ("2002:7f00:1::", "loopback"),  # 6to4
        ("2001:0:7f00:1::", "loopback"),  # Teredo
        ("2606:2800:220:1:0:5efe:7f00:1", "loopback"),  # ISATAP
        ("2606:2800:220:1:200:5efe:10.0.0.1", "private"),
        ("10.0.0.1", "private"),
        ("172.16.0.1", "private"),
        ("192.168.1.1", "private"),
        ("100.64.0.1", "private"),
        ("192.0.2.1", "private"),
        ("198.18.0.1", "private"),
        ("192.88.99.1", "private"),
        ("224.0.0.251", "private"),
        ("240.0.0.1", "private"),
        ("255.255.255.255", "private"),
        ("fc00::1", "private"),
        ("fec0::1", "private"),
        ("ff02::1", "private"),
        ("2001:db8::1", "private"),
        ("::ffff:192.168.1.1", "private"),
        ("64:ff9b:1::a00:1", "private"),
        ("169.254.1.1", "link-local"),
        ("fe80::1", "link-local"),
        ("::ffff:169.254.1.1", "link-local"),
        ("169.254.169.254", "metadata"),
        ("169.254.170.2", "metadata"),
        ("100.100.100.200", "metadata"),
        ("168.63.129.16", "metadata"),
        ("fd00:ec2::254", "metadata"),
        ("::ffff:169.254.169.254", "metadata"),
        ("2002:a9fe:a9fe::1", "metadata"),
    ],
)
def test_addresses_are_told_apart(address, kind):
    assert kind_of(ip_address(address)) == kind


@given(st.ip_addresses(v=4), st.sampled_from(["::ffff:{}", "64:ff9b::{}"]))
def test_an_address_inside_another_is_as_private_as_outside(inner, form):
    assert kind_of(ip_address(form.format(inner))) == kind_of(inner)


@given(st.ip_addresses(v=4))
def test_what_is_public_is_public_to_python_too(address):
    assert kind_of(address) != "public" or address.is_global


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "10.0.0.1", "fe80::1", "::ffff:10.0.0.1", "fe80::1%eth0"])
def test_a_name_for_a_private_address_is_refused_unless_it_is_allowed(address):
    assert HOST in refusal(addresses, HOST, [address])
    assert "`--private-host` in the import, or in the setting private_hosts" in refusal(addresses, HOST, [address])
    assert addresses(HOST, [address], private_hosts=(HOST,)) == [address]
    assert addresses(HOST, [address], private_hosts=(f"{HOST}:443",)) == [address]
    refusal(addresses, HOST, [address], private_hosts=(f"{HOST}:80",))


def test_one_private_address_among_public_ones_is_enough():
    refusal(addresses, HOST, [PUBLIC, LOOPBACK])


@pytest.mark.parametrize("address", ["169.254.169.254", "fd00:ec2::254", "::ffff:169.254.169.254"])
def test_metadata_is_never_called_whatever_is_allowed(address):
    assert "never" in refusal(addresses, HOST, [address], private_hosts=(HOST,))
    refusal(addresses, address, private_hosts=(address,))


def test_what_a_resolver_makes_up_is_refused():
    refusal(addresses, HOST, ["not an address"])


def test_an_address_is_not_looked_up():
    resolve = resolver([LOOPBACK])
    assert asyncio.run(Guard(resolve=resolve).addresses(PUBLIC, 80)) == [PUBLIC]
    assert resolve.asked == []


@pytest.mark.parametrize("error", [OSError("no such host"), UnicodeError("label too long")])
def test_a_name_that_cannot_be_found_is_a_failure_of_the_network(error):
    async def resolve(host, port):
        raise error

    with pytest.raises(CallError, match="cannot be found") as caught:
        asyncio.run(Guard(resolve=resolve).addresses(HOST, 80))
    assert caught.value.kind == "network"
    with pytest.raises(CallError, match="no address"):
        addresses(HOST, [])


def test_the_system_looks_names_up():
    assert set(asyncio.run(look_up("localhost", 80))) <= {"127.0.0.1", "::1"}


@pytest.mark.parametrize(
    "spelling",
    [
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.1",
        "017700000001",
        "127.1",
        "127.0.1",
        "127.0.0.1.",
        "127.0.0.0x1",
        "1.1.1.1.1",
        "0",
    ],
)
def test_other_spellings_of_addresses_are_refused(spelling):
    allow = [spelling, "*.1", "127.0.0.1"]
    try:
        url = httpx.URL(f"http://{spelling}/")
    except httpx.InvalidURL:
        return
    if spelling == "127.0.0.1.":  # the same address with the end of a name: it is compared as the address
        assert allowed_url(url, ["127.0.0.1"])
        assert "not one of" in refusal(allowed_url, url, [HOST])
    else:
        assert "no host name" in refusal(allowed_url, url, allow)


@pytest.mark.parametrize("host", ["①②⑦.⓪.⓪.①", "127。0。0。1", "\uff11\uff12\uff17.0.0.1"])
def test_addresses_in_other_digits_do_not_pass(host):
    with pytest.raises((httpx.InvalidURL, CallError)):
        allowed_url(httpx.URL(f"http://{host}/"), [HOST])


@pytest.mark.parametrize("url", ["ftp://a.test/", "file:///etc/passwd", "gopher://a.test/", "javascript:1", "//a.test"])
def test_only_http_may_be_called(url):
    assert "Only http" in refusal(allowed_url, httpx.URL(url), ["a.test"])


def test_a_host_that_is_not_listed_can_be_named():
    said = refusal(allowed_url, httpx.URL("http://b.test/"), ["a.test"])
    assert "The host b.test:80 is not one of its source" in said
    assert "`--host` in the import, or in the setting hosts" in said


@pytest.mark.parametrize("url", ["http://me:secret@a.test/", "http://a.test@b.test/"])
def test_no_user_stands_in_an_address(url):
    message = refusal(allowed_url, httpx.URL(url), ["a.test", "b.test"])
    assert "user name" in message
    assert "secret" not in message


@pytest.mark.parametrize("url", ["http:///path", "http://-a.test/", "http://a..test/", "http://a_$.test/"])
def test_what_is_no_host_is_refused(url):
    with suppress(httpx.InvalidURL):
        refusal(allowed_url, httpx.URL(url), ["*.test"])


@pytest.mark.parametrize(
    ("host", "entries", "is_listed"),
    [
        ("a.test", ["a.test"], True),
        ("a.test", ["A.Test."], True),
        ("a.test", ["b.test", "a.test:443"], True),
        ("a.test", ["a.test:80"], False),
        ("b.a.test", ["a.test"], False),
        ("b.a.test", ["*.a.test"], True),
        ("a.test", ["*.a.test"], False),
        ("eviltest", ["*.test"], False),
        ("a.test.evil", ["a.test"], False),
        ("::1", ["[::1]:443"], True),
        ("::1", ["::1"], True),
        ("a.test", [], False),
    ],
)
def test_hosts_are_listed_by_name_port_or_what_is_below(host, entries, is_listed):
    assert listed(host, 443, entries) == is_listed


@pytest.mark.parametrize(
    ("host", "entry"),
    [
        ("a.test", "https://a.test"),
        ("a.test", "HTTPS://A.test:443/"),
        ("a.test", "a.test/"),
        ("a.test", "a.test.:443"),
        ("b.a.test", "*.A.test.:443"),
        ("xn--mnchen-3ya.de", "münchen.de"),
        ("www.xn--mnchen-3ya.de", "*.München.de"),
        ("127.0.0.1", "https://127.0.0.1"),
        ("2001:db8::1", "2001:DB8:0:0::1"),
        ("2001:db8::1", "[2001:DB8:0:0::1]"),
        ("2001:db8::1", "https://[2001:DB8:0:0::1]/"),
    ],
)
def test_a_host_is_listed_in_whatever_spelling_it_is_named(host, entry):
    assert listed(host, 443, [entry])


@pytest.mark.parametrize(
    "entry",
    [
        "http://a.test",
        "a.test.:80",
        "ftp://a.test",
        "a.test/path",
        "https://a.test/?query",
        "a.test#part",
        "me@a.test",
        "@a.test",
        "a.test:",
        "a.test:port",
        "a.test%",
        "a.test\\",
        " a.test",
        "b.test@a.test",
        "a.test:443@b.test",
        "https://b.test://a.test",
        "*a.test",
        "*.test:80",
        "*.",
        "*",
        "",
        "\udcff",
        "127.1",
        "*.1",
        "*.0.0.1",
        "2130706433",
        "127.0.0.1%3a80",
        "[127.0.0.1]:80",
        "::1%25:443",
        "[::1",
        "[::1%eth0]",
    ],
)
def test_no_more_is_listed_than_the_host_and_port_that_are_named(entry):
    assert not any(listed(host, 443, [entry]) for host in ("a.test", "127.0.0.1", "::1"))


def test_a_private_host_is_the_same_in_every_spelling():
    assert addresses("A.Test.", [LOOPBACK], private_hosts=("https://a.test",)) == [LOOPBACK]
    assert addresses("0:0:0:0:0:0:0:1", private_hosts=("[::1]",)) == ["::1"]
    assert addresses("xn--bcher-kva.test", [LOOPBACK], private_hosts=("bücher.test:443",)) == [LOOPBACK]
    refusal(addresses, "a.test", [LOOPBACK], private_hosts=("http://a.test",))


def test_the_same_host_in_other_letters_is_the_same():
    for url in ("HTTPS://A.TEST/x", "https://a.test./", "https://a.test:443/"):
        assert allowed_url(httpx.URL(url), ["a.test"])
    assert allowed_url(httpx.URL("http://[0:0:0:0:0:0:0:1]/"), ["::1"])
    assert allowed_url(httpx.URL("http://bücher.test/"), ["xn--bcher-kva.test"])


def connected(backend, host=HOST, **options):
    return asyncio.run(backend.connect_tcp(host, 443, **options))


def test_the_connection_goes_to_the_address_that_was_checked():
    wire, resolve = Wire(), resolver([PUBLIC], [LOOPBACK])
    connected(GuardedBackend(Guard(resolve=resolve), wire))
    assert [host for host, *_ in wire.tried] == [PUBLIC]
    assert resolve.asked == [HOST]  # once: nothing is looked up between check and connect


def test_a_name_that_changes_its_address_is_caught_at_the_next_connection():
    wire = Wire()
    backend = GuardedBackend(Guard(resolve=resolver([PUBLIC], [LOOPBACK])), wire)
    connected(backend)
    refusal(connected, backend)
    assert len(wire.tried) == 1


def test_nothing_is_tried_while_one_address_is_refused():
    wire = Wire()
    refusal(connected, GuardedBackend(Guard(resolve=resolver([PUBLIC, "10.0.0.1"])), wire))
    assert wire.tried == []


def test_the_next_address_is_tried_when_one_is_dead_and_they_share_the_time():
    other = "1.1.1.1"
    wire = Wire(PUBLIC)
    connected(GuardedBackend(Guard(resolve=resolver([PUBLIC, other])), wire), timeout=10)
    assert wire.tried == [(PUBLIC, 443, 5), (other, 443, 5)]
    with pytest.raises(httpcore.ConnectError):
        connected(GuardedBackend(Guard(resolve=resolver([PUBLIC])), wire))


def test_a_look_up_that_hangs_is_given_up():
    async def resolve(host, port):
        await asyncio.sleep(10)

    with pytest.raises(httpcore.ConnectTimeout):
        connected(GuardedBackend(Guard(resolve=resolve), Wire()), timeout=0.01)
