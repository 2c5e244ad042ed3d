"""Tenures: the times for which people hold seats; here, the tenures of one person at all tables."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import ColumnElement, Exists, exists, select, update
from sqlalchemy.orm import aliased

from rules.kernel import Json
from service.core.database.database import db, rows
from service.core.models.games import Game, GameStatus, Tenure
from service.core.runtime.exports import exported_rows

_game, _tenure = Game.metadata.tables["games"], Tenure.metadata.tables["tenures"]


class SeatTaken(NamedTuple):
    """A game, and the player's tenure in it."""

    game_id: str
    tenure: str


def taken(player_id: str, status: GameStatus) -> list[SeatTaken]:
    """The player's seats in games of this status."""
    query = (
        select(Game.id, Tenure.id)
        .join(Tenure, Tenure.game_key == Game.key)
        .where(Tenure.player_id == player_id, Tenure.ended_at.is_(None), Game.status == status)
    )
    return rows(SeatTaken, query.order_by(Game.key))


def have_played(player_id: str, other_id: str) -> bool:
    """Whether the two players have held seats of the same game."""
    return bool(db.session.scalar(select(played_together(player_id, other_id))))


def played_together(player_id: str | ColumnElement[str], other_id: str) -> Exists:
    """The SQL condition that the two players have held seats of the same game."""
    mine, theirs = aliased(Tenure), aliased(Tenure)
    both = (mine.player_id == player_id) & (theirs.player_id == other_id)
    return exists().where(
        both, theirs.game_key == mine.game_key, mine.began.is_not(None), theirs.began.is_not(None)
    )


def exported(player_id: str) -> list[Json]:
    """Every game of the player, with the tenure: one entry for each time that the player sat down."""
    query = (
        select(
            *(_game.c[name] for name in ("id", "ruleset", "status")),
            _tenure.c.id.label("tenure"),
            *(_tenure.c[name] for name in ("seat", "nonce", "sat_at", "ended_at", "result")),
        )
        .join(_tenure, _tenure.c.game_key == _game.c.key)
        .where(_tenure.c.player_id == player_id)
        .order_by(_tenure.c.sat_at, _tenure.c.id)
    )
    return exported_rows(query)


def erase(player_id: str) -> None:
    """Detach the player's tenures from the player. The caller owns the commit."""
    mine = update(Tenure).where(Tenure.player_id == player_id)
    db.session.execute(mine.values(player_id=None, erased=True))
