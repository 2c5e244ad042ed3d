"""Tables that do not start: after two weeks they are deleted, and the people there are told."""

from __future__ import annotations

from sqlalchemy import Select, select

from service.core.database.database import Moment, transaction
from service.core.models.games import Game
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY
from service.log import changes
from service.log.table_rows.table import at_table
from service.outbox.causes import announcements
from service.tables.before_start.table_setup import delete_table, still_open

LONGEST_OPEN = 14 * DAY
"""Ms after which a table that has not started is removed."""


def expire(runtime: Runtime, game_id: str) -> bool:
    """Delete a table that has been open for too long; returns False if it has started or is gone."""
    with transaction():
        table = still_open(game_id)
        if table is None or table.game.created_at > runtime.now() - LONGEST_OPEN:
            return False
        announcements.table_expired(runtime, table)
        changes.note("removed", at_table(runtime, table), table.people)
        delete_table(runtime, table)
        return True


def expired_tables(now: Moment) -> Select[str]:
    """The query for the ids of tables that have been open for too long."""
    waiting = select(Game.id).where(Game.status == "open", Game.created_at <= now - LONGEST_OPEN)
    return waiting.order_by(Game.key)
