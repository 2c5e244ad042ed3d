"""House players sit down: what each is called, how well it plays, and by which version."""

from __future__ import annotations

import hashlib

from sqlalchemy import select

from rules.kernel import Json
from rules.players.house import USUAL, VERSION
from service.core.database.database import db
from service.core.models.games import Tenure
from service.log.table_rows.table import Table
from service.people import names


def columns_of_newcomer(table: Table, level: str = USUAL) -> Json:
    """The columns of the tenure of a house player who comes to this table. Those who stand in play `USUAL`."""
    return {"house_name": _free_name(table), "house_level": level, "house_version": VERSION}


def _free_name(table: Table) -> str:
    """A name that nobody has at this table, and if possible nobody has had.

    It follows from the public id of the game and from who has sat there, so it tells nothing else.
    """
    query = select(Tenure.house_name).where(
        Tenure.game_key == table.game.key, Tenure.house_name.is_not(None)
    )
    before = set(db.session.scalars(query))
    present = {person.house_name for person in table.people}
    free = [key for key in names.unlike_people(table) if key not in present]
    return min(free, key=lambda key: (key in before, _rank(table.game.id, key)))


def _rank(game_id: str, key: str) -> bytes:
    """In every game another order."""
    return hashlib.sha256(f"{game_id} {key}".encode()).digest()
