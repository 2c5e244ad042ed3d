"""The address to which a mail comes back that cannot be delivered: its envelope sender, one for each mail (VERP).

So it does not matter how whoever returns it writes about it. The address is signed, and bound to the address that the
mail went to and to the days within which it can come back: nobody can stop somebody else's mails who was not sent one
of them.
"""

from __future__ import annotations

import hmac
from typing import NamedTuple

from service.core.runtime.units import DAY
from service.core.settings.config import Config
from service.outbox.addresses import own_addresses
from service.outbox.addresses.own_addresses import token_in

VALID = 14
"""Days within which a mail can come back: mail servers give up after five, and their answer may wait as long."""
_ROW, _UNTIL, _SIGNED = 5, 2, 10
"""Bytes of its parts."""


class Returning(NamedTuple):
    """What a return address says, unless it is forged: `is_of` knows."""

    row_id: int
    until: int
    """The last day on which it is taken."""
    signed: bytes

    def is_of(self, config: Config, now: int, address: str) -> bool:
        """Whether the mail of this row went to `address`, and can still come back."""
        expected = _signature(config, self.row_id, self.until, address)
        return hmac.compare_digest(self.signed, expected) and now // DAY <= self.until


def return_address(config: Config, now: int, row_id: int, address: str) -> str | None:
    """Where the mail of an outbox row that is sent to `address` now comes back to; None where no mail comes in."""
    if not config.incoming_mail:
        return None
    until = now // DAY + VALID
    payload = row_id.to_bytes(_ROW, "big") + until.to_bytes(_UNTIL, "big")
    signed = _signature(config, row_id, until, address)
    return own_addresses.address_with(config, payload + signed)


def read(config: Config, recipient: str) -> Returning | None:
    """What this address says of a mail; None if it is no return address."""
    data = own_addresses.data_in(token_in(config, recipient) or "")
    if len(data) != _ROW + _UNTIL + _SIGNED:
        return None
    row, rest = int.from_bytes(data[:_ROW], "big"), data[_ROW:]
    return Returning(row, int.from_bytes(rest[:_UNTIL], "big"), rest[_UNTIL:])


def _signature(config: Config, row_id: int, until: int, address: str) -> bytes:
    return own_addresses.signed(config, _SIGNED, "return address", row_id, until, address.lower())
