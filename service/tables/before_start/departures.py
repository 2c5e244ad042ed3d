"""Leaving a table before the game, and the deletion of tables that do not start within two weeks."""

from __future__ import annotations

from sqlalchemy import Select, select, update

from rules.kernel import Json
from service.core.database.database import Moment, db, transaction
from service.core.models.games import Game, Tenure
from service.core.runtime.problems import NotFound
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY
from service.log import changes
from service.log.table_rows import invitation_queries, removals
from service.log.table_rows.table import at_table, raise_revision
from service.outbox.causes import announcements
from service.tables.before_start import ready_checks, table_setup
from service.tables.before_start.table_setup import host_only, open_for_changes, still_open

LONGEST_OPEN = 14 * DAY
"""How long (ms) a table may stay open without starting; after that it is deleted."""


def leave(runtime: Runtime, game_id: str, player_id: str, tenure_id: str) -> None:
    """Leave or, as the host, remove somebody before the start. A table without people is deleted.

    Raises NotFound, NotOpen, NotHost.
    """
    with transaction():
        table = open_for_changes(game_id)
        leaving = next((each for each in table.people if each.tenure == tenure_id), None)
        if leaving is None:
            raise NotFound
        is_removed = leaving.player_id != player_id
        changed: Json = {"starts_at": None, "ready_until": None}
        if is_removed:
            host_only(table, player_id)
            announcements.person_removed(runtime, table, leaving)
            changed["invitation_number"] = Game.invitation_number + 1  # the present key ends
            if leaving.player_id:
                invitation_queries.delete_of_removed(
                    runtime.now(), table.game.key, leaving.player_id
                )
        why = removals.REMOVED if is_removed else None
        ended = update(Tenure).where(Tenure.id == tenure_id)
        db.session.execute(ended.values(ended_at=runtime.now(), why=why))
        ready_checks.forget_answers(table)
        table = raise_revision(runtime, table, **changed)
        if is_removed:
            changes.note("removed", at_table(runtime, table), [leaving])
        if not any(each.player_id for each in table.people if each is not leaving):
            table_setup.delete_table(runtime, table)


def expire(runtime: Runtime, game_id: str) -> bool:
    """Delete a table that has been open for too long; returns False if it has started or is gone."""
    with transaction():
        table = still_open(game_id)
        if table is None or table.game.created_at > runtime.now() - LONGEST_OPEN:
            return False
        announcements.table_expired(runtime, table)
        changes.note("removed", at_table(runtime, table), table.people)
        table_setup.delete_table(runtime, table)
        return True


def expired_tables(now: Moment) -> Select[str]:
    """The query for the ids of tables that have been open for too long at the time `now`."""
    waiting = select(Game.id).where(Game.status == "open", Game.created_at <= now - LONGEST_OPEN)
    return waiting.order_by(Game.key)
