"""Members of circles: they join by the link of a circle, leave, or are removed by its host.

A removed person is kept out, whatever link they bring, until the host revokes the removal. To removed people, to people
whom the host has blocked, and to everybody with a wrong link, the circle does not exist.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import delete, func, select, update

from service.core.counts import attempt_counts
from service.core.counts.attempt_counts import Attempt, Limit
from service.core.database.database import changed_rows, db, rows, transaction
from service.core.models.circles import CircleMember
from service.core.models.people import Player
from service.core.runtime.problems import NotFound, NotPossible
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY
from service.people.circles import blocks, circles
from service.people.circles.circles import MOST_MEMBERS, CircleRow, Membership

JOINED_BY = Limit("joining circles", 30, DAY)


class MemberRow(NamedTuple):
    """A member of a circle, or a person whom its host has removed."""

    id: str
    player_id: str
    joined_at: int
    removed_at: int | None
    name: str
    program: bool


class Shown(NamedTuple):
    """The parts of a circle that the bearer of a link is shown before they join."""

    circle: CircleRow
    host: str
    """The name of the circle's host."""
    program: bool
    members: int
    is_member: bool


_member, _player = CircleMember.__table__, Player.__table__
_PRESENT = _member.c.removed_at.is_(None)
_ROWS = select(
    *(_member.c[name] for name in ("id", "player_id", "joined_at", "removed_at")),
    *(_player.c[name] for name in ("name", "program")),
).join(_player, _player.c.id == _member.c.player_id)


def members(circle: CircleRow) -> list[MemberRow]:
    """The members of a circle, beginning with the one who has belonged to it longest."""
    here = (_member.c.circle_key == circle.key) & _PRESENT
    return rows(MemberRow, _ROWS.where(here).order_by(_member.c.key))


def removed(circle: CircleRow) -> list[MemberRow]:
    """The people whom hosts have removed from a circle, the latest first."""
    here = (_member.c.circle_key == circle.key) & ~_PRESENT
    return rows(MemberRow, _ROWS.where(here).order_by(_member.c.removed_at.desc(), _member.c.key))


def number_of(circle: CircleRow) -> int:
    """The number of a circle's members."""
    counted = select(func.count()).where(_member.c.circle_key == circle.key, _PRESENT)
    return db.session.scalar(counted) or 0


def look(circle_id: str, player_id: str | None, key: str | None, secret: bytes) -> Shown:
    """The parts of a circle that the bearer of the key of its link is shown.

    Raises NotFound if the key is wrong, or the bearer was removed or blocked.
    """
    circle = circles.find(circle_id)
    _refuse_strangers(circle, player_id, key, secret)
    host = db.session.execute(
        select(_player.c.name, _player.c.program).where(_player.c.id == circle.host_id)
    ).one()
    is_member = player_id is not None and _is_there(circle, player_id)
    return Shown(circle, host.name, host.program, number_of(circle), is_member)


def _refuse_strangers(
    circle: CircleRow, player_id: str | None, key: str | None, secret: bytes
) -> None:
    """Raise NotFound without the right key, and for people who were removed or whom the host has blocked."""
    if key is None or not circles.is_key(circle, key, secret):
        raise NotFound
    if player_id is not None:
        was_removed = _is_there(circle, player_id, present=False)
        if was_removed or blocks.has_blocked(circle.host_id, player_id):
            raise NotFound


def _is_there(circle: CircleRow, player_id: str, *, present: bool = True) -> bool:
    this = (_member.c.circle_key == circle.key) & (_member.c.player_id == player_id)
    which = _PRESENT if present else ~_PRESENT
    return db.session.scalar(select(_member.c.key).where(this, which)) is not None


def join(
    runtime: Runtime, secret: bytes, circle_id: str, player_id: str, key: str | None
) -> tuple[Membership, bool]:
    """Join a circle with the key of its link; return the membership, and whether it is new.

    Raises NotFound if the key is wrong or the player was removed or blocked, NotForGuests for a guest, NotPossible if
    the circle or the player has too many members or circles, and TooManyRequests if the player joins too many in a day.
    """
    with transaction():
        circle = circles.find(circle_id)
        _refuse_strangers(circle, player_id, key, secret)
        if _is_there(circle, player_id):
            return circles.membership(circle_id, player_id), False
        circles.admit(player_id)
        attempt_counts.count_within(runtime, secret, [Attempt(JOINED_BY, player_id)])
        circle = circles.find(circle_id, lock=True)  # the link may have been changed meanwhile
        _refuse_strangers(circle, player_id, key, secret)
        if number_of(circle) >= MOST_MEMBERS:
            raise NotPossible("members")
        circles.insert_member(runtime, circle, player_id)
        return circles.membership(circle_id, player_id), True


def leave(runtime: Runtime, circle_id: str, player_id: str, member_id: str) -> None:
    """Leave a circle or, as its host, remove a member.

    A host who leaves hands the circle over to the member who has belonged to it longest; a circle without members ends.
    Raises NotFound if there is no such member, and NotHostOfCircle if the player is neither the member nor the host.
    """
    with transaction():
        circles.lock_tables(circle_id)
        own = circles.membership(circle_id, player_id, lock=True)
        if member_id == own.id:
            db.session.execute(delete(CircleMember).where(_member.c.id == member_id))
            if own.is_host:
                circles.give_up(runtime, own.circle)
            return
        circles.hosted(circle_id, player_id)
        this = (_member.c.circle_key == own.circle.key) & (_member.c.id == member_id) & _PRESENT
        gone = update(CircleMember).where(this).values(removed_at=runtime.now())
        if changed_rows(gone) != 1:
            raise NotFound
        circles.end_link(own.circle)
        circles.end_table_keys(runtime, own.circle)


def let_return(circle_id: str, player_id: str, member_id: str) -> None:
    """Let a removed person join again, as the host of the circle.

    Raises NotFound if there is no such person, and NotHostOfCircle for members who are not the host.
    """
    with transaction():
        circle = circles.hosted(circle_id, player_id).circle
        this = (_member.c.circle_key == circle.key) & (_member.c.id == member_id) & ~_PRESENT
        if changed_rows(delete(CircleMember).where(this)) != 1:
            raise NotFound
