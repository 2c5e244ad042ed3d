"""Our own addresses at which email comes in, each with something signed in it (INCOMING_MAIL).

They are `reply+token@tegami.example`, or `token@reply.tegami.example` where all addresses of a domain are ours. The
case of a token's letters does not matter, since not every mail server keeps it.
"""

from __future__ import annotations

import base64

from service.core.runtime.signatures import signature
from service.core.settings.config import Config


def address_with(config: Config, data: bytes) -> str:
    """Our address that contains `data`. Requires INCOMING_MAIL."""
    token = token_of(data)
    local, _, domain = (config.incoming_mail or "").partition("@")
    return f"{token}@{domain}" if local == "*" else f"{local}+{token}@{domain}"


def token_in(config: Config, recipient: str) -> str | None:
    """The token in an address, in lower case; None if the address is not one of ours."""
    ours, _, our_domain = (config.incoming_mail or "").lower().partition("@")
    local, _, domain = recipient.lower().rpartition("@")
    if not our_domain or domain != our_domain:
        return None
    prefix = "" if ours == "*" else f"{ours}+"
    return local.removeprefix(prefix) if local.startswith(prefix) else None


def token_of(data: bytes) -> str:
    """The token that represents these bytes in an address."""
    return base64.b32encode(data).decode().rstrip("=").lower()


def data_in(token: str) -> bytes:
    """The bytes of a token; empty if it is malformed."""
    try:
        return base64.b32decode(token.upper() + "=" * (-len(token) % 8))
    except ValueError:
        return b""


def signed(config: Config, length: int, purpose: str, *about: object) -> bytes:
    """A signature of `length` bytes for such an address, which has room for only a few."""
    return base64.urlsafe_b64decode(signature(config.secret_key, purpose, *about) + "=")[:length]
