"""No test but those marked `e2e` may leave this machine."""

import ipaddress
import signal
import socket

import pytest
from hypothesis import settings

settings.register_profile("toolquiver", deadline=None)  # how long an example takes is the machine's business
settings.load_profile("toolquiver")

# A shell starts what runs in the background with Ctrl-C ignored, and programs that tests start take that over.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _no_network(request, monkeypatch):
    """Let a connection or a name look-up that is not of this machine fail the test, whoever catches errors."""
    if request.node.get_closest_marker("e2e"):
        return
    connect, connect_ex, getaddrinfo = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def guarded_connect(self, address):
        _refuse_remote(address)
        return connect(self, address)

    def guarded_connect_ex(self, address):
        _refuse_remote(address)
        return connect_ex(self, address)

    def guarded_getaddrinfo(host, *rest, **options):
        _refuse_remote((host,))
        return getaddrinfo(host, *rest, **options)

    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    monkeypatch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_getaddrinfo)


def _refuse_remote(address):
    if isinstance(address, tuple) and not _is_local(address[0]):
        pytest.fail(f"This test wanted to reach {address[0]!r}; only tests marked e2e may leave this machine.")


def _is_local(host):
    host = host.decode() if isinstance(host, bytes) else host
    if host in {None, "", "localhost"}:
        return True
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False
