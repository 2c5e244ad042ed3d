"""The check of all games, a few at a time, shared among any number of workers; and its findings.

A worker claims the next games by a guarded update of the single row that records the progress. If a worker is killed,
its games are checked the next day.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import structlog
from sqlalchemy import ColumnElement, delete, func, select, update

from service.core.database.database import (
    changed_rows,
    columns,
    db,
    insert_unless_there,
    one_row,
    release_connection,
    rows,
    transaction,
    write_rows,
)
from service.core.models.games import Game
from service.core.models.server import LONGEST_WHAT, DamagedGame, LogCheck
from service.core.runtime.units import DAY
from service.log.verification.check_game import Damage, check_game

AT_ONCE = 10
"""The number of games that a worker claims at a time."""

_game = Game.metadata.tables["games"]
_check, _damaged = (
    LogCheck.metadata.tables["log_checks"],
    DamagedGame.metadata.tables["damaged_games"],
)
_CHECKED = select(_game.c.key, _game.c.id).where(_game.c.lesson.is_(None))
"""The query for all games but lessons.

Nobody has the records of lessons, and a process of the last release shuffles them differently.
"""
_NAME = "all"
_LATEST = "ON CONFLICT (game_id) DO UPDATE SET found_at = excluded.found_at, what = excluded.what"
_log = structlog.get_logger("tegami.check")


class Progress(NamedTuple):
    """The progress of the check of all games."""

    began_at: int
    after: int
    games: int
    ended_at: int | None


def progress() -> Progress | None:
    """The progress of the present check, or of the last one; None before the first one."""
    return one_row(Progress, select(*columns(Progress, _check)).where(_check.c.name == _NAME))


def is_due(now: int) -> bool:
    """Whether there is something to check: a check is under way, or the last one began at least a day ago."""
    found = progress()
    return found is None or found.ended_at is None or not 0 <= now - found.began_at < DAY


def take(now: int) -> list[str] | None:
    """The ids of the next games, which this call claims; None if there is nothing to do, empty if another worker was
    first.
    """
    with transaction():
        insert_unless_there(
            _check, {"name": _NAME, "began_at": 0, "after": 0, "games": 0, "ended_at": 0}
        )
        found = progress()
        assert found is not None
        if found.ended_at is not None:
            if 0 <= now - found.began_at < DAY:
                return None
            _advance(found, Progress(now, 0, 0, None))
            return []
        query = _CHECKED.where(_game.c.key > found.after)
        games = db.session.execute(query.order_by(_game.c.key).limit(AT_ONCE)).all()
        if games:
            games_so_far = found.games + len(games)
            ahead = found._replace(after=games[-1].key, games=games_so_far)
            return [game.id for game in games] if _advance(found, ahead) else []
        if _advance(found, found._replace(ended_at=now)):
            gone = _damaged.c.game_id.not_in(select(_game.c.id))
            db.session.execute(delete(_damaged).where(gone))
        return None


def _advance(found: Progress, ahead: Progress) -> bool:
    """Record the progress; return False if another worker has recorded progress in the meantime."""
    same = [_check.c[name] == value for name, value in found._asdict().items()]
    return (
        changed_rows(update(_check).where(_check.c.name == _NAME, *same).values(ahead._asdict()))
        == 1
    )


def check_and_note(game_id: str, now: int) -> Damage | None:
    """Check a game, store the result and return the fault; None if there is none."""
    found = check_game(game_id)
    release_connection()
    known = db.session.scalar(select(_damaged.c.what).where(_damaged.c.game_id == game_id))
    release_connection()
    if found is None:
        if known is not None:
            with transaction():
                db.session.execute(delete(_damaged).where(_damaged.c.game_id == game_id))
            _log.info("game is whole again", game=game_id)
        return None
    if known != found.what[:LONGEST_WHAT]:
        _log.error("damaged game", game=game_id, what=found.what)
    with transaction():
        row = {"game_id": game_id, "found_at": now, "what": found.what[:LONGEST_WHAT]}
        write_rows(_damaged, [row], _LATEST)
    return found


def damaged() -> list[Damage]:
    """The games that were damaged when they were last checked."""
    query = select(_damaged.c.game_id, _damaged.c.what).order_by(_damaged.c.game_id)
    return rows(Damage, query)


def number_damaged() -> int:
    """The number of damaged games."""
    return db.session.scalar(select(func.count()).select_from(_damaged)) or 0


def all_games(where: ColumnElement[bool] | None = None) -> Iterator[str]:
    """The ids of all games that are checked, or of those that satisfy `where`, in the order in which they were
    opened.
    """
    last, chosen = 0, _CHECKED if where is None else _CHECKED.where(where)
    while True:
        query = chosen.where(_game.c.key > last)
        found = db.session.execute(query.order_by(_game.c.key).limit(100)).all()
        release_connection()
        if not found:
            return
        last = found[-1].key
        yield from (game.id for game in found)
