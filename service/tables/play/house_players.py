"""House players: what each is called, how well it plays, by which version; and their seats that are waited for."""

from __future__ import annotations

import hashlib
from typing import NamedTuple, Self

from sqlalchemy import Select, and_, not_, select, text, update

from rules.kernel import Json
from rules.players.house import VERSION
from rules.players.levels import USUAL
from service.core.database.database import columns, db, transaction
from service.core.models.games import HOUSE_DUE, Game, Seat, Tenure
from service.log.table_rows.table import Table, find
from service.people import names
from service.tables.play.house_levels import known_level

UNKNOWN_VERSION = "0"
"""Of those who sat down before versions were stored."""


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
    ranks = {key: hashlib.sha256(f"{table.game.id} {key}".encode()).digest() for key in free}
    return min(free, key=lambda key: (key in before, ranks[key]))  # in every game another order


_IS_UNNAMED = and_(Tenure.player_id.is_(None), Tenure.house_name.is_(None), not_(Tenure.erased))
"""Of a house player whom a release without names has seated."""


def half_new(after: str, limit: int) -> list[str]:
    """The games where such house players sit, in the order of their ids, from after this one on."""
    sitting = select(Tenure.id).where(Tenure.game_key == Game.key, _IS_UNNAMED)
    query = select(Game.id).where(Game.id > after, sitting.exists())
    return list(db.session.scalars(query.order_by(Game.id).limit(limit)))


def repair(game_id: str) -> int:
    """Name those of a game: they play `USUAL`, by a version that is not known; how many. Raises UnreadableLog."""
    with transaction():
        query = select(Tenure.id).join(Game, Game.key == Tenure.game_key)
        unnamed = query.where(Game.id == game_id, _IS_UNNAMED).order_by(Tenure.place)
        found = list(db.session.scalars(unnamed))
        for tenure_id in found:
            known = columns_of_newcomer(find(game_id)) | {"house_version": UNKNOWN_VERSION}
            db.session.execute(update(Tenure).where(Tenure.id == tenure_id).values(known))
    return len(found)


class WaitingSeat(NamedTuple):
    """A seat of a house player that is waited for."""

    id: str
    """Of the game."""
    version: int
    seat: int
    asked: int
    house_level: str

    @classmethod
    def of(cls, game_id: str, version: int, seat: int, asked: int, level: str | None) -> Self:
        """Such a seat as a row has it."""
        return cls(game_id, version, seat, asked, known_level(level))


def waiting_seats() -> Select[*tuple[object, ...]]:
    """The query for the seats of house players that are waited for, the longest first."""
    return (
        select(*columns(WaitingSeat, Game.__table__, Seat.__table__, Tenure.__table__))
        .select_from(Seat)
        .join(Game, Game.key == Seat.game_key)
        .join(Tenure, Tenure.id == Seat.tenure_id)
        .where(text(HOUSE_DUE))
        .where(Game.unattended_at.is_(None))  # nobody is left who would see it
        .order_by(Seat.since)
    )
