"""The address for replies to a turn email, signed so that nobody can make one for somebody else's seat.

It names the tenure, the question of the email and the day after which it is refused, and is bound to the address to
which the email was sent. It stops working when the seat changes hands, when the player changes their address, and when
the server's key changes. The case of its letters does not matter, since not every mail server keeps it.

The address for confirming a choice names the question and the position of the action instead, and cannot be derived
from the other one. So only somebody who has read the email that asks for the confirmation can reply there.
"""

from __future__ import annotations

import hmac
from typing import NamedTuple

from service.core.runtime.problems import NotFound
from service.core.runtime.time_and_random import base62, from_base62
from service.core.runtime.units import DAY
from service.core.settings.config import Config
from service.log.table_rows.table import Holder, Table
from service.notifications.mail_texts.mail_links import HandedOver, find_seated
from service.outbox.addresses import own_addresses
from service.people.accounts import accounts

VALID = 60
"""The number of days for which an address accepts replies."""
_TENURE, _UNTIL, _ASKED, _PLACE, _SIGNED = 16, 2, 3, 2, 8
"""The lengths of the parts of a reply address, in bytes."""
_OF_BEFORE = (17, 2, 10)
"""The lengths of the parts of an address without a question, made by an earlier release, in bytes."""
_LENGTH = _TENURE + _UNTIL + _ASKED + _SIGNED


class Answering(NamedTuple):
    """The person who replies to an address, and their table and seat."""

    table: Table
    person: Holder
    player_id: str
    address: str
    """The address to which the email was sent."""
    asked: int | None = None
    """The question of the email, or the reader's last question at that time; None if the address does not name it."""
    confirms: int | None = None
    """The position of the action that a reply confirms; None if it confirms none."""

    @property
    def tenure(self) -> str:
        """The id of the tenure of the person who replies."""
        return self.person.tenure


def reply_address(
    config: Config, now: int, tenure: str, address: str, asked: int = 0
) -> str | None:
    """The address for replies to an email that is sent to this tenure at this address; None if no mail is received."""
    if not config.incoming_mail:
        return None
    until = now // DAY + VALID
    payload = _bytes_of(tenure) + until.to_bytes(_UNTIL, "big") + asked.to_bytes(_ASKED, "big")
    signed = _signed(config, "reply", tenure, until, asked, address)
    return own_addresses.address_with(config, payload + signed)


def confirming_address(
    config: Config, table: Table, tenure: str, address: str, asked: int, place: int
) -> str | None:
    """The address for a reply that plays the action at `place`; None if no mail is received."""
    if not config.incoming_mail:
        return None
    payload = _bytes_of(tenure) + asked.to_bytes(_ASKED, "big") + place.to_bytes(_PLACE, "big")
    about = (tenure, asked, place, table.game.version, address)
    signed = _signed(config, "confirm by reply", *about)
    return own_addresses.address_with(config, payload + signed)


def read_token(config: Config, now: int, token: str) -> Answering:
    """The contents of a token.

    Raises NotFound if it is not signed or too old, and HandedOver if the seat has changed hands.
    """
    data = own_addresses.data_in(token)
    if len(data) != _LENGTH or own_addresses.token_of(data) != token.lower():
        raise NotFound
    try:
        return _read(config, now, data)
    except HandedOver:
        raise
    except NotFound:
        return _read_of_before(config, now, data)


def _read(config: Config, now: int, data: bytes) -> Answering:
    """The contents of an address with a question.

    Raises NotFound if it is not signed or too old, and HandedOver if the seat has changed hands.
    """
    table, person, player_id = find_seated(f"t_{base62(data[:_TENURE])}")
    address = accounts.address_of(player_id) or ""
    found, tenure = Answering(table, person, player_id, address), person.tenure
    payload, signed = data[_TENURE:-_SIGNED], data[-_SIGNED:]
    until, asked = _number(payload[:_UNTIL]), _number(payload[_UNTIL:])
    expected = _signed(config, "reply", tenure, until, asked, address)
    if address and hmac.compare_digest(signed, expected) and now // DAY <= until:
        return found._replace(asked=asked or None)
    asked, place = _number(payload[:_ASKED]), _number(payload[_ASKED:])
    about = (tenure, asked, place, table.game.version, address)
    if address and hmac.compare_digest(signed, _signed(config, "confirm by reply", *about)):
        return found._replace(asked=asked, confirms=place)
    raise NotFound


def _read_of_before(config: Config, now: int, data: bytes) -> Answering:
    """The contents of an address without a question.

    Raises NotFound if it is not signed or too old, and HandedOver if the seat has changed hands.
    """
    of_tenure, of_until, of_signed = _OF_BEFORE
    table, person, player_id = find_seated(f"t_{base62(data[:of_tenure])}")
    until, address = _number(data[of_tenure:][:of_until]), accounts.address_of(player_id) or ""
    about = (person.tenure, until, address)
    expected = _signed(config, "reply address", *about, length=of_signed)
    if not address or not hmac.compare_digest(data[-of_signed:], expected) or now // DAY > until:
        raise NotFound
    return Answering(table, person, player_id, address)


def _bytes_of(tenure: str) -> bytes:
    return from_base62(tenure.removeprefix("t_")).to_bytes(_TENURE, "big")


def _number(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _signed(config: Config, purpose: str, *about: object, length: int = _SIGNED) -> bytes:
    *others, address = about
    return own_addresses.signed(config, length, purpose, *others, str(address).lower())
