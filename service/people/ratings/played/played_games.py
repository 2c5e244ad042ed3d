"""Played games as they are read: a person's sums, lists of games, and the games that two people have played
together.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import and_, case, delete, func, or_, select

from rules.kernel import Json
from service.core.database.database import columns, db, rows
from service.core.models.games import Game
from service.core.models.ratings import PlayedGame, PlayerNumbers
from service.core.runtime.exports import exported_rows
from service.people.ratings import turns
from service.people.ratings.played.counting import WORK
from service.people.ratings.played.numbers import Numbers

_game = Game.metadata.tables["games"]
_played = PlayedGame.metadata.tables["played_games"]
_numbers = PlayerNumbers.metadata.tables["player_numbers"]


class Entry(NamedTuple):
    """A finished game in a person's list."""

    game_key: int
    ended_at: int
    place: int | None
    score: int | None
    table_score: int | None
    close: bool


class Together(NamedTuple):
    """The games of a ruleset in which two people both had a place, and the number in which each came before the
    other.
    """

    ruleset: str
    games: int
    before: int
    behind: int


def numbers(player_id: str, *, private: bool) -> dict[str, Numbers]:
    """A player's sums by ruleset, the ruleset with the most games first; with `private`, also over games at private
    tables.
    """
    query = select(_numbers.c.ruleset, _numbers.c.private, _numbers.c.numbers)
    found = dict[str, Numbers]()
    mine = query.where(_numbers.c.player_id == player_id).order_by(_numbers.c.ruleset)
    for ruleset, is_private, stored in db.session.execute(mine):
        if private or not is_private:
            found[ruleset] = found.get(ruleset, Numbers()) + Numbers.of(stored)
    return dict(sorted(found.items(), key=lambda each: -each[1].games))


def page(
    player_id: str, cursor: str | None, limit: int, *, private: bool
) -> tuple[list[Entry], str | None]:
    """A page of a player's finished games, the latest first, and the cursor of the next page (None: there is none)."""
    query = select(*columns(Entry, _played)).where(_played.c.player_id == player_id)
    if not private:
        query = query.where(_played.c.private.is_(False))
    if cursor:
        at, key = map(int, cursor.split("."))
        same = and_(_played.c.ended_at == at, _played.c.game_key < key)
        query = query.where(or_(_played.c.ended_at < at, same), _played.c.ended_at <= at)
    order = _played.c.ended_at.desc(), _played.c.game_key.desc()
    found = rows(Entry, query.order_by(*order).limit(limit + 1))
    shown = found[:limit]
    following = f"{shown[-1].ended_at}.{shown[-1].game_key}" if found[limit:] else None
    return shown, following


def together(player_id: str, other_id: str) -> list[Together]:
    """The games that two people have played together, by ruleset, as the first one sees them; most games first."""
    mine, theirs = _played.alias("mine"), _played.alias("theirs")
    before = func.sum(case((mine.c.place < theirs.c.place, 1), else_=0))
    behind = func.sum(case((mine.c.place > theirs.c.place, 1), else_=0))
    query = (
        select(mine.c.ruleset, func.count(), before, behind)
        .join(theirs, theirs.c.game_key == mine.c.game_key)
        .where(mine.c.player_id == player_id, theirs.c.player_id == other_id)
        .where(mine.c.place.is_not(None), theirs.c.place.is_not(None))
        .group_by(mine.c.ruleset)
        .order_by(func.count().desc(), mine.c.ruleset)
    )
    return rows(Together, query)


def exported(player_id: str) -> list[Json]:
    """The player's finished games with everything that was counted for each, for the export. Scores are in points."""
    names = (
        *("ruleset", "private", "ended_at", "place", "score", "table_score", "close", "beaten"),
        *("answered", "missed", "times"),
    )
    query = select(_game.c.id.label("game"), *(_played.c[name] for name in names))
    mine = query.join(_game, _game.c.key == _played.c.game_key)
    mine = mine.where(_played.c.player_id == player_id)
    found = exported_rows(mine.order_by(_played.c.ended_at, _played.c.game_key))
    for row in found:
        row["table_score"] = None if row["table_score"] is None else row["table_score"] / 1000
    return found


def erase(player_id: str) -> None:
    """Delete all that was counted for a player. The caller owns the commit, and has locked the player's games."""
    turns.wait_for(WORK)
    for table in (_played, _numbers):
        db.session.execute(delete(table).where(table.c.player_id == player_id))
