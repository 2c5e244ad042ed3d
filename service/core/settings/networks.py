"""Networks: who counts as one client by the address that a request comes from."""

from __future__ import annotations

import ipaddress
import re

LINE = 56
"""Bits of an IPv6 address that many lines are given; what follows them is one client's own."""

_WITH_PORT = re.compile(r"\A([0-9.]+):[0-9]+\Z")


def network_of(address: str) -> str:
    """An IPv4 address, or the network of an IPv6 address; what is neither, as it is.

    Some proxies add the port of the client, and IPv6 sockets write IPv4 addresses in their own way.
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
