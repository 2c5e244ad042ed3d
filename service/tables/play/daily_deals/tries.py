"""Tries at daily deals: one for each person and day. Its result outlives the game, which is deleted after a while.

A try counts if its game ended by the rules while its day lasted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, bindparam, func, select, update

from rules.kernel import Json
from service.core.database.database import (
    columns,
    db,
    insert_unless_there,
    one_row,
    rows,
    transaction,
    write,
)
from service.core.database.replica import a_moment_old
from service.core.models.daily_deals import DailyTry
from service.core.models.games import Game
from service.core.runtime import days
from service.core.runtime.exports import exported_rows
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY
from service.log.table_rows.asked_first import PERSON
from service.log.table_rows.deleted_games import delete_games
from service.log.table_rows.table import GameRow

GAMES_KEPT = 30 * DAY
"""How long (ms) after their day the games of tries are kept, whenever they began. Results are kept for longer."""
AT_ONCE = 100
"""The number of games that the purge deletes in one commit."""
HOUSE = "house:"
"""The prefix of `who` for the lines of the strongest house player."""

_try, _game = DailyTry.metadata.tables["daily_tries"], Game.metadata.tables["games"]


class Try(NamedTuple):
    """A try; service/core/models/daily_deals.py explains the columns."""

    day: str
    who: str
    game_key: int | None
    begun_at: int
    ended_at: int | None
    score: int | None
    won: bool | None

    @property
    def is_over(self) -> bool:
        """Whether the game of the try has ended by the rules."""
        return self.ended_at is not None

    @property
    def counts(self) -> bool:
        """Whether the try ended on its day."""
        return self.ended_at is not None and self.ended_at < days.ends_at(self.day)


class Outcome(NamedTuple):
    """A result, and the number of people who have it."""

    score: int | None
    won: bool
    people: int


_FOUND = select(*columns(Try, _try)).where(
    _try.c.day == bindparam("day"), _try.c.who == bindparam("who")
)
_ENDED = update(_try).where(_try.c.game_key == bindparam("of"))
_IS_PERSON: ColumnElement[bool] = ~_try.c.who.startswith(HOUSE)


def find(day: str, who: str | None) -> Try | None:
    """The try of this person at the deal of this day; None if there is none."""
    return (who and one_row(Try, _FOUND, {"day": day, "who": who})) or None


def claim(day: str, who: str, now: int) -> bool:
    """Begin the try of this person; returns False if there is one already. The caller owns the commit."""
    return insert_unless_there(_try, {"day": day, "who": who, "begun_at": now})


def set_game(day: str, who: str, game_key: int) -> None:
    """Store the game with which a try has begun. The caller owns the commit."""
    mine = update(_try).where(_try.c.day == day, _try.c.who == who)
    db.session.execute(mine.values(game_key=game_key))


def note(game: GameRow, result: Json, now: int, *, closed: bool) -> None:
    """Note that the game of a try ends, unless it is `closed` outside its rules. Does nothing for other games. The
    caller owns the commit.
    """
    if game.deal is None or closed:
        return
    won, score = PERSON in result["winners"], result["scores"][PERSON]
    write(_ENDED, {"of": game.key, "ended_at": now, "score": score, "won": won})


def line_of(game: GameRow) -> str | None:
    """The value of `who`, if this game is a line of the strongest house player; None for people's tries."""
    who = db.session.scalar(select(_try.c.who).where(_try.c.game_key == game.key))
    return who if who and who.startswith(HOUSE) else None


def id_of_game(found: Try) -> str | None:
    """The public id of the game of a try; None if the game has been deleted."""
    if found.game_key is None:
        return None
    return db.session.scalar(select(_game.c.id).where(_game.c.key == found.game_key))


def outcomes(day: str) -> list[Outcome]:
    """The results of this day, the best first, with each person counted once. They may be a moment old."""
    counted = (_try.c.day == day) & (_try.c.ended_at < days.ends_at(day)) & _IS_PERSON
    query = select(_try.c.score, _try.c.won, func.count().label("people")).where(counted)
    query = query.group_by(_try.c.score, _try.c.won)
    found = a_moment_old(lambda: rows(Outcome, query))
    return sorted(found, key=merit, reverse=True)


def merit(found: Try | Outcome) -> tuple[int, bool]:
    """The key for comparing results: more points are better, and of equal points those of a winner."""
    return found.score or 0, bool(found.won)


def begun(day: str) -> int:
    """The number of people who have begun a try on this day. It may be a moment old."""
    counted = (_try.c.day == day) & (_try.c.begun_at < days.ends_at(day)) & _IS_PERSON
    query = select(func.count()).select_from(_try).where(counted)
    return a_moment_old(lambda: db.session.scalar(query)) or 0


def lines(day: str) -> list[Try]:
    """The finished lines of the strongest house player on this day, the best first."""
    query = select(*columns(Try, _try)).where(_try.c.day == day, _try.c.who.startswith(HOUSE))
    found = rows(Try, query.where(_try.c.ended_at.is_not(None)).order_by(_try.c.who))
    return sorted(found, key=merit, reverse=True)


def best_line(day: str) -> Try | None:
    """The best finished line of the strongest house player on this day; None if none has ended."""
    return next(iter(lines(day)), None)


def of_days(who: str | None, wanted: Sequence[str]) -> dict[str, Try]:
    """The tries of this person on these days, by day."""
    if who is None:
        return {}
    query = select(*columns(Try, _try)).where(_try.c.who == who, _try.c.day.in_(wanted))
    return {each.day: each for each in rows(Try, query)}


def played_days(who: str) -> list[str]:
    """The days on which this person finished a try that counts, the latest first."""
    query = select(*columns(Try, _try)).where(_try.c.who == who, _try.c.ended_at.is_not(None))
    return [each.day for each in rows(Try, query.order_by(_try.c.day.desc())) if each.counts]


def in_a_row(played: Sequence[str], today: str) -> int:
    """How many of the days in `played`, the latest first, follow one another up to `today`.

    A single day without a try does not interrupt the series. Neither does today, which is not over.
    """
    count, before = 0, days.number_of(today) + 1
    for day in map(days.number_of, played):
        if before - day > 2 + (count == 0):
            break
        count, before = count + 1, day
    return count


def exported(player_id: str) -> list[Json]:
    """The player's tries, for the export."""
    query = (
        select(*(_try.c[name] for name in ("day", "begun_at", "ended_at", "score", "won")))
        .add_columns(_game.c.id.label("game"))
        .outerjoin(_game, _game.c.key == _try.c.game_key)
        .where(_try.c.who == player_id)
    )
    return exported_rows(query.order_by(_try.c.day))


def delete_unfinished(player_id: str) -> None:
    """Delete the games of tries that a player has begun and not finished, with these tries."""
    mine = (_try.c.who == player_id) & _try.c.ended_at.is_(None)
    while True:
        with transaction():
            found = _lock(mine)
            db.session.execute(_try.delete().where(mine, _try.c.game_key.in_(found)))
            delete_games(found)
        if len(found) < AT_ONCE:
            return


def erase(runtime: Runtime, player_id: str) -> None:
    """Replace the player in their results by a random name, so that the results still count. The caller owns the
    commit.
    """
    mine = update(_try).where(_try.c.who == player_id)
    db.session.execute(mine.values(who=runtime.new_id("x")))


def purge(now: int, most: int) -> int:
    """Delete at most `most` games of tries that began long ago; returns their number. Their results stay."""
    with transaction():
        found = _lock(_try.c.day < days.day_of(now - GAMES_KEPT), most=min(most, AT_ONCE))
        delete_games(found)
    return len(found)


def _lock(where: ColumnElement[bool], most: int = AT_ONCE) -> Sequence[int]:
    """Lock some of the games of these tries against moves, in the order of their keys; returns the keys."""
    some = select(_try.c.game_key).where(_try.c.game_key.is_not(None), where).limit(most)
    found = select(_game.c.key).where(_game.c.key.in_(some)).order_by(_game.c.key)
    return db.session.scalars(found.with_for_update()).all()
