"""The guard that keeps the other tests on this machine."""

import asyncio
import socket

import pytest

ELSEWHERE = ("192.0.2.1", 80)  # an address that is nobody's


def test_a_connection_to_another_machine_fails_the_test():
    with socket.socket() as client, pytest.raises(pytest.fail.Exception, match=r"192\.0\.2\.1.*e2e"):
        client.connect(ELSEWHERE)


def test_code_that_catches_every_error_cannot_hide_it():
    def careless():
        try:
            socket.create_connection(ELSEWHERE, timeout=1)
        except Exception:  # noqa: BLE001 - that is the point
            return "offline"

    with pytest.raises(pytest.fail.Exception):
        careless()


def test_asynchronous_connections_are_guarded_too():
    with pytest.raises(pytest.fail.Exception):
        asyncio.run(asyncio.open_connection(*ELSEWHERE))


def test_names_are_not_looked_up():
    with pytest.raises(pytest.fail.Exception, match=r"example\.org"):
        socket.getaddrinfo("example.org", 443)


def test_this_machine_can_be_reached():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert client.getpeername() == server.getsockname()
