"""Circles: how they are founded, changed, handed over and ended. Their members are in circle_members.py.

Nobody outside is told anything about a circle, not even that it exists, except a person who brings the key of its
present link. Locks are taken in one order: tables, players, circles.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Select, delete, exists, func, insert, select, update

from rules.kernel import Json
from service.core.counts import attempt_counts
from service.core.counts.attempt_counts import Attempt, Limit
from service.core.database.database import columns, db, one_row, rows, transaction
from service.core.models.circles import Circle, CircleMember, CircleMessage
from service.core.models.games import Game, Tenure
from service.core.models.people import Player
from service.core.runtime.exports import exported_rows
from service.core.runtime.problems import NotFound, NotHostOfCircle, NotPossible
from service.core.runtime.time_and_random import Runtime, base62
from service.core.runtime.units import DAY
from service.core.settings.config import Config
from service.log.table_rows import deleted_games, private_tables
from service.people import names, players
from service.people.circles.follows import refuse_guests

LONGEST_NAME, LONGEST_ABOUT = 40, 500
"""The greatest lengths of a circle's name and of its host's description of it, in characters."""
MOST_CIRCLES = 20
"""The largest number of circles to which a person can belong."""
MOST_MEMBERS = 100
"""The largest number of members of a circle."""
FOUNDED_BY = Limit("circles by", 10, DAY)


class CircleRow(NamedTuple):
    """A circle (see core/models/circles.py)."""

    key: int
    id: str
    name: str
    about: str | None
    host_id: str
    link_number: int
    created_at: int


class Membership(NamedTuple):
    """A member of a circle, with the columns of the circle."""

    key: int
    circle_id: str
    name: str
    about: str | None
    host_id: str
    link_number: int
    created_at: int
    id: str
    """The id of the member."""
    player_id: str
    read: int

    @property
    def circle(self) -> CircleRow:
        """The circle of this member."""
        return CircleRow(
            *(self.key, self.circle_id, self.name, self.about),
            *(self.host_id, self.link_number, self.created_at),
        )

    @property
    def is_host(self) -> bool:
        """Whether this member is the host."""
        return self.host_id == self.player_id


_circle, _member, _player = Circle.__table__, CircleMember.__table__, Player.__table__
_CIRCLES = select(*columns(CircleRow, _circle))
_PRESENT = _member.c.removed_at.is_(None)
_MEMBERSHIPS = select(
    *columns(CircleRow, _circle), *(_member.c[name] for name in ("id", "player_id", "read"))
).join(_member, _member.c.circle_key == _circle.c.key)


def membership(circle_id: str, player_id: str, *, lock: bool = False) -> Membership:
    """The membership of this player; `lock` locks the circle until the commit.

    Raises NotFound for everybody else, whether or not there is such a circle.
    """
    if lock:
        db.session.execute(select(_circle.c.key).where(_circle.c.id == circle_id).with_for_update())
    mine = (_member.c.player_id == player_id) & _PRESENT
    query = _MEMBERSHIPS.where(_circle.c.id == circle_id, mine)
    found = one_row(Membership, query)
    if found is None:
        raise NotFound
    return found


def is_member(circle_key: int | None, player_id: str, *, lock: bool = True) -> bool:
    """Whether a player belongs to the circle with this key, if there is one.

    With `lock`, the player is locked, and then their membership for reading; that raises NotSignedIn if the player has
    just been erased. Without it, as for whoever only looks, nothing is locked.
    """
    if circle_key is None:
        return False
    mine = (_member.c.circle_key == circle_key) & (_member.c.player_id == player_id) & _PRESENT
    this = select(_member.c.key).where(mine)
    if lock:
        players.lock(player_id)
        this = this.with_for_update(read=True)
    return db.session.scalar(this) is not None


def hosted(circle_id: str, player_id: str) -> Membership:
    """The host's membership in a circle, which is locked.

    Raises NotFound for strangers to the circle, and NotHostOfCircle for other members.
    """
    found = membership(circle_id, player_id, lock=True)
    if not found.is_host:
        raise NotHostOfCircle
    return found


def find(circle_id: str, *, lock: bool = False) -> CircleRow:
    """The circle with this id, for code that has checked who may know of it. Raises NotFound if there is none."""
    query = _CIRCLES.where(_circle.c.id == circle_id)
    found = one_row(CircleRow, query.with_for_update() if lock else query)
    if found is None:
        raise NotFound
    return found


def found(runtime: Runtime, secret: bytes, player_id: str, wish: Json) -> Membership:
    """Found a circle with this name; return the membership of its host.

    Raises NotForGuests for a guest, UnusableName if no circle may have the name, NotPossible if the player belongs to
    too many circles, and TooManyRequests if the player has founded too many in a day.
    """
    made = runtime.new_id("c")
    row = {
        "id": made,
        "name": names.usable(wish["name"]),
        "about": wish.get("about"),
        "host_id": player_id,
        "created_at": runtime.now(),
    }
    with transaction():
        admit(player_id)
        attempt_counts.count_within(runtime, secret, [Attempt(FOUNDED_BY, player_id)])
        db.session.execute(insert(Circle).values(row))
        insert_member(runtime, find(made), player_id)
        return membership(made, player_id)


def admit(player_id: str) -> None:
    """Lock a player who is to belong to one more circle.

    Raises NotForGuests for a guest, NotPossible if the player belongs to too many circles, and NotSignedIn if the
    player has just been erased.
    """
    refuse_guests(player_id)
    players.lock(player_id)
    mine = select(func.count()).where(_member.c.player_id == player_id, _PRESENT)
    if (db.session.scalar(mine) or 0) >= MOST_CIRCLES:
        raise NotPossible("circles")


def insert_member(runtime: Runtime, circle: CircleRow, player_id: str) -> None:
    """Make a player a member, who counts as having read everything so far. The caller owns the lock and the commit."""
    row = {"id": runtime.new_id("u"), "circle_key": circle.key, "player_id": player_id}
    row |= {"joined_at": runtime.now(), "read": last_number(circle)}
    db.session.execute(insert(CircleMember).values(row))


def last_number(circle: CircleRow) -> int:
    """The number of the last message of a circle; 0 if there is none."""
    here = CircleMessage.circle_key == circle.key
    return db.session.scalar(select(func.max(CircleMessage.number)).where(here)) or 0


def change(circle_id: str, player_id: str, wish: Json) -> Membership:
    """Change the name of a circle, or its description, as its host; return the host's membership.

    Raises NotFound for strangers to the circle, NotHostOfCircle for other members, and UnusableName if no circle may
    have the name.
    """
    with transaction():
        circle = hosted(circle_id, player_id).circle
        if "name" in wish and wish["name"] != circle.name:
            wish = {**wish, "name": names.usable(wish["name"])}
        if wish:
            db.session.execute(update(Circle).where(_circle.c.key == circle.key).values(wish))
        return membership(circle_id, player_id)


def change_link(circle_id: str, player_id: str) -> Membership:
    """Change the link with which people join, as the host; the earlier one stops working.

    Returns the host's membership. Raises NotFound for strangers to the circle, and NotHostOfCircle for other members.
    """
    with transaction():
        end_link(hosted(circle_id, player_id).circle)
        return membership(circle_id, player_id)


def end_link(circle: CircleRow) -> None:
    """Make the present link of a circle stop working. The caller owns the commit."""
    changed = update(Circle).where(_circle.c.key == circle.key)
    db.session.execute(changed.values(link_number=Circle.link_number + 1))


def key_of(circle: CircleRow, secret: bytes) -> str:
    """The key in the link with which people join."""
    about = f"circle {circle.id} {circle.link_number}"
    return base62(hmac.digest(secret, about.encode(), "sha256"))


def link_of(circle: CircleRow, config: Config) -> Json:
    """The link with which people join; its key is in a part that browsers do not send."""
    key = key_of(circle, config.secret_key)
    return {"url": f"{config.public_url}/circles/{circle.id}#join={key}", "key": key}


def is_key(circle: CircleRow, key: str, secret: bytes) -> bool:
    """Whether this is the key of the present link."""
    return hmac.compare_digest(key.encode(), key_of(circle, secret).encode())


def hand_over(circle_id: str, player_id: str, member_id: str) -> Membership:
    """Make another member the host; return the membership of the former host.

    Raises NotFound if there is no such member, and NotHostOfCircle if the player is not the host.
    """
    with transaction():
        circle = hosted(circle_id, player_id).circle
        to = db.session.scalar(
            select(_member.c.player_id).where(
                _member.c.circle_key == circle.key, _member.c.id == member_id, _PRESENT
            )
        )
        if to is None:
            raise NotFound
        _set_host(circle, to)
        return membership(circle_id, player_id)


def _set_host(circle: CircleRow, player_id: str) -> None:
    changed = update(Circle).where(_circle.c.key == circle.key)
    db.session.execute(changed.values(host_id=player_id))


def end(runtime: Runtime, circle_id: str, player_id: str) -> None:
    """End a circle with its talk, as its host.

    Its tables stay with the people who sit there, and end where nobody does. Raises NotFound for strangers to the
    circle, and NotHostOfCircle for other members.
    """
    with transaction():
        lock_tables(circle_id)
        delete_circle(runtime, hosted(circle_id, player_id).circle)


def lock_tables(circle_id: str) -> None:
    """Lock the tables of a circle that are not over: tables are locked before players and circles."""
    circle = select(_circle.c.key).where(_circle.c.id == circle_id).scalar_subquery()
    theirs = select(Game.key).where(Game.circle_key == circle, Game.status != "over")
    db.session.execute(theirs.order_by(Game.key).with_for_update())


def delete_circle(runtime: Runtime, circle: CircleRow) -> None:
    """Delete a circle. The caller owns the locks and the commit."""
    end_table_keys(runtime, circle)
    _delete_empty_tables(runtime.now(), circle)
    its = update(Game).where(Game.circle_key == circle.key)
    db.session.execute(its.values(circle_key=None))
    db.session.execute(delete(Circle).where(_circle.c.key == circle.key))


def _delete_empty_tables(now: int, circle: CircleRow) -> None:
    """Delete the circle's tables at which nobody sits: weekly tables, which nobody could find any more."""
    sits = exists().where(Tenure.game_key == Game.key, Tenure.ended_at.is_(None))
    its = (Game.circle_key == circle.key) & (Game.status == "open")
    for game_key in db.session.scalars(select(Game.key).where(its, ~sits)).all():
        deleted_games.delete_unstarted(now, game_key)


def end_table_keys(runtime: Runtime, circle: CircleRow) -> None:
    """Make the present keys of the circle's tables stop working. The caller owns the locks and the commit."""
    its = select(Game.key).where(Game.circle_key == circle.key, Game.status != "over")
    private_tables.end_keys(runtime.now(), db.session.scalars(its).all())


def of_player(player_id: str) -> list[Membership]:
    """The circles of a player, by name."""
    query = _MEMBERSHIPS.where(_member.c.player_id == player_id, _PRESENT)
    return rows(Membership, query.order_by(_circle.c.name, _circle.c.key))


def give_up(runtime: Runtime, circle: CircleRow) -> None:
    """Hand a circle over to the member who has belonged to it longest, or end it if nobody is left.

    The caller has removed its host, and owns the commit.
    """
    others = select(_member.c.player_id).where(_member.c.circle_key == circle.key, _PRESENT)
    others = others.where(_member.c.player_id != circle.host_id).order_by(_member.c.key)
    heir = db.session.scalar(others.limit(1))
    if heir is None:
        delete_circle(runtime, circle)
    else:
        _set_host(circle, heir)


def exported(player_id: str) -> list[Json]:
    """The circles of the player, for the export, including those from which the host has removed them."""
    query = select(
        _circle.c.name,
        (_circle.c.host_id == player_id).label("host"),
        _member.c.joined_at,
        _member.c.removed_at,
    )
    mine = query.join(_member, _member.c.circle_key == _circle.c.key)
    mine = mine.where(_member.c.player_id == player_id)
    found = exported_rows(mine.order_by(_member.c.key))
    return [{**row, "host": bool(row["host"])} for row in found]


def tables_hosted_by(player_id: str) -> Select[int]:
    """The query for the keys of the tables of the circles that a player hosts, without finished games."""
    hosted = select(_circle.c.key).where(_circle.c.host_id == player_id)
    return select(Game.key).where(Game.circle_key.in_(hosted), Game.status != "over")


def erase(runtime: Runtime, player_id: str) -> None:
    """Take the player out of all circles; the ones that they host are handed over, or end.

    The caller owns the commit.
    """
    mine = select(_member.c.circle_key).where(_member.c.player_id == player_id)
    hosts = (_circle.c.host_id == player_id) | _circle.c.key.in_(mine)
    found = rows(CircleRow, _CIRCLES.where(hosts).order_by(_circle.c.key).with_for_update())
    db.session.execute(delete(CircleMember).where(_member.c.player_id == player_id))
    _give_up_all(runtime, (each for each in found if each.host_id == player_id))


def _give_up_all(runtime: Runtime, circles: Iterable[CircleRow]) -> None:
    for each in circles:
        give_up(runtime, each)
