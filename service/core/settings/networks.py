"""Networks: the addresses whose requests count as coming from one client."""

from __future__ import annotations

import ipaddress
import re

LINE = 56
"""The number of bits of an IPv6 address that identify a line; the rest belongs to a single client."""

_WITH_PORT = re.compile(r"\A([0-9.]+):[0-9]+\Z")


def network_of(address: str) -> str:
    """The network of an address: an IPv4 address itself, or the network of an IPv6 address; any other text unchanged.

    Some proxies add the client's port, and IPv6 sockets write IPv4 addresses in their own way; both are removed.
    """
    try:
        parsed = ipaddress.ip_address(_WITH_PORT.sub(r"\1", address.partition("%")[0]))
    except ValueError:
        return address
    if parsed.version == 4:
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, LINE), strict=False))
