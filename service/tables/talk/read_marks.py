"""Read marks: the last message that a player has read in a channel, and how many messages are newer."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import ColumnElement, case, delete, func, select

from rules.kernel import Json
from service.core.database.database import db, transaction, write_rows
from service.core.models.games import Game, Tenure
from service.core.models.talk import Channel, Message, ReadMark
from service.core.runtime.problems import Problem
from service.core.words.words import Phrases
from service.log.table_rows.table import find
from service.tables.talk.readers_and_writers import CHANNELS, Participant, participant

MOST_COUNTED = 100
"""The highest number of new messages that is counted; it means "this number, or more"."""
MOST_GAMES = 50
"""The most games with new messages that are listed."""

_FURTHER = (
    "ON CONFLICT (game_key, player_id, channel) "
    "DO UPDATE SET number = excluded.number WHERE read_marks.number < excluded.number"
)


_NOTHING = {"last": 0, "read": 0, "unread": 0}


def overview(reader: Participant, words: Phrases) -> Json:
    """This participant's rights and read mark in each channel, and the ruleset's rule about talk."""
    readable = [channel for channel in CHANNELS if _is_allowed(reader.readable_until, channel)]
    counted = {channel: _counts(reader, channel) for channel in readable}
    channels: Json = {
        channel: {
            "reads": channel in counted,
            "writes": _is_allowed(reader.check_may_write, channel),
            **counted.get(channel, _NOTHING),
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


def _counts(reader: Participant, channel: Channel) -> dict[str, int]:
    """The numbers of the last message that the reader may read and of the last one that they have read, and the number
    of new messages.
    """
    readable = (
        (Message.game_key == reader.table.game.key)
        & (Message.channel == channel)
        & (Message.at < reader.readable_until(channel))
    )
    last = select(func.max(Message.number)).where(readable).scalar_subquery()
    here, mine = ReadMark.game_key == reader.table.game.key, ReadMark.player_id == reader.player_id
    mark = here & mine & (ReadMark.channel == channel)
    read = select(ReadMark.number).where(mark).scalar_subquery()
    unread = Message.number > func.coalesce(read, 0)
    some = select(Message.id).where(readable, unread, _from_others(reader.player_id))
    counted = select(func.count()).select_from(some.limit(MOST_COUNTED).subquery())
    found = db.session.execute(select(last, read, counted.scalar_subquery())).one()
    return {name: value or 0 for name, value in zip(_NOTHING, found, strict=True)}


def _from_others(player_id: str) -> ColumnElement[bool]:
    """The condition for messages that somebody else has written and that are not hidden."""
    return Message.hidden_at.is_(None) & Message.player_id.is_distinct_from(player_id)


def mark_read(game_id: str, player_id: str, channel: Channel, number: int) -> Participant:
    """Mark all messages up to `number` as read, and return the participant; a mark never moves back. Raises NotFound,
    NotSeated, NotSpectator.
    """
    with transaction():
        reader = participant(find(game_id, lock=True), player_id)
        number = min(number, _counts(reader, channel)["last"])
        row = {"game_key": reader.table.game.key, "player_id": player_id, "channel": channel}
        write_rows(ReadMark.__table__, [{**row, "number": number}], _FURTHER)
        return reader


def unread_games(player_id: str) -> list[Json]:
    """The games at whose tables this player sits and has unread messages; the latest message comes first."""
    mark_of_channel = (
        (ReadMark.game_key == Message.game_key)
        & (ReadMark.player_id == player_id)
        & (ReadMark.channel == Message.channel)
    )
    counts = (func.sum(case((Message.channel == each, 1), else_=0)) for each in CHANNELS)
    query = (
        select(Game.id, *counts)
        .join(Tenure, Tenure.game_key == Game.key)
        .join(Message, Message.game_key == Game.key)
        .outerjoin(ReadMark, mark_of_channel)
        .where(Tenure.player_id == player_id, Tenure.ended_at.is_(None))
        .where((Message.channel == "seats") | (Game.status != "running"))
        .where(Message.number > func.coalesce(ReadMark.number, 0), _from_others(player_id))
        .group_by(Game.id)
        .order_by(func.max(Message.at).desc(), Game.id)
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
