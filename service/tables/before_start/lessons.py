"""Lessons: a first game of a ruleset against house players, of which its first moves are a script.

A lesson is a game like any other, but nobody else's: no list has it, nobody is told of it, and it has no record. It is
deleted when it is left, when another one of the same ruleset begins, or after some days.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from sqlalchemy import ColumnElement, delete, insert, select, update

import rules
from rules.kernel import Json
from rules.kernel.lessons import LEARNER, Lesson
from service.core.database.database import columns, db, rows, transaction
from service.core.models.games import Event, Game, Seat, Tenure, TimeEntry
from service.core.models.proposals import Proposal, Vote
from service.core.runtime.problems import NotFound
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY
from service.log import events
from service.log.table_rows.table import GameRow, Table, find
from service.tables.before_start import table_setup
from service.tables.play.moves import answer
from service.tables.services import Services

KEPT = 3 * DAY
"""Ms after its beginning for which a lesson is kept."""
LEVEL = "easy"
"""Of the house players, once they think for themselves."""
AT_ONCE = 100
"""Lessons that the purge deletes in one commit."""


def begin(services: Services, player_id: str, slug: str, step: int = 1) -> Table:
    """Begin a lesson at this step, the first being 1; the player's last one of the same ruleset ends.

    Of a step past the last one, the last. Raises NotFound if the ruleset has no lesson.
    """
    lesson = rules.lesson(slug)
    if lesson is None:
        raise NotFound
    with transaction():
        table = _seat(services, player_id, slug, lesson)
        table = table_setup.begin(services, table)
        table = _played_up_to(services, table, lesson, min(step, len(lesson.steps)) - 1)
    with transaction():  # of several that begin at once, the first that comes here stays
        found = _lock(_of_player(player_id), Game.ruleset == slug)
        if table.game.key in found:
            _delete([each for each in found if each != table.game.key])
    return table


def _seat(runtime: Runtime, player_id: str, slug: str, lesson: Lesson) -> Table:
    """Insert the game, and seat everybody."""
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
    """The seed of the shuffles, which anybody may know: that of other games is drawn at random."""
    return hashlib.sha256(f"tegami lesson {slug} {lesson.seed}".encode()).digest()


def _played_up_to(services: Services, table: Table, lesson: Lesson, step: int) -> Table:
    """Make the moves before a step, counted from 0, as the script has them."""
    state = services.states.load(table.game)
    for move in lesson.moves[: lesson.before(step)]:
        if move.seat == LEARNER:
            holder = table.holders[LEARNER]
            played = answer(services, table, state, holder, move.action, by="seat")
            table, state = played.table, played.state
    return table


def leave(game_id: str, player_id: str) -> None:
    """Leave a lesson, which deletes it. Raises NotFound if this is none of the player's."""
    with transaction():
        found = _lock(_of_player(player_id), Game.id == game_id)
        if not found:
            raise NotFound
        _delete(found)


def under_way(player_id: str) -> list[GameRow]:
    """The lessons that a player has begun and neither finished nor left, the newest first: to go on with."""
    mine = _of_player(player_id), Game.lesson.is_not(None), Game.status == "running"
    found = select(*columns(GameRow, Game.__table__)).where(*mine).order_by(Game.key.desc())
    return [game for game in rows(GameRow, found.limit(AT_ONCE)) if game.is_known]


def erase(player_id: str) -> None:
    """Delete all lessons of a player, some at a time."""
    while True:
        with transaction():
            found = _lock(_of_player(player_id))
            _delete(found)
        if len(found) < AT_ONCE:
            return


def purge(now: int, most: int) -> int:
    """Delete some of the lessons that are kept no longer, `most` at most; how many."""
    with transaction():
        found = _lock(Game.created_at < now - KEPT, most=min(most, AT_ONCE))
        _delete(found)
    return len(found)


def _of_player(player_id: str) -> ColumnElement[bool]:
    return Game.key.in_(select(Tenure.game_key).where(Tenure.player_id == player_id))


def _lock(*where: ColumnElement[bool], most: int = AT_ONCE) -> Sequence[int]:
    """Lock some of these lessons against moves, in the order of their keys; the keys."""
    some = select(Game.key).where(Game.lesson.is_not(None), *where)
    some = some.order_by(Game.created_at).limit(most)  # as their index has them
    found = select(Game.key).where(Game.key.in_(some)).order_by(Game.key)
    return db.session.scalars(found.with_for_update()).all()


def _delete(game_keys: Sequence[int]) -> None:
    """Delete these games with all that belongs to them. The caller has locked them, and owns the commit."""
    if not game_keys:
        return
    these = Game.key.in_(game_keys)
    db.session.execute(update(Game).where(these).values(erasing=True))
    proposed = select(Proposal.key).where(Proposal.game_key.in_(game_keys))
    db.session.execute(delete(Vote).where(Vote.proposal_key.in_(proposed)))
    for table in (Proposal, Event, TimeEntry, Seat, Tenure):
        db.session.execute(delete(table).where(table.game_key.in_(game_keys)))
    db.session.execute(delete(Game).where(these))
