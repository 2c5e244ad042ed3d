"""Web addresses to which something may be sent: never in networks that are not public.

A name is resolved once, and exactly the address that was checked is dialled, so that the name cannot lead elsewhere a
moment later.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Callable, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

LONGEST = 500
"""The greatest length of a receiver's address, in characters."""
USUAL_PORTS = {"https": 443, "http": 80}
PORTS = {443, 8443}
"""The ports that can be dialled."""
_PUBLIC = ipaddress.ip_network("2000::/3")
_FORBIDDEN = [
    ipaddress.ip_network(each)
    for each in (
        "168.63.129.16/32",  # a cloud's own services, at an address that looks like anybody's
        "192.0.0.0/24",  # protocols, and the metadata of a cloud
        "192.88.99.0/24",  # relays of 6to4
        "2001::/23",  # Teredo, which holds IPv4 addresses, and other protocols
        "2002::/16",  # 6to4, which holds IPv4 addresses
        "3fff::/20",  # examples
        "fec0::/10",  # site-local addresses, no longer in use
        "64:ff9b::/96",  # NAT64, which holds IPv4 addresses
        "64:ff9b:1::/48",
    )
]
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
"""The pattern of what a resolver may read as the last part of an IPv4 address (127.1, 0x7f.1, 127.0.0.0x1)."""
_PATH = re.compile(r"[!-~]*")

Resolver = Callable[[str, int], Sequence[str]]
"""A function that returns the addresses of a host at a port. Raises OSError if there are none."""


class Forbidden(ValueError):
    """Raised for an address to which nothing is sent; `why` names the rule that forbids it."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class WebAddress(NamedTuple):
    """A web address, divided into its parts."""

    scheme: str
    host: str
    """The host in lower case; an IPv6 address without brackets."""
    port: int
    path: str
    """The path with the query."""

    @property
    def authority(self) -> str:
        """The host and port, in the form for a request."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == USUAL_PORTS[self.scheme] else f"{host}:{self.port}"


def parse(url: str, *, anywhere: bool) -> WebAddress:
    """The parts of an address. Raises Forbidden for an address to which nothing is sent, wherever it leads.

    `anywhere` allows http and all ports, for a server that is being developed.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Forbidden("malformed") from None
    host, path = (parts.hostname or "").lower(), (parts.path or "/")
    path += f"?{parts.query}" if parts.query else ""
    if len(url) > LONGEST or not _PATH.fullmatch(path):
        raise Forbidden("malformed")
    if parts.scheme not in USUAL_PORTS:
        raise Forbidden("scheme")
    if parts.username is not None or parts.fragment:
        raise Forbidden("extras")
    if not (_HOST.fullmatch(host) or _is_literal(host)):
        raise Forbidden("host")
    found = WebAddress(parts.scheme, host, port or USUAL_PORTS[parts.scheme], path)
    if not anywhere:
        _check_usual(found)
    return found


def host_of(url: str) -> str:
    """The host of an address, in lower case."""
    return (urlsplit(url).hostname or "").lower()


def host_and_port(url: str) -> str:
    """The host and port of an address, in one text that is the same for all its spellings."""
    parts = urlsplit(url)
    return f"{host_of(url)}:{parts.port or USUAL_PORTS.get(parts.scheme, '')}"


def _check_usual(address: WebAddress) -> None:
    """Raise Forbidden for anything but https on the public internet.

    A numeric address is checked before it is dialled.
    """
    host = address.host
    is_number = ":" in host or _NUMBER.fullmatch(host.rpartition(".")[2]) is not None
    if address.scheme != "https":
        raise Forbidden("scheme")
    if address.port not in PORTS:
        raise Forbidden("port")
    if not is_number and "." not in host:
        raise Forbidden("host")
    if is_number and not is_public(host):
        raise Forbidden("network")


def _is_literal(host: str) -> bool:
    try:
        ipaddress.IPv6Address(host)
    except ValueError:
        return False
    return True


def resolve(host: str, port: int) -> list[str]:
    """The addresses of a host, as the system knows them. Raises OSError if there are none."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(each[4][0]) for each in found))


def vetted(address: WebAddress, resolver: Resolver, *, anywhere: bool) -> str:
    """The address to dial. Raises OSError if there is none, and Forbidden if any address of the name is not public."""
    found = resolver(address.host, address.port)
    if not found:
        raise OSError("a name without an address")
    if not anywhere and not all(map(is_public, found)):
        raise Forbidden("network")
    return found[0]


def is_public(address: str) -> bool:
    """Whether this IP address belongs to the public internet, and is not a way into another network."""
    try:
        parsed = ipaddress.ip_address(address)  # with a zone (fe80::1%eth0) it is not global either
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return is_public(str(parsed.ipv4_mapped))
        if parsed not in _PUBLIC:
            return False
    if any(parsed in each for each in _FORBIDDEN):
        return False
    return parsed.is_global and not parsed.is_multicast and not parsed.is_reserved
