"""Games that are over: their logs no longer change, so a replica can serve them as well as the primary server can."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import select

from service.core.database.database import db
from service.core.database.replica import a_moment_old
from service.core.models.games import Game
from service.log.table_rows.table import GameRow

R = TypeVar("R")


def in_log_of(game: GameRow, read: Callable[[], R]) -> R:
    """The result of `read` on the log of a game. It uses a replica if the game is over and the replica has its whole
    past.

    The head is the digest of that past, so nobody is shown less than they have already seen, or something different.
    """
    return a_moment_old(read, lambda: _is_there(game)) if game.is_over else read()


def _is_there(game: GameRow) -> bool:
    same = select(Game.key).where(Game.key == game.key, Game.head == game.head)
    return db.session.scalar(same) is not None
