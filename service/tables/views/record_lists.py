"""The records of many games, for people who study them: their own games, or all public ones."""

from __future__ import annotations

from datetime import UTC, datetime

import structlog
from sqlalchemy import select

from rules.kernel import Json
from service.core.database.database import db
from service.core.database.failures import UnreadableLog
from service.core.database.replica import a_moment_old
from service.core.models.games import Game, Tenure, has_status, is_listed
from service.core.runtime.log_files import failure
from service.core.runtime.units import SECOND
from service.log.records.record import whole_record
from service.log.records.signed_heads import HeadSigner
from service.log.table_rows.table import find

_log = structlog.get_logger("tegami.records")


def page(heads: HeadSigner, player_id: str | None, wish: Json) -> tuple[bytes, str | None]:
    """A page of records, one on each line, the oldest games first; and the cursor of the next page, if there is one.

    `wish` can have mine, ruleset, month (`2026-11`, the month in which the game ended, UTC), cursor and limit.
    """
    if wish["mine"]:
        return _page(heads, player_id, wish)
    return a_moment_old(lambda: _page(heads, player_id, wish))


def _page(heads: HeadSigner, player_id: str | None, wish: Json) -> tuple[bytes, str | None]:
    query = select(Game.key, Game.id).where(is_listed())
    held = select(Tenure.game_key).where(Tenure.player_id == player_id, Tenure.seat.is_not(None))
    of_all = (Game.status == "over") & Game.private.is_(False)
    query = query.where(has_status("over") & Game.key.in_(held) if wish["mine"] else of_all)
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
    """The record of a game; empty if its log is damaged, so that it does not stop the other records."""
    try:
        return whole_record(find(game_id), heads) + b"\n"
    except UnreadableLog as error:
        _log.error("failing", task="records", cause=error.cause, **failure(error))
        return b""


def month(name: str) -> tuple[int, int]:
    """The beginning of the month and of the next one, in ms UTC."""
    year, number = map(int, name.split("-"))
    begins = datetime(year, number, 1, tzinfo=UTC)
    ends = datetime(year + number // 12, number % 12 + 1, 1, tzinfo=UTC)
    return int(begins.timestamp()) * SECOND, int(ends.timestamp()) * SECOND
