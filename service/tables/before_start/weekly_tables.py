"""Opening the weekly tables of circles, at which nobody sits until members sit down."""

from __future__ import annotations

from rules.kernel import Json
from service.core.database.database import transaction
from service.core.runtime.problems import NotPossible, Problem
from service.log.table_rows.table import id_of
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
        players.prevent_erasure(player_id)
        maker = circles.membership(circle_id, player_id, lock=True)
        return weeklies.add(services, maker, wish, table)


def remove(circle_id: str, player_id: str, weekly_id: str) -> None:
    """Stop opening a table each week. Raises NotFound, NotHostOfCircle."""
    with transaction():
        weeklies.remove(circles.membership(circle_id, player_id, lock=True), weekly_id)


def open_if_due(services: Services, weekly_id: str) -> bool:
    """Open the table of this week, unless another worker has done so.

    The previous one is deleted if nobody has sat down there. After several unused tables in a row, or if the rules no
    longer allow the table, no more are opened.
    """
    with transaction():
        row = weeklies.find(weekly_id)
        if row is None or row.next_at > services.now():
            return False
        last = id_of(row.game_key)
        before = last and table_setup.still_open(last)
        if not weeklies.claim(services, row):
            return False
        unused = row.unused + 1 if before and not before.people else 0
        if before and not before.people:
            table_setup.delete_table(services, before)
        try:
            values = table_setup.settled_columns({**row.wish, **_FOR_NOBODY})
        except Problem:
            unused = weeklies.MOST_UNUSED
        if unused >= weeklies.MOST_UNUSED:
            weeklies.end(row.id)
            return True
        circle = {"circle_key": row.circle_key, "rated": row.wish.get("rated", False)}
        opened = table_setup.insert_empty(services, {**values, **circle})
        weeklies.note_opened(row, opened.game.key, unused)
        return True
