"""Unread marks: how far somebody has read in a channel, and how much is new since."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import case, func, select, update

from rules.kernel import Json
from service.database import db, insert_unless_there, transaction
from service.models import Game, Tenure
from service.models_talk import Message, ReadMark
from service.problems import Problem
from service.table import find
from service.talk import CHANNELS, Listener, listener
from service.words import Phrases

MOST = 100
"""Nobody counts further: it means so many or more."""
MOST_GAMES = 50
"""As many games are told at once."""
NOTHING = {"last": 0, "read": 0, "unread": 0}
"""What is told of a channel where there is nothing to read, or nothing that may be read."""

_message, _mark = Message.__table__, ReadMark.__table__
_game, _tenure = Game.__table__, Tenure.__table__


def state(hears: Listener, words: Phrases) -> Json:
    """Where this player stands in each channel, and what the ruleset says about talking."""
    readable = [channel for channel in CHANNELS if allowed(hears.until, channel)]
    counted = dict(zip(readable, _counted(hears, readable), strict=True))
    channels = {
        channel: {
            "reads": channel in counted,
            "writes": allowed(hears.may_write, channel),
            **counted.get(channel, NOTHING),
        }
        for channel in CHANNELS
    }
    return {"rule": words.get("talk"), **channels}


def allowed(check: Callable[[str], Any], channel: str) -> bool:
    """Whether `check` lets this channel pass."""
    try:
        check(channel)
    except Problem:
        return False
    return True


def _counted(hears: Listener, channels: list[str]) -> list[Json]:
    """For each channel: the last number that there is to read, the last one that was read, how many are new."""
    wanted = [column for channel in channels for column in _columns(hears, channel)]
    found = iter(db.session.execute(select(*wanted)).one() if wanted else ())
    return [
        dict(zip(NOTHING, (each or 0 for each in three), strict=True)) for three in _threes(found)
    ]


def _threes(values: Iterator[Any]) -> Iterator[tuple[Any, ...]]:
    return zip(values, values, values, strict=True)


def _columns(hears: Listener, channel: str) -> tuple[Any, Any, Any]:
    heard = [
        _message.c.game_key == hears.table.game.key,
        _message.c.channel == channel,
        _message.c.at < hears.until(channel),
    ]
    read = select(_mark.c.number).where(*_own(hears, channel)).scalar_subquery()
    last = select(func.max(_message.c.number)).where(*heard).scalar_subquery()
    new = _message.c.number > func.coalesce(read, 0)
    some = select(_message.c.id).where(*heard, new, *_of_others(hears.player_id)).limit(MOST)
    return last, read, select(func.count()).select_from(some.subquery()).scalar_subquery()


def _of_others(player_id: str) -> tuple[Any, Any]:
    """What somebody else has said and nobody has hidden."""
    return _message.c.hidden_at.is_(None), _message.c.player_id.is_distinct_from(player_id)


def _own(hears: Listener, channel: str) -> tuple[Any, ...]:
    return (
        _mark.c.game_key == hears.table.game.key,
        _mark.c.player_id == hears.player_id,
        _mark.c.channel == channel,
    )


def mark(game_id: str, player_id: str, channel: str, number: int) -> Listener:
    """Note that all up to `number` is read; a mark never goes back. Raises NotFound, NotSeated, NotSpectator."""
    with transaction():
        hears = listener(find(game_id, lock=True), player_id)
        hears.until(channel)
        number = min(number, _counted(hears, [channel])[0]["last"])
        row = {"game_key": hears.table.game.key, "player_id": player_id, "channel": channel}
        db.session.execute(insert_unless_there(_mark).values({**row, "number": number}))
        behind = update(ReadMark).where(*_own(hears, channel), _mark.c.number < number)
        db.session.execute(behind.values(number=number))
        return hears


def games(player_id: str) -> list[Json]:
    """The games at whose tables this player sits and has not read all, by the newest message."""
    read = (
        (_mark.c.game_key == _message.c.game_key)
        & (_mark.c.player_id == player_id)
        & (_mark.c.channel == _message.c.channel)
    )
    query = (
        select(_game.c.id, *(_number_in(channel).label(channel) for channel in CHANNELS))
        .join(_tenure, _tenure.c.game_key == _game.c.key)
        .join(_message, _message.c.game_key == _game.c.key)
        .outerjoin(_mark, read)
        .where(_tenure.c.player_id == player_id, _tenure.c.ended_at.is_(None))
        .where((_message.c.channel == "seats") | (_game.c.status != "running"))
        .where(_message.c.number > func.coalesce(_mark.c.number, 0), *_of_others(player_id))
        .group_by(_game.c.id)
        .order_by(func.max(_message.c.at).desc(), _game.c.id)
        .limit(MOST_GAMES)
    )
    return [
        {"id": row.id} | {channel: min(getattr(row, channel), MOST) for channel in CHANNELS}
        for row in db.session.execute(query)
    ]


def _number_in(channel: str) -> Any:
    return func.sum(case((_message.c.channel == channel, 1), else_=0))
