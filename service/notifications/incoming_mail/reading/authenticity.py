"""Whether a message comes from its stated sender, according to the operator's own mail server (RFC 8601).

`Authentication-Results` counts only if it comes from the server that the operator names, which removes such headers
written by others in its name. Of several such headers, the topmost that reports a method counts, since headers that
came with the message are below.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.outbox.addresses import addresses

_OUTSIDE = re.compile(r"""[^"(]+|\(|"(?:[^"\\]|\\.)*+"?""", re.DOTALL)
_IN_COMMENT = re.compile(r"[^()\\]+|[()]|\\.?", re.DOTALL)
_NOT_QUOTED = re.compile(r"[^\w@.+-]")
"""The pattern of characters that have a meaning between results, and none inside quotes."""
_RESULT = re.compile(
    r"\s*([a-z][\w-]*)\s*(?:/\s*\d+\s*)?=\s*([a-z]+)\b(.*)", re.IGNORECASE | re.DOTALL
)
_PROPERTY = re.compile(r"([a-z]+\.[\w-]+)\s*=\s*([^\s;]+)", re.IGNORECASE)
_OF_DOMAIN = {
    "dmarc": ("header.from",),
    "dkim": ("header.d", "header.i"),
    "spf": ("smtp.mailfrom",),
}
"""The methods, each with the properties that name the domain for which it has passed."""


def is_authentic(headers: Sequence[str], trusted: str | None, address: str) -> bool:
    """Whether the `trusted` server vouches that a message is from the domain of this address.

    `headers` are the message's Authentication-Results, the topmost first. DMARC, DKIM or SPF has to have passed, for
    that domain or another domain of the same owner.
    """
    if not trusted:
        return False
    told: dict[str, bool] = {}
    for header in headers:
        server, _, results = _plain(header).partition(";")
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


def _plain(header: str) -> str:
    """A header without comments, and with no characters inside quotes that have a meaning outside.

    Strangers choose the quoted texts, such as a reason, or the mailbox that a message claims to come from. A quote or
    comment that is never closed extends to the end.
    """
    parts, at, depth = list[str](), 0, 0
    while at < len(header):
        found = (_IN_COMMENT if depth else _OUTSIDE).match(header, at)
        assert found is not None
        at, text = found.end(), found[0]
        if text == "(" or (depth and text == ")"):
            depth += 1 if text == "(" else -1
            parts.append(" ")
        elif not depth:
            parts.append(
                _NOT_QUOTED.sub("?", text[1:].removesuffix('"')) if text[0] == '"' else text
            )
    return "".join(parts)


def _passes(method: str, match: re.Match[str], address: str) -> bool:
    """Whether this result is `pass` for the domain of the address; a signature of another domain does not count."""
    domain = address.rpartition("@")[2].lower()
    properties = {name.lower(): value for name, value in _PROPERTY.findall(match[3])}
    named = next(filter(None, (properties.get(each) for each in _OF_DOMAIN[method])), "")
    of = named.rpartition("@")[2].strip(".").lower()
    is_same = of == domain or of.endswith(f".{domain}") or domain.endswith(f".{of}")
    owners = {addresses.registered_domain(f"x@{each}") for each in (of, domain)}
    return match[2].lower() == "pass" and bool(of and domain) and is_same and len(owners) == 1
