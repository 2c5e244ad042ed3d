"""The log of a game in cold storage: its record and, on a second line, the parts of its rows that a record lacks.

So `tegami verify` can read the first line of an object, and the rows can be put back into the database as they were.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, select

from rules.kernel import Json, text
from service.core.database.database import db, read_alone
from service.core.models.games import Game
from service.log.records.cold_storage import storage

FORMAT = "tegami-cold/1"
KEPT = 32
"""The number of logs that a process keeps in memory, since people who look at a game ask for several parts of it."""

_game = Game.metadata.tables["games"]
_WHERE = select(_game.c.id, _game.c.cold).where(_game.c.key == bindparam("game"))


class ColdRow(NamedTuple):
    """A row of a log without its digest, which follows from the rest."""

    number: int
    body: str
    seat: int | None
    asked: int | None
    at: int


class ColdLog(NamedTuple):
    """The contents of an object in cold storage."""

    record: bytes
    rows: tuple[ColdRow, ...]


def packed(record: bytes, rows: Sequence[ColdRow]) -> bytes:
    """The object with this record and these rows, which belong to each other."""
    beside: Json = {"format": FORMAT}
    beside |= {"asked": [row.asked for row in rows], "at": [row.at for row in rows]}
    return b"%s\n%s\n" % (record, text(beside).encode())


def unpacked(data: bytes) -> ColdLog:
    """The contents of an object. Raises ValueError or LookupError if the data is not an object."""
    record, rest, end = data.split(b"\n")
    beside = json.loads(rest)
    if beside["format"] != FORMAT or end:
        raise ValueError(beside["format"])
    events = json.loads(record)["events"]
    rows = zip(events, beside["asked"], beside["at"], strict=True)
    return ColdLog(
        record,
        tuple(
            ColdRow(event["number"], text(event), event.get("seat"), asked, at)
            for event, asked, at in rows
        ),
    )


def rows_of(game_key: int) -> Sequence[ColdRow]:
    """All rows of a game's log if it is in cold storage; empty if it is in the database.

    Raises ColdStorageOutOfReach if the storage cannot be reached, and LostObject if it does not have the log.
    """
    found = read_alone(_WHERE, {"game": game_key})
    if not found or found[0][1] is None:
        return ()
    game_id, digest = found[0][0], bytes(found[0][1])
    kept = _kept()
    rows = kept.get(digest)
    if rows is None:
        rows = unpacked(storage().read(game_id, digest)).rows
        kept.put(digest, rows)
    return rows


class _Kept:
    """The cold logs that were read last, by digest."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows: OrderedDict[bytes, tuple[ColdRow, ...]] = OrderedDict()

    def get(self, digest: bytes) -> tuple[ColdRow, ...] | None:
        with self._lock:
            return self._rows.get(digest)

    def put(self, digest: bytes, rows: tuple[ColdRow, ...]) -> None:
        with self._lock:
            self._rows[digest] = rows
            self._rows.move_to_end(digest)
            while len(self._rows) > KEPT:
                self._rows.popitem(last=False)


_KEPT = "tegami.cold_logs"


def _kept() -> _Kept:
    """The cold logs that the application in context keeps in memory."""
    known = vars(db.engine)
    found: _Kept = known.get(_KEPT) or known.setdefault(_KEPT, _Kept())
    return found
