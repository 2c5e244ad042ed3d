"""Redirect URIs: where a browser continues after its player has agreed that a site or app acts for them (OAuth).

Nobody registers them, so the address itself identifies the client: by the origin of a site, by the scheme of an app, or
as a program on the player's own device. An address that could be read in two ways is refused, so that people are shown
the place to which their browser goes.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

ClientKind = Literal["site", "device", "app"]
LONGEST = 500
"""The greatest length of a redirect URI, in characters."""
OF_ANSWERS = frozenset(("code", "state", "iss", "error", "error_description", "error_uri"))
"""The parameters that the response adds, and that a redirect URI must not contain already."""

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_HOST = rf"(?:{_LABEL}\.){{0,20}}[a-z](?:[a-z0-9-]{{0,61}}[a-z0-9])?"
"""The pattern of a host: a name, and not a number, which browsers read as an address in several ways."""
_PORT = r"(?::(?!{default}\b)[1-9][0-9]{{0,4}})?"
"""The pattern of a port other than the scheme's, which browsers leave out; so each client has one name."""
_CHARACTER = r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})"
_PATH = rf"/(?!/){_CHARACTER}*"
_QUERY = rf"(?:\?{_CHARACTER}+)?"
_KINDS: dict[ClientKind, str] = {
    "site": rf"(https://{_HOST}{_PORT.format(default=443)})(?:{_PATH})?{_QUERY}",
    "device": (
        r"(http://(?:127\.0\.0\.1|\[::1\]|localhost)"
        rf"{_PORT.format(default=80)})(?:{_PATH})?{_QUERY}"
    ),
    "app": rf"([a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+):(?:{_PATH}|//{_HOST}(?:{_PATH})?){_QUERY}",
}
"""The patterns of redirect URIs, each with the part that is shown: the origin, or the scheme of an app.

The scheme of an app needs a dot (RFC 8252).
"""
_PATTERNS = {kind: re.compile(pattern, re.ASCII) for kind, pattern in _KINDS.items()}


class Client(NamedTuple):
    """A client, as far as its redirect URI identifies it."""

    kind: ClientKind
    """The kind of client: a `site`, a program on the player's own `device` (RFC 8252, 7.3), or an `app` with its own
    scheme (7.1).
    """
    name: str
    """The origin, or the scheme of an app, without its colon."""

    @property
    def source(self) -> str:
        """The source of the redirect URI in a Content-Security-Policy.

        A policy cannot name an IPv6 address, so any host with that port stands for the player's own device.
        """
        return f"{self.name}:" if self.kind == "app" else self.name.replace("[::1]", "*")


def client_of(redirect_uri: str) -> Client | None:
    """The client with this redirect URI; None if it is not allowed."""
    if len(redirect_uri) > LONGEST or not _is_kept(redirect_uri):
        return None
    for kind, pattern in _PATTERNS.items():
        found = pattern.fullmatch(redirect_uri)
        if found:
            return Client(kind, found[1])
    return None


def _is_kept(redirect_uri: str) -> bool:
    """Whether the address stays as it is when parameters are added.

    It has to be written as forms write it, and without any parameter of the response.
    """
    try:
        parts = urlsplit(redirect_uri)
        port = parts.port
    except ValueError:
        return False
    query = parse_qsl(parts.query, keep_blank_values=True)
    return (
        (port is None or port < 2**16)
        and urlunsplit(parts) == redirect_uri
        and urlencode(query) == parts.query
        and OF_ANSWERS.isdisjoint(name for name, _ in query)
    )
