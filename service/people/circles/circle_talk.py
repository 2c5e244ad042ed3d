"""The talk of a circle: its members read all of it while they belong to it, and nobody else ever does.

Messages of people whom the reader has blocked are left out for this reader alone.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import ColumnElement, func, insert, select, update

from rules.kernel import Json
from service.core.database.database import columns, db, one_row, rows, transaction
from service.core.models.circles import Circle, CircleMember, CircleMessage
from service.core.models.people import Player
from service.core.runtime.exports import exported_rows
from service.core.runtime.problems import NotFound, OtherMessage
from service.core.runtime.time_and_random import Runtime
from service.people import players
from service.people.circles import blocks, circles
from service.people.circles.circles import Membership

MOST_COUNTED = 100
"""The highest number of new messages that is counted; it means "this number or more"."""


class CircleMessageRow(NamedTuple):
    """A message (see core/models/circles.py), with the kind of player that its writer is."""

    id: str
    number: int
    player_id: str | None
    name: str | None
    text: str
    at: int
    hidden_at: int | None
    program: bool | None


_message, _circle = CircleMessage.__table__, Circle.__table__
_member = CircleMember.__table__
_MESSAGES = select(*columns(CircleMessageRow, _message, Player.__table__)).outerjoin(
    Player, Player.id == _message.c.player_id
)


def page(
    reader: Membership, cursor: str | None, limit: int
) -> tuple[list[CircleMessageRow], str | None]:
    """A page of a circle's talk, newest first, and the cursor of the next page (None: there is none)."""
    older = [_message.c.number < int(cursor)] if cursor else []
    query = _MESSAGES.where(*_readable(reader), *older).order_by(_message.c.number.desc())
    found = rows(CircleMessageRow, query.limit(limit + 1))
    return found[:limit], str(found[limit - 1].number) if found[limit:] else None


def _readable(reader: Membership) -> tuple[ColumnElement[bool], ...]:
    """The conditions for the messages that this member reads."""
    here = _message.c.circle_key == reader.circle.key
    return here, ~blocks.blocked_clause(reader.player_id, _message.c.player_id)


def unread(reader: Membership) -> int:
    """The number of messages of others that are newer than the last one that this member has read."""
    new = (_message.c.number > reader.read) & _message.c.hidden_at.is_(None)
    others = _message.c.player_id.is_distinct_from(reader.player_id)
    some = select(_message.c.id).where(*_readable(reader), new, others).limit(MOST_COUNTED)
    return db.session.scalar(select(func.count()).select_from(some.subquery())) or 0


def get(member: Membership, message_id: str) -> CircleMessageRow:
    """A message of this member's circle, even if it is hidden, or by somebody whom the member has blocked.

    Either may be a reason to hide or report it. Raises NotFound if there is no such message.
    """
    this = (_message.c.id == message_id) & (_message.c.circle_key == member.circle.key)
    found = one_row(CircleMessageRow, _MESSAGES.where(this))
    if found is None:
        raise NotFound
    return found


def post(
    runtime: Runtime, circle_id: str, player_id: str, body: Json
) -> tuple[CircleMessageRow, bool]:
    """Say `body["text"]` in a circle; return the message, and whether it is new.

    If `body["once"]` was used before, the message of that time is returned. Raises OtherMessage if its text was another
    one, NotFound for strangers to the circle, and NotSignedIn if the player has just been erased.
    """
    with transaction():
        players.prevent_erasure(player_id)
        writer = circles.membership(circle_id, player_id, lock=True)
        repeated = _find_own(writer, body["once"]) if "once" in body else None
        if repeated:
            if repeated.text != body["text"]:
                raise OtherMessage
            return repeated, False
        row = _new_row(runtime, writer, players.get(player_id).name, body)
        db.session.execute(insert(CircleMessage).values(row))
        return get(writer, row["id"]), True


def _find_own(writer: Membership, once: str) -> CircleMessageRow | None:
    own = (_message.c.circle_key == writer.circle.key) & (_message.c.once == once)
    return one_row(CircleMessageRow, _MESSAGES.where(own, _message.c.player_id == writer.player_id))


def _new_row(runtime: Runtime, writer: Membership, name: str, body: Json) -> Json:
    here = _message.c.circle_key == writer.circle.key
    last = select(func.max(_message.c.number), func.max(_message.c.at)).where(here)
    number, at = db.session.execute(last).one()
    return {
        "id": runtime.new_id("m"),
        "circle_key": writer.circle.key,
        "number": (number or 0) + 1,
        "player_id": writer.player_id,
        "name": name,
        "text": body["text"],
        "once": body.get("once"),
        "at": max(runtime.now(), at or 0),
    }


def mark_read(circle_id: str, player_id: str, number: int) -> None:
    """Note that a member has read everything up to message `number`; the mark never goes back.

    Raises NotFound for strangers to the circle.
    """
    with transaction():
        reader = circles.membership(circle_id, player_id, lock=True)
        last = circles.last_number(reader.circle)
        further = update(CircleMember).where(_member.c.id == reader.id)
        db.session.execute(further.values(read=max(reader.read, min(number, last))))


def hide(runtime: Runtime, circle_id: str, player_id: str, message_id: str) -> None:
    """Hide a message from everybody, as the host of its circle; a placeholder stays.

    Raises NotFound if there is no such message, and NotHostOfCircle for members who are not the host.
    """
    with transaction():
        message = get(circles.membership(circle_id, player_id), message_id)
        circles.hosted(circle_id, player_id)
        mark_hidden(message.id, runtime.now())


def mark_hidden(message_id: str, now: int) -> None:
    """Hide a message, if its id is that of a message in a circle. The caller owns the commit."""
    visible = (_message.c.id == message_id) & _message.c.hidden_at.is_(None)
    db.session.execute(update(CircleMessage).where(visible).values(hidden_at=now))


def exported(player_id: str) -> list[Json]:
    """The player's messages in circles, for the export."""
    query = select(_circle.c.name.label("circle"), _message.c.at, _message.c.text)
    mine = query.join(_message, _message.c.circle_key == _circle.c.key)
    mine = mine.where(_message.c.player_id == player_id)
    return exported_rows(mine.order_by(_message.c.at, _message.c.id))


def erase(player_id: str, now: int) -> None:
    """Remove author and text from the player's messages; placeholders stay. The caller owns the commit."""
    mine = update(CircleMessage).where(_message.c.player_id == player_id)
    gone: Json = {"player_id": None, "name": None, "text": "", "once": None, "hidden_at": now}
    db.session.execute(mine.values(gone))
