"""The records of many games, for whoever studies them: one's own, or those of all public games."""

from __future__ import annotations

from datetime import UTC, datetime

import structlog
from sqlalchemy import select

from rules.kernel import Json
from service.core.database.database import db
from service.core.database.failures import UnreadableLog
from service.core.models.games import Game, Tenure, is_listed
from service.core.runtime.log_files import failure
from service.core.runtime.units import SECOND
from service.log.records.record import whole_record
from service.log.records.signed_heads import HeadSigner
from service.log.table_rows.table import find

_log = structlog.get_logger("tegami.records")


def page(heads: HeadSigner, player_id: str | None, wish: Json) -> tuple[bytes, str | None]:
    """A page of records, each on a line of its own, the oldest games first; and where the next page begins.

    `wish`: mine, ruleset, month (`2026-11`, in which the game ended, UTC), cursor, limit.
    """
    query = select(Game.key, Game.id).where(Game.status == "over", is_listed())
    held = select(Tenure.game_key).where(Tenure.player_id == player_id, Tenure.seat.is_not(None))
    query = query.where(Game.key.in_(held) if wish["mine"] else Game.private.is_(False))
    if wish.get("ruleset"):
        query = query.where(Game.ruleset == wish["ruleset"])
    if wish.get("month"):
        begins, ends = month(wish["month"])
        query = query.where(Game.ended_at >= begins, Game.ended_at < ends)
    query = query.order_by(Game.key).limit(wish["limit"] + 1)
    following = wish.get("cursor")
    while True:
        found = db.session.execute(query.where(Game.key > int(following or 0))).all()
        shown = found[: wish["limit"]]
        lines = b"".join(_line(row.id, heads) for row in shown)
        following = str(shown[-1].key) if found[len(shown) :] else None
        if lines or following is None:  # a page whose games are all damaged would end the reading
            return lines, following


def _line(game_id: str, heads: HeadSigner) -> bytes:
    """The record of a game; nothing if its log is damaged, which keeps nobody from the others."""
    try:
        return whole_record(find(game_id), heads) + b"\n"
    except UnreadableLog as error:
        _log.error("failing", task="records", cause=error.cause, **failure(error))
        return b""


def month(name: str) -> tuple[int, int]:
    """When the month begins and when the next one does, in ms UTC."""
    year, number = map(int, name.split("-"))
    begins = datetime(year, number, 1, tzinfo=UTC)
    ends = datetime(year + number // 12, number % 12 + 1, 1, tzinfo=UTC)
    return int(begins.timestamp()) * SECOND, int(ends.timestamp()) * SECOND
