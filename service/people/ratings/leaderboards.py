"""Ratings for readers: a player's own, the points of each game, and leaderboards of everybody who wants to be on them.

Others see ratings as they were after the last public game; so do leaderboards.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, func, or_, select

from rules.players.house import VERSION
from rules.players.levels import LEVELS
from service.core.database.database import columns, db, one_row, rows
from service.core.models.games import Game
from service.core.models.people import Player
from service.core.models.ratings import RatedResult, Rating
from service.people.players import PlayerRow
from service.people.ratings.estimates import HOUSE, SCALE

MOST_DEVIATION = 100
"""The largest deviation, in points, of a rating that is on a leaderboard; less certain ratings are not."""
MOST_RANKED = 1000
"""The last place that players are shown as their own; later ones are not counted."""

ENOUGH = 3
"""The smallest number of games behind a number that others are shown."""
AT_ONCE = 50
"""A number of a player's latest games, of which at least one is rated already unless the worker is far behind."""

_rating = Rating.metadata.tables["ratings"]
_result = RatedResult.metadata.tables["rated_results"]
_player, _game = Player.metadata.tables["players"], Game.metadata.tables["games"]


class _Seen(NamedTuple):
    """The part of a rating that others see."""

    mean: int
    deviation: int
    games: int


_SEEN = tuple(_rating.c[f"seen_{name}"].label(name) for name in _Seen._fields)


class Known(NamedTuple):
    """The present rating of a player in a ruleset."""

    ruleset: str
    mean: int
    deviation: int
    games: int
    ended_at: int


class Point(NamedTuple):
    """A rated game, and the rating after it, which is None until the game is rated."""

    id: str
    game_key: int
    players: int
    ended_at: int
    place: int
    mean: int | None
    deviation: int | None


class Entry(NamedTuple):
    """An entry of a leaderboard: a person, or a level of house players if there is no name."""

    who: str
    mean: int
    deviation: int
    games: int
    name: str | None
    program: bool | None

    @property
    def level(self) -> str | None:
        """The level of house players; None for a person."""
        return self.who.split(":")[2] if self.who.startswith(HOUSE) else None


class Own(NamedTuple):
    """A player's own rating next to a leaderboard: whether they want to be on it, whether it is certain, and its place.

    The place is None for players who are not on it, and for places after `MOST_RANKED`.
    """

    rank: int | None
    mean: int
    deviation: int
    games: int
    listed: bool
    sure: bool


def of_player(player_id: str) -> list[Known]:
    """All ratings of a player, by ruleset."""
    query = select(*columns(Known, _rating)).where(_rating.c.who == player_id)
    return rows(Known, query.order_by(_rating.c.ruleset))


def seen_by_others(player_id: str) -> list[Known]:
    """The ratings of a player after public games, by ruleset, if there were enough of these games to show them to
    others.
    """
    mine = select(_result.c.ruleset, func.count()).join(_game, _game.c.key == _result.c.game_key)
    mine = mine.where(_result.c.who == player_id, _game.c.private.is_(False))
    found = list[Known]()
    counted = mine.where(_result.c.mean.is_not(None)).group_by(_result.c.ruleset)
    for ruleset, games in db.session.execute(counted.order_by(_result.c.ruleset)).all():
        latest, _ = points(player_id, ruleset, None, AT_ONCE, private=False)
        last = next((each for each in latest if each.mean is not None), None)
        if games >= ENOUGH and last and last.mean is not None and last.deviation is not None:
            found.append(Known(ruleset, last.mean, last.deviation, games, last.ended_at))
    return found


def points(
    player_id: str, ruleset: str, cursor: str | None, limit: int, *, private: bool = True
) -> tuple[list[Point], str | None]:
    """A page of a player's rated games of a ruleset, the latest first, and the cursor of the next page (None: there is
    none).

    Without `private`, games at private tables are left out.
    """
    query = select(*columns(Point, _result, _game)).join(_game, _game.c.key == _result.c.game_key)
    query = query.where(_result.c.who == player_id, _result.c.ruleset == ruleset)
    if not private:
        query = query.where(_game.c.private.is_(False))
    if cursor:
        at, key = map(int, cursor.split("."))
        same = and_(_result.c.ended_at == at, _result.c.game_key < key)
        query = query.where(or_(_result.c.ended_at < at, same))
    order = _result.c.ended_at.desc(), _result.c.game_key.desc()
    found = rows(Point, query.order_by(*order).limit(limit + 1))
    more = found[limit:]
    return found[
        :limit
    ], f"{found[limit - 1].ended_at}.{found[limit - 1].game_key}" if more else None


def leaderboard(
    ruleset: str, cursor: str | None, limit: int
) -> tuple[list[Entry], int, str | None]:
    """A page of a leaderboard, the best first; the number of entries before it; and the cursor of the next page, or
    None.

    A cursor says how many entries come before, the mean of the last one, and how many of them had the same mean.
    """
    query = select(_rating.c.who, *_SEEN, _player.c.name, _player.c.program)
    query = query.outerjoin(_player, _player.c.id == _rating.c.who)
    query = query.where(_rating.c.ruleset == ruleset, _is_shown(ruleset))
    before, mean, same = map(int, cursor.split(".")) if cursor else (0, None, 0)
    if mean is not None:
        query = query.where(_rating.c.seen_mean <= mean).offset(same)
    order = _rating.c.seen_mean.desc(), _rating.c.who.desc()
    found = rows(Entry, query.order_by(*order).limit(limit + 1))
    page = found[:limit]
    if not found[limit:]:
        return page, before, None
    last = page[-1].mean
    equals = sum(each.mean == last for each in page) + (same if last == mean else 0)
    return page, before, f"{before + limit}.{last}.{equals}"


def own(ruleset: str, player: PlayerRow, most: int = MOST_RANKED) -> Own | None:
    """A player's own rating next to the leaderboard of a ruleset; None if they have no rating in it that others see.

    Places are counted up to `most`.
    """
    query = select(*_SEEN).where(_rating.c.who == player.id, _rating.c.ruleset == ruleset)
    known = one_row(_Seen, query.where(_rating.c.seen_mean.is_not(None)))
    if known is None:
        return None
    sure = known.deviation <= MOST_DEVIATION * SCALE
    rank = _rank(ruleset, known.mean, player.id, most) if player.listed and sure else None
    return Own(rank, *known, player.listed, sure)


def _rank(ruleset: str, mean: int, player_id: str, most: int) -> int | None:
    same = and_(_rating.c.seen_mean == mean, _rating.c.who > player_id)
    above = select(_rating.c.who).outerjoin(_player, _player.c.id == _rating.c.who)
    above = above.where(_rating.c.ruleset == ruleset, _is_shown(ruleset))
    above = above.where(_rating.c.seen_mean >= mean, or_(_rating.c.seen_mean > mean, same))
    counted = select(func.count()).select_from(above.limit(most).subquery())
    before = db.session.scalar(counted) or 0
    return before + 1 if before < most else None


def _is_shown(ruleset: str) -> ColumnElement[bool]:
    """The condition that a rating is certain enough, and belongs to a house player or to a person who wants to be
    shown.
    """
    house = _rating.c.who.in_([f"{HOUSE}{ruleset}:{level}:{VERSION}" for level in LEVELS])
    sure = _rating.c.seen_deviation <= MOST_DEVIATION * SCALE
    return and_(sure, or_(_player.c.listed, house))
