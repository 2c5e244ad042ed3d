"""Addresses of our own at which mail comes in, with something signed in them (INCOMING_MAIL).

`reply+token@tegami.example`, or `token@reply.tegami.example` where all addresses of a domain are ours. Capitals do not
count in a token, for not every mail server keeps them.
"""

from __future__ import annotations

import base64

from service.core.runtime.signatures import signature
from service.core.settings.config import Config


def address_with(config: Config, data: bytes) -> str:
    """Our address that holds `data`. Only where mail comes in."""
    token = token_of(data)
    local, _, domain = (config.incoming_mail or "").partition("@")
    return f"{token}@{domain}" if local == "*" else f"{local}+{token}@{domain}"


def token_in(config: Config, recipient: str) -> str | None:
    """What is signed in an address; None if it is not one of ours."""
    ours, _, our_domain = (config.incoming_mail or "").lower().partition("@")
    local, _, domain = recipient.lower().rpartition("@")
    if not our_domain or domain != our_domain:
        return None
    prefix = "" if ours == "*" else f"{ours}+"
    return local.removeprefix(prefix) if local.startswith(prefix) else None


def token_of(data: bytes) -> str:
    """How these bytes are written in an address."""
    return base64.b32encode(data).decode().rstrip("=").lower()


def data_in(token: str) -> bytes:
    """The bytes of a token; empty if it is none."""
    try:
        return base64.b32decode(token.upper() + "=" * (-len(token) % 8))
    except ValueError:
        return b""


def signed(config: Config, length: int, purpose: str, *about: object) -> bytes:
    """The signature of what an address of this purpose is about, of so many bytes: the address has room for few."""
    return base64.urlsafe_b64decode(signature(config.secret_key, purpose, *about) + "=")[:length]
