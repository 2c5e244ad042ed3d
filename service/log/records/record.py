"""The record of a finished game (docs/record.md): its log, the seed and the result, as one canonical JSON text."""

from __future__ import annotations

import hashlib
import json

from sqlalchemy import select

from rules.kernel import Json, text
from service.core.database.database import db
from service.core.database.failures import reading
from service.core.models.games import Event, Tenure
from service.core.runtime.time_and_random import rfc3339
from service.core.runtime.units import HOUR
from service.log.records import cold_logs
from service.log.records.signed_heads import HeadSigner
from service.log.table_rows.finished_games import in_log_of
from service.log.table_rows.table import GameRow, Table

EARLIER_FORMAT, FORMAT = "tegami-record/1", "tegami-record/2"
"""The formats of records: for logs up to format 2, and for logs from format 3 on."""
PROGRAM = ("tenure", "name", "level", "version")
"""The members that describe a house player."""


def whole_record(table: Table, heads: HeadSigner) -> bytes:
    """The record of a game that is over, in canonical JSON; `heads` signs the last head.

    Raises UnreadableLog if the log cannot be read or folded.
    """
    with reading(table.game.id):
        return _record(table.game, heads)


def _record(game: GameRow, heads: HeadSigner) -> bytes:
    assert game.head is not None, "the game is over"
    query = select(Event.body, Event.at).where(Event.game_key == game.key).order_by(Event.number)
    rows = in_log_of(game, lambda: db.session.execute(query).all() or cold_logs.rows_of(game.key))
    earlier = game.log_format < 3
    record: Json = {
        "format": EARLIER_FORMAT if earlier else FORMAT,
        "game": game.id,
        "seed": game.seed.hex(),
        "events": [json.loads(row.body) for row in rows],
        "head": game.head.hex(),
        "result": game.result,
    }
    if earlier:
        record["times"] = [rfc3339(row.at - row.at % HOUR) for row in rows]
    else:
        record["key"] = heads.public_key.hex()
        record["signature"] = heads.sign(game.id, game.number, game.head).hex()
        record |= _programs(game)
    return text({**record, "digest": record_digest(record)}).encode()


def _programs(game: GameRow) -> Json:
    """The member that describes the house players; empty if the game had none."""
    query = (
        select(Tenure.id, Tenure.house_name, Tenure.house_level, Tenure.house_version)
        .where(Tenure.game_key == game.key, Tenure.seat.is_not(None))
        .where(Tenure.house_name.is_not(None))
        .order_by(Tenure.began, Tenure.seat)
    )
    found = [dict(zip(PROGRAM, row, strict=True)) for row in db.session.execute(query)]
    return {"programs": found} if found else {}


def record_digest(record: Json) -> str:
    """The SHA-256 of the canonical JSON of a record without its digest, in hex."""
    return hashlib.sha256(text(record).encode()).hexdigest()
