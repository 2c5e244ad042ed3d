"""The address to which an answer to a turn mail goes: signed, so that nobody can make one for somebody else's seat.

It names the tenure and the day after which it is refused, and is bound to the address to which the mail went: it ends
when the seat changes hands, when the player takes another address, and with the server's key. Capitals do not count in
it, for not every mail server keeps them.
"""

from __future__ import annotations

import base64
import hmac
from typing import NamedTuple

from service.core.runtime.problems import NotFound
from service.core.runtime.signatures import signature
from service.core.runtime.time_and_random import base62, from_base62
from service.core.runtime.units import DAY
from service.core.settings.config import Config
from service.log.table_rows.table import Table
from service.notifications.mail_texts.mail_links import find_seated
from service.people.accounts import accounts

VALID = 60
"""Days for which an address takes answers."""
_TENURE, _UNTIL, _SIGNED = 17, 2, 10
"""Bytes of its parts."""


class Answering(NamedTuple):
    """Who answers by an address, and where."""

    table: Table
    player_id: str
    tenure: str
    address: str
    """To which the mail went."""


def reply_address(config: Config, now: int, tenure: str, address: str) -> str | None:
    """Where an answer to a mail to this tenure, at this address, goes; None if no mail is received."""
    if not config.incoming_mail:
        return None
    until = now // DAY + VALID
    number = from_base62(tenure.removeprefix("t_"))
    payload = number.to_bytes(_TENURE, "big") + until.to_bytes(_UNTIL, "big")
    signed = payload + _signed(config, tenure, until, address)
    token = base64.b32encode(signed).decode().rstrip("=").lower()
    local, _, domain = config.incoming_mail.partition("@")
    return f"{token}@{domain}" if local == "*" else f"{local}+{token}@{domain}"


def token_in(config: Config, recipient: str) -> str | None:
    """The signed part of an address; None if it is not one of those that receive answers."""
    ours, _, our_domain = (config.incoming_mail or "").lower().partition("@")
    local, _, domain = recipient.lower().rpartition("@")
    if not our_domain or domain != our_domain:
        return None
    prefix = "" if ours == "*" else f"{ours}+"
    return local.removeprefix(prefix) if local.startswith(prefix) else None


def read_token(config: Config, now: int, token: str) -> Answering:
    """Who answers. Raises NotFound if it is not signed or too old, HandedOver if the seat has changed hands."""
    try:
        data = base64.b32decode(token.upper() + "=" * (-len(token) % 8))
    except ValueError:
        raise NotFound from None
    if len(data) != _TENURE + _UNTIL + _SIGNED:
        raise NotFound
    tenure, rest = f"t_{base62(data[:_TENURE])}", data[_TENURE:]
    until = int.from_bytes(rest[:_UNTIL], "big")
    table, _, player_id = find_seated(tenure)
    address = accounts.address_of(player_id) or ""
    is_signed = hmac.compare_digest(rest[_UNTIL:], _signed(config, tenure, until, address))
    if not address or not is_signed or now // DAY > until:
        raise NotFound
    return Answering(table, player_id, tenure, address)


def _signed(config: Config, tenure: str, until: int, address: str) -> bytes:
    text = signature(config.secret_key, "reply address", tenure, until, address.lower())
    return base64.urlsafe_b64decode(text + "=")[:_SIGNED]
