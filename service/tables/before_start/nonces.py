"""Nonces: random numbers that people contribute to the shuffles, once they know the commitment (docs/record.md).

A nonce never changes, and the nonce of somebody who leaves stays in the list, so nobody can try several nonces.
"""

from __future__ import annotations

from sqlalchemy import update

from service.core.database.database import db
from service.core.models.games import Tenure
from service.core.runtime.problems import OtherNonce, TooManyNonces
from service.core.runtime.units import SECOND
from service.log.events import MOST_NONCES
from service.log.table_rows.table import Person, Table

LONGEST_WAIT = 10 * SECOND
"""How long (ms) a full table that starts automatically waits for its opener's nonce."""


def is_awaited(table: Table) -> bool:
    """Whether the table starts automatically and still waits for its opener's nonce."""
    host = table.host
    return table.game.awaits_nonce and host is not None and opened(host) and host.nonce is None


def opened(person: Person) -> bool:
    """Whether this person opened the table and has sat there since then."""
    return person.place == 1


def bring(table: Table, person: Person, nonce: str) -> None:
    """Store somebody's nonce, unless it is stored already. The caller owns the lock and the commit.

    Raises OtherNonce, TooManyNonces.
    """
    if person.nonce is not None:
        if person.nonce != nonce:
            raise OtherNonce
        return
    refuse_too_many(table, kept=not opened(person))
    brought = update(Tenure).where(Tenure.id == person.tenure)
    db.session.execute(brought.values(nonce=nonce))


def refuse_too_many(table: Table, *, kept: bool) -> None:
    """Raise TooManyNonces if the table has no room for another nonce. With `kept`, one place is kept
    for the opener's nonce.

    Without that place, others could use up all the room.
    """
    if len(table.nonces) >= MOST_NONCES - kept:
        raise TooManyNonces
