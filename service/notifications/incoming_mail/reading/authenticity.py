"""Whether a message is from whom it says, as the operator's own mail server has found out (RFC 8601).

`Authentication-Results` counts only of the server that the operator names, which removes what others have written in
its name. Of several of its headers the topmost that tells of a method counts: what came with the message stands below.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.outbox.addresses import addresses

_COMMENT = re.compile(r"\([^()]*\)")
_RESULT = re.compile(
    r"\s*([a-z][\w-]*)\s*(?:/\s*\d+\s*)?=\s*([a-z]+)\b(.*)", re.IGNORECASE | re.DOTALL
)
_PROPERTY = re.compile(r"([a-z]+\.[\w-]+)\s*=\s*(?:\"([^\"]*)\"|([^\s;]+))", re.IGNORECASE)
_OF_DOMAIN = {
    "dmarc": ("header.from",),
    "dkim": ("header.d", "header.i"),
    "spf": ("smtp.mailfrom",),
}
"""The methods, and the properties that say for which domain one has passed."""
_DEEPEST_COMMENT = 5


def is_authentic(headers: Sequence[str], trusted: str | None, address: str) -> bool:
    """Whether the `trusted` server says that a message is of the domain of this address.

    `headers` are the Authentication-Results of a message, the topmost first. DMARC, DKIM or SPF has passed, for that
    domain or another of the same owner.
    """
    if not trusted:
        return False
    told: dict[str, bool] = {}
    for header in headers:
        plain = header
        for _ in range(_DEEPEST_COMMENT):
            plain = _COMMENT.sub(" ", plain)
        server, _, results = plain.partition(";")
        if (server.split() or [""])[0].lower() != trusted.lower():
            continue
        found: dict[str, bool] = {}
        for each in results.split(";"):
            match = _RESULT.match(each)
            if match and match[1].lower() in _OF_DOMAIN:
                method = match[1].lower()
                found[method] = found.get(method, False) or _passes(method, match, address)
        told = {**found, **told}
    return any(told.values())


def _passes(method: str, match: re.Match[str], address: str) -> bool:
    """Whether this result is `pass`, and for the domain of the address: a signature of anybody else says nothing."""
    domain = address.rpartition("@")[2].lower()
    properties = {
        name.lower(): quoted or bare for name, quoted, bare in _PROPERTY.findall(match[3])
    }
    named = next(filter(None, (properties.get(each) for each in _OF_DOMAIN[method])), "")
    of = named.rpartition("@")[2].strip(".").lower()
    is_same = of == domain or of.endswith(f".{domain}") or domain.endswith(f".{of}")
    owners = {addresses.registered_domain(f"x@{each}") for each in (of, domain)}
    return match[2].lower() == "pass" and bool(of and domain) and is_same and len(owners) == 1
