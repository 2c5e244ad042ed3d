"""Read marks: how far a player has read in a channel, and how many messages are new since."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sqlalchemy import ColumnElement, ScalarSelect, case, delete, func, select, update

from rules.kernel import Json
from service.core.database.database import db, insert_unless_there, transaction
from service.core.models.games import Game, Tenure
from service.core.models.talk import Channel, Message, ReadMark
from service.core.runtime.problems import Problem
from service.core.words.words import Phrases
from service.log.table_rows.table import find
from service.tables.talk.readers_and_writers import CHANNELS, Participant, participant

MOST_COUNTED = 100
"""New messages are counted up to this number, which then means so many or more."""
MOST_GAMES = 50
"""Games with new messages that are listed at most."""


class Counts(NamedTuple):
    """The number of the last message that a player may read, of the last one they have read, and how many are new."""

    last: int = 0
    read: int = 0
    unread: int = 0


_message, _mark = Message.__table__, ReadMark.__table__
_game, _tenure = Game.__table__, Tenure.__table__


def overview(reader: Participant, words: Phrases) -> Json:
    """What this participant may do in each channel, how far they have read, and what the ruleset says about talk."""
    readable = [channel for channel in CHANNELS if _is_allowed(reader.readable_until, channel)]
    counted = dict(zip(readable, _count(reader, readable), strict=True))
    channels: Json = {
        channel: {
            "reads": channel in counted,
            "writes": _is_allowed(reader.check_may_write, channel),
            **counted.get(channel, Counts())._asdict(),
        }
        for channel in CHANNELS
    }
    return {"rule": words.get("talk"), **channels}


def _is_allowed(check: Callable[[Channel], object], channel: Channel) -> bool:
    """Whether `check` raises no problem for this channel."""
    try:
        check(channel)
    except Problem:
        return False
    return True


def _count(reader: Participant, channels: list[Channel]) -> list[Counts]:
    """The counts of each channel, in one query."""
    if not channels:
        return []
    queries = [query for channel in channels for query in _count_queries(reader, channel)]
    values = [value or 0 for value in db.session.execute(select(*queries)).one()]
    width = len(Counts._fields)
    return [Counts(*values[start : start + width]) for start in range(0, len(values), width)]


def _count_queries(reader: Participant, channel: Channel) -> list[ScalarSelect[int]]:
    """A query for each field of `Counts`."""
    readable = (
        (_message.c.game_key == reader.table.game.key)
        & (_message.c.channel == channel)
        & (_message.c.at < reader.readable_until(channel))
    )
    last = select(func.max(_message.c.number)).where(readable).scalar_subquery()
    read = select(_mark.c.number).where(_own_mark(reader, channel)).scalar_subquery()
    unread = _message.c.number > func.coalesce(read, 0)
    some = select(_message.c.id).where(readable, unread, _from_others(reader.player_id))
    counted = select(func.count()).select_from(some.limit(MOST_COUNTED).subquery())
    return [last, read, counted.scalar_subquery()]


def _from_others(player_id: str) -> ColumnElement[bool]:
    """Messages that somebody else has written and that are not hidden."""
    return _message.c.hidden_at.is_(None) & _message.c.player_id.is_distinct_from(player_id)


def _own_mark(reader: Participant, channel: Channel) -> ColumnElement[bool]:
    return (
        (_mark.c.game_key == reader.table.game.key)
        & (_mark.c.player_id == reader.player_id)
        & (_mark.c.channel == channel)
    )


def mark_read(game_id: str, player_id: str, channel: Channel, number: int) -> Participant:
    """Mark all messages up to `number` as read; a mark never goes back. Raises NotFound, NotSeated, NotSpectator."""
    with transaction():
        reader = participant(find(game_id, lock=True), player_id)
        (counts,) = _count(reader, [channel])
        number = min(number, counts.last)
        row = {"game_key": reader.table.game.key, "player_id": player_id, "channel": channel}
        db.session.execute(insert_unless_there(_mark).values({**row, "number": number}))
        behind = update(ReadMark).where(_own_mark(reader, channel), _mark.c.number < number)
        db.session.execute(behind.values(number=number))
        return reader


def unread_games(player_id: str) -> list[Json]:
    """The games at whose tables this player sits and has not read everything, the latest message first."""
    mark_of_channel = (
        (_mark.c.game_key == _message.c.game_key)
        & (_mark.c.player_id == player_id)
        & (_mark.c.channel == _message.c.channel)
    )
    counts = (func.sum(case((_message.c.channel == each, 1), else_=0)) for each in CHANNELS)
    query = (
        select(_game.c.id, *counts)
        .join(_tenure, _tenure.c.game_key == _game.c.key)
        .join(_message, _message.c.game_key == _game.c.key)
        .outerjoin(_mark, mark_of_channel)
        .where(_tenure.c.player_id == player_id, _tenure.c.ended_at.is_(None))
        .where((_message.c.channel == "seats") | (_game.c.status != "running"))
        .where(_message.c.number > func.coalesce(_mark.c.number, 0), _from_others(player_id))
        .group_by(_game.c.id)
        .order_by(func.max(_message.c.at).desc(), _game.c.id)
        .limit(MOST_GAMES)
    )
    return [
        {"id": game_id}
        | {name: min(n, MOST_COUNTED) for name, n in zip(CHANNELS, counts, strict=True)}
        for game_id, *counts in db.session.execute(query)
    ]


def erase(player_id: str) -> None:
    """Delete the player's read marks. The caller owns the commit."""
    db.session.execute(delete(ReadMark).where(ReadMark.player_id == player_id))
