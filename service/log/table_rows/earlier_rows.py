"""Rows that an earlier release wrote after a migration, read and stored as this release would write them.

The log alone never changes, so where a row differs from the log, the log is right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from sqlalchemy import ColumnElement, String, and_, cast, not_, or_, select, update

from service.core.database.database import changed_rows, db, transaction
from service.core.database.failures import reading
from service.core.models.games import Event, Game
from service.log import events
from service.log.events import Nonce

if TYPE_CHECKING:
    from service.log.table_rows.table import GameRow

_game, _event = Game.metadata.tables["games"], Event.metadata.tables["events"]
_WITHOUT_TENURES = 2
"""The last format of logs in which nonces do not name the person whose nonce they are."""


def is_earlier(game: GameRow) -> bool:
    """Whether a row may differ from what this release would have written; every request checks this."""
    if game.status == "open":
        return game.log_format != events.FORMAT
    return bool(game.nonces) and not isinstance(game.nonces[0], dict)  # type: ignore[index]


def as_written_now(game: GameRow) -> GameRow:
    """The row as this release would have written it. Raises UnreadableLog if its log cannot be read."""
    if game.status == "open":  # its log begins with this release
        return game._replace(log_format=events.FORMAT)
    return game._replace(**_of_log(game.key, game.id))


def half_new(after: str, limit: int) -> list[str]:
    """At most `limit` ids of games with rows of an earlier release, in order, after the id `after`."""
    query = select(_game.c.id).where(
        _game.c.id > after, or_(_is_opened_earlier(), _is_begun_earlier())
    )
    return list(db.session.scalars(query.order_by(_game.c.id).limit(limit)))


def repair(game_id: str) -> int:
    """Store the rows of a game as this release would have written them; return the number of changed rows.

    Raises UnreadableLog if the game's log cannot be read.
    """
    this = _game.c.id == game_id
    with transaction():
        opened = update(_game).where(this, _is_opened_earlier()).values(log_format=events.FORMAT)
        begun = db.session.scalar(select(_game.c.key).where(this, _is_begun_earlier()))
        if begun is None:
            return changed_rows(opened)
        return changed_rows(update(_game).where(this).values(_of_log(begun, game_id)))


def _is_opened_earlier() -> ColumnElement[bool]:
    return (_game.c.status == "open") & (_game.c.log_format != events.FORMAT)


def _is_begun_earlier() -> ColumnElement[bool]:
    """The condition that nonces are stored as bare strings; this release stores each of them in an object."""
    nonces = cast(_game.c.nonces, String)
    ours = or_(nonces.like("[{%"), nonces == "[]", nonces == "null")
    return and_(_game.c.status != "open", _game.c.nonces.is_not(None), not_(ours))


def _of_log(key: int, game_id: str) -> dict[str, Any]:
    """The columns that repeat what the log says, from its first event. Raises UnreadableLog if it cannot be read."""
    first = select(_event.c.body).where(_event.c.game_key == key, _event.c.number == 1)
    body = db.session.scalar(first)
    with reading(game_id):
        start = orjson.loads(body or "")
        pairs = zip(start["sat"], start["nonces"], strict=True)
        nonces: list[Nonce] = [{"tenure": tenure, "nonce": nonce} for tenure, nonce in pairs]
    return {"log_format": _WITHOUT_TENURES, "nonces": nonces}
