"""Addresses of computer networks."""

from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Annotated

from langchain_core.tools import ToolException
from netaddr import EUI, AddrFormatError, NotRegisteredError
from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import check_limit, refused

CATEGORY = "Networking"
TOOL = "IP Calculator"

Network = Annotated[str, Field(description="Network in CIDR notation: address, slash, prefix length")]
Address = Annotated[str, Field(description="IPv4 or IPv6 address")]


class Subnet(TypedDict):
    """A network of addresses."""

    network: str
    netmask: str
    first_address: str
    last_address: str
    addresses: int


class AddressFacts(TypedDict):
    """What kind an address is."""

    version: int
    is_private: bool
    is_loopback: bool
    is_multicast: bool
    reverse_pointer: str


class Membership(TypedDict):
    """Whether an address belongs to a network."""

    contained: bool


class AddressNumber(TypedDict):
    """An address as a whole number."""

    number: str


class Vendor(TypedDict):
    """Who made a network card."""

    prefix: str
    organisation: str


def _network(text: str) -> IPv4Network | IPv6Network:
    with refused(f"{text!r} is not a network in CIDR notation"):
        return ip_network(text.strip(), strict=False)


def subnet_info(network: Network) -> Subnet:
    """Netmask, first and last address and number of addresses of a network."""
    found = _network(network)
    return {
        "network": str(found),
        "netmask": str(found.netmask),
        "first_address": str(found.network_address),
        "last_address": str(found.broadcast_address),
        "addresses": found.num_addresses,
    }


def split_subnet(network: Network, new_prefix: int, limit: int = 16) -> list[str]:
    """Divide a network into smaller ones of the given prefix length."""
    found = _network(network)
    if not found.prefixlen <= new_prefix <= found.max_prefixlen:
        raise ToolException(f"the new prefix must be {found.prefixlen} to {found.max_prefixlen}")
    subnets = found.subnets(new_prefix=new_prefix)
    count = min(check_limit(limit), 2 ** (new_prefix - found.prefixlen))
    return [str(next(subnets)) for _ in range(count)]


def ipInfo(address: str) -> AddressFacts:
    """Classify IP."""
    with refused(f"{address!r} is not an IP address"):
        found = ip_address(address.strip())
    return {
        "version": found.version,
        "is_private": found.is_private,
        "is_loopback": found.is_loopback,
        "is_multicast": found.is_multicast,
        "reverse_pointer": found.reverse_pointer,
    }


def ip_in_network(address: Address, network: Network) -> Membership:
    """Is this address part of that network?"""
    with refused(f"{address!r} is not an IP address"):
        return {"contained": ip_address(address.strip()) in _network(network)}


def ip_to_number(address: Address) -> AddressNumber:
    """An IP address as a decimal whole number."""
    with refused(f"{address!r} is not an IP address"):
        return {"number": str(int(ip_address(address.strip())))}


def mac_vendor(mac: Annotated[str, Field(description="MAC address: six bytes in hexadecimal")]) -> Vendor:
    """Manufacturer of a network device, by the first half of its MAC address."""
    with refused(f"{mac!r} is not a MAC address", AddrFormatError, ValueError):
        found = EUI(mac)
    with refused(f"the prefix of {mac} is not registered", NotRegisteredError):
        registration = found.oui.registration()
    return {"prefix": registration.oui, "organisation": registration.org}


APIS = [subnet_info, split_subnet, ipInfo, ip_in_network, ip_to_number, mac_vendor]
