"""House players: their names, levels and versions, and the seats of house players that have to act."""

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
"""The version of house players who sat down before versions were stored."""


def columns_of_newcomer(table: Table, level: str = USUAL) -> Json:
    """The columns of the tenure of a house player who joins this table. House players who replace people play at the
    level `USUAL`.
    """
    return {"house_name": _free_name(table), "house_level": level, "house_version": VERSION}


def _free_name(table: Table) -> str:
    """A name that nobody at this table has and, if possible, nobody has had.

    It depends only on the public id of the game and on the names of people who have sat there, so it reveals nothing
    else.
    """
    query = select(Tenure.house_name).where(
        Tenure.game_key == table.game.key, Tenure.house_name.is_not(None)
    )
    before = set(db.session.scalars(query))
    present = {person.house_name for person in table.people}
    free = [key for key in names.unlike_people(table) if key not in present]
    of = table.game.deal or table.game.id  # in a daily deal, the same for everybody
    ranks = {key: hashlib.sha256(f"{of} {key}".encode()).digest() for key in free}
    return min(free, key=lambda key: (key in before, ranks[key]))  # a different order in every game


_IS_UNNAMED = and_(Tenure.player_id.is_(None), Tenure.house_name.is_(None), not_(Tenure.erased))
"""The condition that this house player was seated by a release without names."""


def half_new(after: str, limit: int) -> list[str]:
    """The ids of games with house players from a release without names: the next `limit` ids after `after`."""
    sitting = select(Tenure.id).where(Tenure.game_key == Game.key, _IS_UNNAMED)
    query = select(Game.id).where(Game.id > after, sitting.exists())
    return list(db.session.scalars(query.order_by(Game.id).limit(limit)))


def repair(game_id: str) -> int:
    """Name the unnamed house players of a game, who play at the level `USUAL`; returns their number. Raises
    UnreadableLog.
    """
    with transaction():
        query = select(Tenure.id).join(Game, Game.key == Tenure.game_key)
        unnamed = query.where(Game.id == game_id, _IS_UNNAMED).order_by(Tenure.place)
        found = list(db.session.scalars(unnamed))
        for tenure_id in found:
            known = columns_of_newcomer(find(game_id)) | {"house_version": UNKNOWN_VERSION}
            db.session.execute(update(Tenure).where(Tenure.id == tenure_id).values(known))
    return len(found)


class WaitingSeat(NamedTuple):
    """A house player's seat that has to act."""

    id: str
    """The id of the game."""
    version: int
    seat: int
    asked: int
    house_level: str

    @classmethod
    def of(cls, game_id: str, version: int, seat: int, asked: int, level: str | None) -> Self:
        """The seat that a row describes."""
        return cls(game_id, version, seat, asked, known_level(level))


def waiting_seats() -> Select[*tuple[object, ...]]:
    """The query for the seats of house players that have to act, the longest waiting first."""
    return (
        select(*columns(WaitingSeat, Game.__table__, Seat.__table__, Tenure.__table__))
        .select_from(Seat)
        .join(Game, Game.key == Seat.game_key)
        .join(Tenure, Tenure.id == Seat.tenure_id)
        .where(text(HOUSE_DUE))
        .where(Game.unattended_at.is_(None))  # nobody is left to see the move
        .order_by(Seat.since)
    )
