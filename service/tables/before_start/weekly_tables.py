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
"""The values of a table that nobody opens: it is private to the members, and nobody is there to add house players."""


def set_up(services: Services, circle_id: str, player_id: str, wish: Json) -> WeeklyRow:
    """Have the table `wish["table"]` opened in a circle each week, as a member; returns the weekly table.

    Raises NotFound, NotPossible, UnknownTimeZone, and whatever `table_setup.settled_columns` raises.
    """
    table = {**wish["table"], "house": 0}
    if table_setup.settled_columns({**table, **_FOR_NOBODY})["live"]:
        raise NotPossible("weekly-live")  # such a table waits for people who are present
    with transaction():
        players.lock(player_id)
        maker = circles.membership(circle_id, player_id, lock=True)
        return weeklies.add(services, maker, wish, table)


def remove(services: Services, circle_id: str, player_id: str, weekly_id: str) -> None:
    """Stop opening a table each week, and delete the previous one if nobody has sat down there.

    Raises NotFound, NotHostOfCircle.
    """
    with transaction():
        row = weeklies.remove(circles.membership(circle_id, player_id, lock=True), weekly_id)
    with transaction():  # everywhere, tables are locked before circles
        unused = _unused_table(row)
        if unused:
            table_setup.delete_table(services, unused)


def open_if_due(services: Services, weekly_id: str) -> bool:
    """Open the table of this week; returns False if another worker has done so.

    The previous table is deleted if nobody has sat down there. After several unused tables in a row, no more are
    opened. In a week in which this version does not know the ruleset or an option, as after a downgrade, no table is
    opened.
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
    """The previous table, locked, if it is still open and nobody has sat down there; otherwise None."""
    last = id_of(row.game_key)
    table = table_setup.still_open(last) if last else None
    return table if table and not table.people else None


def _open(services: Services, row: WeeklyRow) -> int | None:
    """Open a table at which nobody sits; returns its key, or None if this version does not know its ruleset or
    options.
    """
    try:
        values = table_setup.settled_columns({**row.wish, **_FOR_NOBODY})
    except (UnknownRuleset, InvalidPlayers, InvalidOptions):
        return None
    circle = {"circle_key": row.circle_key, "rated": row.wish.get("rated", False)}
    return table_setup.insert_empty(services, {**values, **circle}).game.key
