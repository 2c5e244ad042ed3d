"""The results of a circle's members at its tables."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import case, func, select

from service.core.database.database import rows
from service.core.models.circles import CircleMember
from service.core.models.games import Game, Tenure, has_status, is_listed
from service.core.models.people import Player
from service.people.circles.circles import CircleRow


class ResultsRow(NamedTuple):
    """A member's results at the tables of the circle."""

    id: str
    player_id: str
    name: str
    program: bool
    games: int
    won: int
    left: int


_member, _player, _tenure = CircleMember.__table__, Player.__table__, Tenure.__table__


def results(circle: CircleRow, ruleset: str | None) -> list[ResultsRow]:
    """The present members who have finished games at the circle's tables, the members with the most wins first.

    With a `ruleset`, only its games count.
    """
    number = func.count().label("games")
    won = func.sum(case((_tenure.c.result == "won", 1), else_=0)).label("won")
    left = func.sum(case((_tenure.c.result == "left", 1), else_=0)).label("left")
    person = (_member.c.id, _member.c.player_id, _player.c.name, _player.c.program)
    here = [Game.circle_key == circle.key, has_status("over"), is_listed()]
    if ruleset is not None:
        here.append(Game.ruleset == ruleset)
    query = (
        select(*person, number, won, left)
        .select_from(Game)
        .join(_tenure, _tenure.c.game_key == Game.key)
        .join(_member, _member.c.player_id == _tenure.c.player_id)
        .join(_player, _player.c.id == _member.c.player_id)
        .where(*here, _tenure.c.result.is_not(None))
        .where(_member.c.circle_key == circle.key, _member.c.removed_at.is_(None))
        .group_by(*person)
        .order_by(won.desc(), number, _player.c.name, _member.c.id)
    )
    return rows(ResultsRow, query)
