"""The emails that wait for their reader's digest, and the emails that are sent alone since a digest would be too
late.
"""

from __future__ import annotations

from sqlalchemy import select

from service.core.database.database import db
from service.core.models.games import Game, Seat
from service.core.models.mail import OutboxRow
from service.core.runtime.units import MINUTE
from service.outbox import digests, queue, recipients, unsubscriptions
from service.tables.clocks.quiet_hours import end_of_quiet
from service.tables.services import Services

AFTERWARDS = 15 * MINUTE
"""The time (ms) after a digest at which the emails that waited for it are looked at again, in case it was not sent."""


def leave_to_digest(services: Services, row: OutboxRow) -> bool:
    """Let a claimed email wait for a digest, and plan that; return False if the email is to be sent alone.

    It is dropped if its reader has turned digests off. The caller owns the transaction.
    """
    reader = recipients.find(row.player_id)
    if reader is None or reader.digest is None:
        return False
    now, at = services.now(), digests.unsent(reader.player_id)
    if at is None:  # none is queued, so the next one is, or it is due now
        planned = digests.plan(services, reader)
        at = planned.at if planned else now
    reads = end_of_quiet(reader, max(at, now))
    due = deadline_of(row)
    if due is not None and due < reads + digests.TIME_TO_PLAY:
        return False
    if unsubscriptions.is_wanted(reader.player_id, digests.KIND, None):
        queue.hold(row, reads + AFTERWARDS)
    else:
        queue.finish(row, now, "dropped")
    return True


def deadline_of(row: OutboxRow) -> int | None:
    """The time (ms UTC) by which the question of this email has to be answered; None while no clock runs."""
    mine = (Seat.tenure_id == row.tenure_id) & Game.paused_at.is_(None)
    query = select(Seat.due).join(Game, Game.key == Seat.game_key).where(mine)
    return db.session.scalar(query)
