"""Talk at a table: one channel for those who sit there, one for those who look on.

Whoever sits at the table reads all that was said there, whoever got up what was said before; nobody else ever does.
Nobody who holds or held a seat reads what spectators say until the game is over: they see less, but could advise.
Before the start and after the end their channel is for everybody.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import exists, func, insert, select, update

from rules.kernel import Json
from service import blocks, people
from service.database import db, transaction
from service.models import Tenure
from service.models_talk import Message, Mute
from service.outside import Outside, rfc3339
from service.problems import MayNotTalk, NotFound, NotSeated, NotSpectator
from service.table import Table, find
from service.tables import host_only
from service.words import Phrases

CHANNELS = ("seats", "spectators")
MOST_NUMBER = 2**31 - 1
"""The highest number of a message that the column holds."""
FOREVER = 2**62
"""Later than every message (ms UTC)."""

_message, _tenure = Message.__table__, Tenure.__table__


@dataclass(frozen=True)
class Listener:
    """Somebody who is signed in, at a table that they may see."""

    table: Table
    player_id: str
    left_at: int | None
    """When they got up for the last time (ms UTC)."""
    played: bool
    """Whether they hold, or have held, a seat of the game."""
    silenced: bool
    """Whether the host has muted or blocked them."""

    @property
    def seated(self) -> Any | None:
        """Their row, if they sit at the table."""
        return self.table.person(self.player_id)

    def until(self, channel: str) -> int:
        """They may read what was said there before this moment (ms UTC). Raises NotSeated, NotSpectator."""
        if channel == "spectators":
            if self.played and self.table.game.status == "running":
                raise NotSpectator
            return FOREVER
        if self.seated:
            return FOREVER
        if self.left_at is None:
            raise NotSeated
        return self.left_at

    def may_write(self, channel: str) -> None:
        """Raises NotSeated, NotSpectator, MayNotTalk."""
        if channel == "seats" and self.seated is None:
            raise NotSeated
        self.until(channel)
        if self.silenced:
            raise MayNotTalk

    def message(self, message_id: str) -> Any:
        """A message that they may read, hidden ones too. Raises NotFound."""
        query = select(_message).where(
            _message.c.id == message_id, _message.c.game_key == self.table.game.key
        )
        found = db.session.execute(query).one_or_none()
        try:
            if found is None or found.at >= self.until(found.channel):
                raise NotFound
        except (NotSeated, NotSpectator):
            raise NotFound from None
        return found


def listener(table: Table, player_id: str) -> Listener:
    """This player at this table."""
    game_key, host = table.game.key, table.host
    muted = exists().where(Mute.game_key == game_key, Mute.player_id == player_id)
    blocked = blocks.between(host and host.player_id, player_id)
    query = select(func.max(_tenure.c.ended_at), func.max(_tenure.c.seat), muted | blocked).where(
        _tenure.c.game_key == game_key, _tenure.c.player_id == player_id
    )
    left_at, seat, silenced = db.session.execute(query).one()
    return Listener(table, player_id, left_at, seat is not None, bool(silenced))


def page(
    hears: Listener, words: Phrases, channel: str, cursor: str | None, limit: int
) -> tuple[list[Json], str | None]:
    """A page of what was said, newest first, and the cursor of the next one. Raises NotSeated, NotSpectator."""
    number = min(int(cursor), MOST_NUMBER) if cursor else MOST_NUMBER
    query = (
        select(_message, _tenure.c.seat)
        .outerjoin(_tenure, _tenure.c.id == _message.c.tenure_id)
        .where(_message.c.game_key == hears.table.game.key, _message.c.channel == channel)
        .where(_message.c.at < hears.until(channel), _message.c.number < number)
        .order_by(_message.c.number.desc())
        .limit(limit + 1)
    )
    rows = db.session.execute(query).all()
    told = [shown(row, hears.player_id, words) for row in rows[:limit]]
    return told, str(rows[limit - 1].number) if rows[limit:] else None


def shown(row: Any, player_id: str, words: Phrases) -> Json:
    """A message as this player reads it: of a hidden one the text is gone."""
    return {
        "id": row.id,
        "channel": row.channel,
        "number": row.number,
        "tenure": row.tenure_id,
        "seat": row.seat,
        "name": row.name or words.say("person.gone"),
        "you": row.player_id == player_id,
        "at": rfc3339(row.at),
        "text": None if row.hidden_at else row.text,
        "hidden": row.hidden_at is not None,
    }


def say(outside: Outside, game_id: str, player: Any, wish: Json) -> tuple[Any, bool]:
    """Write `wish["text"]` into a channel: the message, and whether it is new; `wish["once"]` finds a repeat.

    Raises NotFound, NotSeated, NotSpectator, MayNotTalk.
    """
    with transaction():
        hears = listener(find(game_id, lock=True), player.id)
        repeated = _said(hears, Message.once == wish["once"]) if "once" in wish else None
        if repeated:
            return repeated, False
        hears.may_write(wish["channel"])
        people.still_there(player.id)
        row = _new(outside, hears, player, wish)
        db.session.execute(insert(Message).values(row))
        return _said(hears, Message.id == row["id"]), True


def _said(hears: Listener, which: Any) -> Any | None:
    """What this player has said at this table."""
    query = (
        select(_message, _tenure.c.seat)
        .outerjoin(_tenure, _tenure.c.id == _message.c.tenure_id)
        .where(_message.c.game_key == hears.table.game.key)
        .where(_message.c.player_id == hears.player_id, which)
    )
    return db.session.execute(query).one_or_none()


def _new(outside: Outside, hears: Listener, player: Any, wish: Json) -> Json:
    """The row of a message. Its time is not before whatever it comes after, however the clocks of two machines go."""
    game, channel, seated = hears.table.game, wish["channel"], hears.seated
    in_channel = (_message.c.game_key == game.key) & (_message.c.channel == channel)
    last = select(func.max(_message.c.number), func.max(_message.c.at)).where(in_channel)
    number, at = db.session.execute(last).one()
    left = select(func.max(_tenure.c.ended_at)).where(_tenure.c.game_key == game.key)
    return {
        "id": outside.new_id("m"),
        "game_key": game.key,
        "channel": channel,
        "number": (number or 0) + 1,
        "player_id": player.id,
        "tenure_id": seated and seated.tenure,
        "name": player.name,
        "text": wish["text"],
        "once": wish.get("once"),
        "at": max(outside.now(), at or 0, db.session.scalar(left) or 0),
    }


def hide(outside: Outside, game_id: str, player_id: str, message_id: str) -> None:
    """As the host, take a message out of everybody's sight; a mark stays. Raises NotFound, NotHost."""
    with transaction():
        table = find(game_id, lock=True)
        message = listener(table, player_id).message(message_id)
        host_only(table, player_id)
        cover(message.id, outside.now())


def cover(message_id: str, now: int) -> None:
    """Hide a message, in the caller's transaction. Its text stays in the database, for the operator alone."""
    seen = update(Message).where(Message.id == message_id, Message.hidden_at.is_(None))
    db.session.execute(seen.values(hidden_at=now))
