"""Moving the logs of games that ended long ago to cold storage, and back.

A log is verified before it is moved, written as a record, read back and verified again. Only then are its events
deleted from the database, in the transaction that notes where they are now. Whichever process is killed, and whenever,
the game stays readable: in the database until that transaction commits, and in cold storage from then on. An object
from a failed attempt stays there, and the next attempt writes the same object.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sqlalchemy import delete, select, update

from service.core.database.database import changed_rows, db, release_connection, transaction
from service.core.models.games import Event, Game
from service.core.models.server import DamagedGame
from service.core.runtime.problems import NotFound
from service.log.event_log import append
from service.log.records.cold_logs import ColdRow, packed, unpacked
from service.log.records.cold_storage import LostObject, storage
from service.log.records.record import whole_record
from service.log.records.record_text import demand
from service.log.records.signed_heads import HeadSigner
from service.log.table_rows.table import GameRow, find
from service.log.verification.check_game import LoggedRow, logged_rows
from service.log.verification.log_checks import all_games, check_and_note
from service.log.verification.verify_record import verify

AT_ONCE = 10
"""The number of games to look for at a time."""

_game, _event = Game.metadata.tables["games"], Event.metadata.tables["events"]
_damaged = DamagedGame.metadata.tables["damaged_games"]


def due(before: int, failing: Collection[str] = ()) -> list[str]:
    """The ids of some games in the database that ended before this time (ms UTC), the first to end first.

    Games that are damaged or `failing` are left out.
    """
    ended = (_game.c.ended_at < before) & (_game.c.status == "over") & _game.c.cold.is_(None)
    query = select(_game.c.id).where(
        ended, _game.c.lesson.is_(None), _game.c.deal.is_(None), _game.c.id.not_in(failing)
    )
    whole = query.where(_game.c.id.not_in(select(_damaged.c.game_id)))
    return list(db.session.scalars(whole.order_by(_game.c.ended_at).limit(AT_ONCE)))


def begin() -> None:
    """Check that cold storage is present. Raises ColdStorageOutOfReach if it is not."""
    some = select(_game.c.key).where(_game.c.cold.is_not(None)).limit(1)
    new = db.session.scalar(some) is None
    release_connection()
    storage().begin(new=new)


def move(game_id: str, heads: HeadSigner, now: int) -> bool:
    """Move the log of a finished game; return False if another process has moved it, or if the log is damaged.

    Raises VerificationError if the written record is wrong, and ColdStorageOutOfReach if the storage fails; nothing has
    changed then.
    """
    if check_and_note(game_id, now) is not None:
        return False
    try:
        table = find(game_id)
    except NotFound:
        return False
    if not table.game.is_over:
        return False
    demand(
        table.game.is_known, "its rules are not known here"
    )  # if this fails, the search goes on with other games
    logged = [_cold(row) for row in logged_rows(table.game.key)]
    data = packed(whole_record(table, heads), logged)
    release_connection()  # no snapshot is held while a store takes its time
    digest = storage().write(game_id, data)
    written = unpacked(storage().read(game_id, digest))
    verify(written.record)
    demand(list(written.rows) == logged, "what was written is not what was read")
    with transaction():
        return _let_go(table.game, digest)


def _cold(row: LoggedRow) -> ColdRow:
    return ColdRow(row.number, row.body, row.seat, row.asked, row.at)


def _let_go(game: GameRow, digest: bytes) -> bool:
    """Delete the events in the caller's transaction and note where they are; return False if another process was
    first.
    """
    same = (_game.c.key == game.key) & (_game.c.head == game.head) & (_game.c.status == "over")
    held = update(_game).where(same, _game.c.cold.is_(None)).values(erasing=True)
    if not changed_rows(held):
        return False
    gone = changed_rows(delete(_event).where(_event.c.game_key == game.key))
    demand(gone == game.number, "the number of events")
    moved = update(_game).where(_game.c.key == game.key)
    db.session.execute(moved.values(erasing=False, cold=digest))
    return True


def bring_back(game_id: str) -> bool:
    """Put the log of a game back into the database; return whether it was in cold storage. The object stays there.

    Raises ColdStorageOutOfReach or LostObject if cold storage does not have it.
    """
    game = find(game_id).game
    cold = db.session.scalar(select(_game.c.cold).where(_game.c.key == game.key))
    release_connection()
    if cold is None:
        return False
    logged = logged_rows(game.key)
    if not logged or logged[-1].digest != game.head:
        raise LostObject(game_id)
    release_connection()
    with transaction():
        there = (_game.c.key == game.key) & (_game.c.cold == cold)
        if not changed_rows(update(_game).where(there).values(cold=None)):
            return False
        for begin in range(0, len(logged), _ROWS_AT_ONCE):
            some = logged[begin : begin + _ROWS_AT_ONCE]
            append([{"game_key": game.key, **row._asdict()} for row in some])
    return True


_ROWS_AT_ONCE = 500
"""The number of rows in one INSERT, since a database limits the number of parameters."""


def cold_games() -> Iterator[str]:
    """The ids of all games in cold storage, in the order in which they were opened."""
    return all_games(_game.c.cold.is_not(None))
