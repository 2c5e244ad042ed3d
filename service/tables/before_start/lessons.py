"""Lessons: a first game of a ruleset against house players, whose first moves follow a script.

A lesson is a game like any other, except that only its learner sees it: it is in no list, nobody is told of it, and it
has no record. It is deleted when its learner leaves it or begins another lesson of the same ruleset, or after some
days.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from sqlalchemy import ColumnElement, insert, select

import rules
from rules.kernel import Json
from rules.kernel.lessons import LEARNER, Lesson
from service.core.database.database import columns, db, rows, transaction
from service.core.models.games import Game, Tenure
from service.core.models.people import Player
from service.core.runtime.problems import NotFound
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY
from service.log import events
from service.log.table_rows.deleted_games import delete_games
from service.log.table_rows.table import GameRow, Table, find
from service.tables.before_start import table_setup
from service.tables.play.moves import answer
from service.tables.services import Services

KEPT = 3 * DAY
"""How long (ms) after its beginning a lesson is kept."""
LEVEL = "easy"
"""The level at which the house players play after the script."""
AT_ONCE = 100
"""The number of lessons that the purge deletes in one commit."""


def begin(services: Services, player_id: str, slug: str, step: int = 1) -> Table:
    """Begin a lesson at this step, counted from 1, and return its table; the player's last lesson of the same ruleset
    ends.

    A step past the end means the last one. Raises NotFound if the ruleset has no lesson.
    """
    lesson = rules.lesson(slug)
    if lesson is None:
        raise NotFound
    with transaction():
        before = _lock_before(player_id, slug)
        table = _seat(services, player_id, slug, lesson)
        table = table_setup.begin(services, table)
        table = _played_up_to(services, table, lesson, min(step, len(lesson.steps)) - 1)
        delete_games(before)
        return table


def _lock_before(player_id: str, slug: str) -> list[int]:
    """Lock the player's lessons of this ruleset, so that no other can begin before the commit; returns the keys of
    their games.
    """
    same = _of_player(player_id), Game.ruleset == slug
    found = _lock(*same)  # everywhere, games are locked before players
    own_row = select(Player.id).where(Player.id == player_id)
    db.session.execute(own_row.with_for_update(key_share=True))
    begun = _lock(*same, waits=False)  # others may have begun while this one waited
    return list({*found, *begun})


def _seat(runtime: Runtime, player_id: str, slug: str, lesson: Lesson) -> Table:
    """Insert the game of a lesson, seat everybody, and return the table."""
    wish: Json = {
        "ruleset": slug,
        "players": lesson.players,
        "options": lesson.options,
        "private": True,
        "seating": "order",
        "start": "host",
        "takeover": 0,
        "level": LEVEL,
        "house": lesson.players - 1,
    }
    values = table_setup.settled_columns(wish)
    game_id = runtime.new_id("g")
    own: Json = {
        "id": game_id,
        "seed": seed_of(slug, lesson),
        "lesson": 0,
        "log_format": events.FORMAT,
        "created_at": runtime.now(),
    }
    db.session.execute(insert(Game).values({**values, **own}))
    table = table_setup.take_seat(runtime, find(game_id), player_id, None)
    for _ in range(table.free):
        table = table_setup.seat_house_player(runtime, table, LEVEL)
    return table


def seed_of(slug: str, lesson: Lesson) -> bytes:
    """The seed of the shuffles, which anybody may know; other games have random ones."""
    return hashlib.sha256(f"tegami lesson {slug} {lesson.seed}".encode()).digest()


def _played_up_to(services: Services, table: Table, lesson: Lesson, step: int) -> Table:
    """Make the moves of the script before this step, which is counted from 0; returns the table."""
    state = services.states.load(table.game)
    for move in lesson.moves[: lesson.before(step)]:
        if move.seat == LEARNER:
            holder = table.holders[LEARNER]
            played = answer(services, table, state, holder, move.action, by="seat")
            table, state = played.table, played.state
    return table


def leave(game_id: str, player_id: str) -> None:
    """Leave a lesson, which deletes it. Raises NotFound if it is not a lesson of this player."""
    with transaction():
        found = _lock(_of_player(player_id), Game.id == game_id)
        if not found:
            raise NotFound
        delete_games(found)


def under_way(player_id: str) -> list[GameRow]:
    """The lessons that a player has begun and neither finished nor left, the newest first."""
    mine = _of_player(player_id), Game.lesson.is_not(None), Game.status == "running"
    found = select(*columns(GameRow, Game.__table__)).where(*mine).order_by(Game.key.desc())
    return [game for game in rows(GameRow, found.limit(AT_ONCE)) if game.is_known]


def erase(player_id: str) -> None:
    """Delete all lessons of a player, in several commits."""
    while True:
        with transaction():
            found = _lock(_of_player(player_id))
            delete_games(found)
        if len(found) < AT_ONCE:
            return


def purge(now: int, most: int) -> int:
    """Delete at most `most` lessons that have been kept long enough; returns their number."""
    with transaction():
        found = _lock(Game.created_at < now - KEPT, most=min(most, AT_ONCE))
        delete_games(found)
    return len(found)


def _of_player(player_id: str) -> ColumnElement[bool]:
    return Game.key.in_(select(Tenure.game_key).where(Tenure.player_id == player_id))


def _lock(*where: ColumnElement[bool], most: int = AT_ONCE, waits: bool = True) -> Sequence[int]:
    """Lock some of the lessons that fit `where` against moves, in the order of their keys; returns the keys.

    If `waits` is false, lessons that others have locked are left out.
    """
    some = select(Game.key).where(Game.lesson.is_not(None), *where)
    some = some.order_by(Game.created_at).limit(most)  # compared as in their index
    found = select(Game.key).where(Game.key.in_(some)).order_by(Game.key)
    return db.session.scalars(found.with_for_update(skip_locked=not waits)).all()
