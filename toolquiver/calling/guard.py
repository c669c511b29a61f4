"""Where a request may go: http and https, to hosts that are listed, at addresses of the internet.

A URL is checked before it is asked for, redirects too. A host's addresses are checked when a connection is made, and
the connection goes to an address that was checked: nothing is looked up between check and connect.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

import httpx

from toolquiver.calling.outcome import CallError

Address = IPv4Address | IPv6Address
Resolver = Callable[[str, int], Awaitable[list[str]]]
"""Gives the addresses of a host name, for a port."""

_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(\.(?!-)[a-z0-9_-]{1,63})*")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_ENTRY = re.compile(r"(https?://)?(\[[0-9a-f:.]+\]|[^][/?#@%:\\\s]+)(:[0-9]+)?/?", re.IGNORECASE)
_INTERNET6 = IPv6Network("2000::/3")  # all that has been given out
_NAT64 = IPv6Network("64:ff9b::/96")
_TUNNELS = (_NAT64, IPv6Network("64:ff9b:1::/48"), IPv6Network("::/96"))  # an IPv4 address in the last four bytes
_ISATAP = 0x5EFE  # the same, marked in the two bytes before
_RELAYS = IPv4Network("192.88.99.0/24")
_METADATA = {
    ip_address(text)
    for text in (
        "169.254.169.254",
        "169.254.170.2",
        "169.254.170.23",
        "100.100.100.200",
        "168.63.129.16",  # not a private address by its range
        "192.0.0.192",
        "fd00:ec2::254",
        "fd00:ec2::23",
        "fd20:ce::254",
    )
}


async def look_up(host: str, port: int) -> list[str]:
    """The addresses of a host by the system's resolver, the preferred first.

    Raises:
        OSError: there is no such host, or nothing answers.
    """
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def allowed_url(url: httpx.URL, hosts: Iterable[str]) -> httpx.URL:
    """`url` itself, when it may be asked for.

    `hosts` are names or addresses, each with or without a port, or with the scheme, whose port is meant then;
    `*.name` stands for all names below one. In which of its spellings a host is named does not matter.

    Raises:
        CallError: `blocked`, with the reason.
    """
    require_web(url)
    if url.userinfo:
        raise CallError("blocked", "The address carries a user name. Name credentials in the source's settings.")
    if not listed(host_of(url), port_of(url), hosts):
        raise CallError(
            "blocked",
            f"The host {place_of(url)} is not one of its source. If it is meant, name it beside the source's own with "
            "`--host` in the import, or in the setting hosts.",
        )
    return url


def require_web(url: httpx.URL) -> None:
    """Refuse what is neither http nor https.

    Raises:
        CallError: `blocked`, with the scheme.
    """
    if url.scheme not in {"http", "https"}:
        raise CallError("blocked", f"Only http and https may be called, not {url.scheme!r}.")


def host_of(url: httpx.URL) -> str:
    """The host as it is compared: lower case, ASCII, an IPv6 address in its short form.

    Raises:
        CallError: `blocked`: there is none, or it is an address in a spelling that programs read differently.
    """
    return _compared(url.raw_host.decode("ascii", "replace"))


def _compared(host: str) -> str:
    """As `host_of`, of a host that is ASCII."""
    host = host.lower().removesuffix(".")
    literal = _literal(host)
    if literal is not None:
        return literal.compressed
    if not _NAME.fullmatch(host) or _NUMBER.fullmatch(host.rsplit(".", 1)[-1]):
        raise CallError("blocked", f"{host!r} is no host name. Write an address as 192.0.2.1 or [2001:db8::1].")
    return host


def port_of(url: httpx.URL) -> int:
    """The port, that of the scheme when the URL has none."""
    return url.port if url.port is not None else (443 if url.scheme == "https" else 80)


def place_of(url: httpx.URL) -> str:
    """The host with its port, as an entry of `listed`."""
    return f"{_bracketed(host_of(url))}:{port_of(url)}"


def listed(host: str, port: int, entries: Iterable[str]) -> bool:
    """Whether a host, as `host_of` gives it, with this port is one of the entries, as in `allowed_url`."""
    for entry in entries:
        below = entry.startswith("*.")
        named = _named(entry[2:] if below else entry)
        if named and named[1] in {None, port} and (host.endswith(f".{named[0]}") if below else host == named[0]):
            return True
    return False


def _named(entry: str) -> tuple[str, int | None] | None:
    """The host of an entry, as `host_of` gives it, and its port, None where any is meant; None for what is no host.

    What also names a path or a user is none: that would not be compared.
    """
    with suppress(ValueError):
        return IPv6Address(entry).compressed, None  # without the brackets that it has in a URL
    found = _ENTRY.fullmatch(entry)
    if not found:
        return None
    try:
        url = httpx.URL(entry if found[1] else f"//{entry}")
        return host_of(url), port_of(url) if found[1] else url.port
    except (httpx.InvalidURL, CallError, UnicodeError):
        return None


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


@dataclass(frozen=True, kw_only=True)
class Guard:
    """Gives the addresses that a connection may be made to.

    Only `private_hosts` may be at addresses of this machine or a private network; addresses where clouds hand out
    credentials are refused to all.
    """

    private_hosts: tuple[str, ...] = ()
    resolve: Resolver = look_up

    async def addresses(self, host: str, port: int) -> list[str]:
        """The addresses of a host, looked up once, every one of them checked.

        Raises:
            CallError: `blocked`, when a single one may not be reached; `network`, when there are none.
        """
        asked = _literal(host)
        if asked is not None:
            found = [str(asked)]
        else:
            try:
                found = await self.resolve(host, port)
            except (OSError, UnicodeError) as error:
                raise CallError("network", f"The host {host} cannot be found.") from error
        if not found:
            raise CallError("network", f"The host {host} has no address.")
        for text in found:
            self._check(host, port, text)
        return found

    def _check(self, host: str, port: int, text: str) -> None:
        address = _literal(text)
        kind = "broken" if address is None else kind_of(address)
        if kind == "public":
            return
        if kind in {"metadata", "broken"}:
            raise CallError("blocked", f"The host {host} is at a {kind} address, which is never called.")
        if not listed(_compared(host), port, self.private_hosts):
            raise CallError(
                "blocked",
                f"The host {host} is at a {kind} address. If it is meant, name it with `--private-host` in the import, "
                "or in the setting private_hosts.",
            )


def kind_of(address: Address) -> str:
    """`public`, or why an address is not: `metadata`, `loopback`, `link-local`, `private`."""
    forms: list[Address] = [address, *_inside(address)]
    if any(form in _METADATA for form in forms):
        return "metadata"
    if any(form.is_loopback or form.is_unspecified for form in forms):
        return "loopback"
    if any(form.is_link_local for form in forms):
        return "link-local"
    return "public" if all(_is_public(form) for form in forms) else "private"


def _is_public(address: Address) -> bool:
    if isinstance(address, IPv4Address):
        return address.is_global and not address.is_multicast and address not in _RELAYS
    if address.ipv4_mapped is not None or address in _NAT64:
        return True  # as public as the address inside
    return address in _INTERNET6 and address.is_global


def _inside(address: Address) -> Iterator[IPv4Address]:
    """The IPv4 addresses that an IPv6 address leads to."""
    if isinstance(address, IPv4Address):
        return
    last = IPv4Address(int(address) & 0xFFFFFFFF)
    isatap = (int(address) >> 32) & 0xFDFFFFFF
    if isatap == _ISATAP or any(address in tunnel for tunnel in _TUNNELS):
        yield last
    yield from (found for found in (address.ipv4_mapped, address.sixtofour, *(address.teredo or ())) if found)


def _literal(host: str) -> Address | None:
    try:
        return ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        return None
