"""Opening the weekly tables of circles, at which nobody sits until members sit down."""

from __future__ import annotations

from rules.kernel import Json
from service.core.database.database import transaction
from service.core.runtime.problems import (
    InvalidOptions,
    InvalidPlayers,
    NotPossible,
    UnknownRuleset,
)
from service.log.table_rows.table import Table, id_of
from service.people import players
from service.people.circles import circles, weeklies
from service.people.circles.weeklies import WeeklyRow
from service.tables.before_start import table_setup
from service.tables.services import Services

_FOR_NOBODY: Json = {"private": True, "house": 0, "rated": False}
"""The values of a table that nobody opens: only members see it, and nobody is there to add house players."""


def set_up(services: Services, circle_id: str, player_id: str, wish: Json) -> WeeklyRow:
    """Let `wish["table"]` open in a circle each week, as a member.

    Raises NotFound, NotPossible, UnknownTimeZone, and what `table_setup.settled_columns` does.
    """
    table = {**wish["table"], "house": 0}
    if table_setup.settled_columns({**table, **_FOR_NOBODY})["live"]:
        raise NotPossible("weekly-live")  # such a table waits for people who are there
    with transaction():
        players.lock(player_id)
        maker = circles.membership(circle_id, player_id, lock=True)
        return weeklies.add(services, maker, wish, table)


def remove(services: Services, circle_id: str, player_id: str, weekly_id: str) -> None:
    """Stop opening a table each week, and delete the last one if nobody sits there.

    Raises NotFound, NotHostOfCircle.
    """
    with transaction():
        row = weeklies.remove(circles.membership(circle_id, player_id, lock=True), weekly_id)
    with transaction():  # tables are locked before circles
        unused = _unused_table(row)
        if unused:
            table_setup.delete_table(services, unused)


def open_if_due(services: Services, weekly_id: str) -> bool:
    """Open the table of this week, unless another worker has done so.

    The previous one is deleted if nobody has sat down there. After several unused tables in a row, no more are opened.
    In a week in which this version does not know the ruleset or an option, as after a downgrade, none opens.
    """
    with transaction():
        row = weeklies.find(weekly_id)
        if row is None or row.next_at > services.now():
            return False
        before = _unused_table(row)
        if not weeklies.claim(services, row):
            return False
        unused = row.unused + 1 if before else 0
        if before:
            table_setup.delete_table(services, before)
        if unused >= weeklies.MOST_UNUSED:
            weeklies.end(row.id)
            return True
        weeklies.note_opened(row, _open(services, row), unused)
        return True


def _unused_table(row: WeeklyRow) -> Table | None:
    """The locked last table, if nobody has sat down there and it is still open."""
    last = id_of(row.game_key)
    table = table_setup.still_open(last) if last else None
    return table if table and not table.people else None


def _open(services: Services, row: WeeklyRow) -> int | None:
    """Open a table, at which nobody sits; returns its key, or None if this version does not know how it is played."""
    try:
        values = table_setup.settled_columns({**row.wish, **_FOR_NOBODY})
    except (UnknownRuleset, InvalidPlayers, InvalidOptions):
        return None
    circle = {"circle_key": row.circle_key, "rated": row.wish.get("rated", False)}
    return table_setup.insert_empty(services, {**values, **circle}).game.key
