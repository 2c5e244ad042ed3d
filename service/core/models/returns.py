"""The rule for who may take back a seat from a house player, used by lists, news and the return itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, func, or_, select

from service.core.database.database import rows
from service.core.models.games import Seat, Tenure

MOST_RETURNS = 3
"""The largest number of returns of a person to one game after resigning, since each resignation mails the others."""

_tenure, _seat = Tenure.__table__, Seat.__table__.alias()
_other = _tenure.alias()


class FormerHolder(NamedTuple):
    """A tenure that has ended, and its player."""

    tenure: str
    player_id: str


def may_return() -> ColumnElement[bool]:
    """The condition that the player of a tenure may take its seat back while the game runs.

    A house player holds the seat, no other person has held it since, and its player has neither left for good nor
    resigned too often. The condition takes one look into an index for each tenure. With EXISTS, PostgreSQL may read
    everybody's seats instead.
    """
    same_game = _other.c.game_key == _tenure.c.game_key
    is_later = (_other.c.player_id.is_not(None)) & (_other.c.place > _tenure.c.place)
    later = select(_other.c.id).where(same_game, _other.c.seat == _tenure.c.seat, is_later)
    mine = _other.c.player_id == _tenure.c.player_id
    resigned = select(func.count()).select_from(_other).where(same_game, mine)
    resigned = resigned.where(_other.c.why == "resigned")
    house = select(_seat.c.house).where(
        _seat.c.game_key == _tenure.c.game_key, _seat.c.seat == _tenure.c.seat
    )
    return and_(
        _tenure.c.ended_at.is_not(None),
        _tenure.c.player_id.is_not(None),
        _tenure.c.why != "left",
        house.scalar_subquery(),
        later.limit(1).scalar_subquery().is_(None),
        or_(_tenure.c.why != "resigned", resigned.scalar_subquery() <= MOST_RETURNS),
    )


def takes_part(player_id: str) -> ColumnElement[bool]:
    """The condition that a tenure is this player's, and continues or may continue."""
    return (_tenure.c.player_id == player_id) & or_(_tenure.c.ended_at.is_(None), may_return())


def who_may_return(game_key: int, seat: int | None = None) -> Sequence[FormerHolder]:
    """The people who may take back a seat of this running game; with `seat`, only that seat."""
    query = select(_tenure.c.id.label("tenure"), _tenure.c.player_id)
    of = query.where(_tenure.c.game_key == game_key, may_return())
    return rows(FormerHolder, of if seat is None else of.where(_tenure.c.seat == seat))
