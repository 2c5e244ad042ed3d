"""The address to which an undeliverable email comes back: its envelope sender, a different one for each email (VERP).

So the wording of the returned email does not matter. The address is signed, and bound to the recipient's address and to
the days within which the email can come back. So only somebody who was sent an email could stop emails to that address.
"""

from __future__ import annotations

import hmac
from typing import NamedTuple

from service.core.runtime.units import DAY
from service.core.settings.config import Config
from service.outbox.addresses import own_addresses
from service.outbox.addresses.own_addresses import token_in

VALID = 14
"""The number of days within which an email can come back: servers give up after five, and reports may take as long."""
_ROW, _UNTIL, _SIGNED = 5, 2, 10
"""The lengths of the parts of a return address, in bytes."""


class Returning(NamedTuple):
    """The contents of a return address, which may be forged: see `is_of`."""

    row_id: int
    until: int
    """The last day on which the address is accepted."""
    signed: bytes

    def is_of(self, config: Config, now: int, address: str) -> bool:
        """Whether the email of this row was sent to `address` and can still come back."""
        expected = _signature(config, self.row_id, self.until, address)
        return hmac.compare_digest(self.signed, expected) and now // DAY <= self.until


def return_address(config: Config, now: int, row_id: int, address: str) -> str | None:
    """The return address of the email in an outbox row that is now sent to `address`; None without INCOMING_MAIL."""
    if not config.incoming_mail:
        return None
    until = now // DAY + VALID
    payload = row_id.to_bytes(_ROW, "big") + until.to_bytes(_UNTIL, "big")
    signed = _signature(config, row_id, until, address)
    return own_addresses.address_with(config, payload + signed)


def read(config: Config, recipient: str) -> Returning | None:
    """The contents of a return address; None if the address is not one."""
    data = own_addresses.data_in(token_in(config, recipient) or "")
    if len(data) != _ROW + _UNTIL + _SIGNED:
        return None
    row, rest = int.from_bytes(data[:_ROW], "big"), data[_ROW:]
    return Returning(row, int.from_bytes(rest[:_UNTIL], "big"), rest[_UNTIL:])


def _signature(config: Config, row_id: int, until: int, address: str) -> bytes:
    return own_addresses.signed(config, _SIGNED, "return address", row_id, until, address.lower())
