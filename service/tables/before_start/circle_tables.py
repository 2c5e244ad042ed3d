"""Tables of circles: private tables that the members of a circle see, and at which they may sit down."""

from __future__ import annotations

from rules.kernel import Json
from service.log.table_rows.table import Table
from service.people.circles import circles
from service.tables.before_start import table_setup
from service.tables.services import Services


def open_table(services: Services, circle_id: str, player_id: str, wish: Json) -> Table:
    """Open a table in a circle as one of its members, who sits down there, and return it. Raises NotFound for strangers
    to the circle, and whatever `table_setup.open_table` raises.
    """
    circle = circles.membership(circle_id, player_id).circle
    private = {**wish, "private": True}
    return table_setup.open_table(services, player_id, private, circle_key=circle.key)
