"""Loaded by every Python that has this folder on its path: a process that a test starts stays on this machine."""

import ipaddress
import socket


def refuse_remote(host):
    if isinstance(host, bytes):
        host = host.decode()
    if host in {None, "", "localhost"}:
        return
    try:
        local = ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        local = False
    if not local:
        raise OSError(f"This test wanted to reach {host!r}; it may not leave this machine.")


def guard(name):
    plain = getattr(socket.socket, name)

    def connect(self, address):
        if isinstance(address, tuple):
            refuse_remote(address[0])
        return plain(self, address)

    setattr(socket.socket, name, connect)


def guard_names():
    plain = socket.getaddrinfo

    def getaddrinfo(host, *rest, **options):
        refuse_remote(host)
        return plain(host, *rest, **options)

    socket.getaddrinfo = getaddrinfo


guard("connect")
guard("connect_ex")
guard_names()
