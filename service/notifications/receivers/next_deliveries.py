"""The next deliveries, chosen fairly by host and by player in the query itself.

For each host, and for each player, one delivery is under way at a time, across all workers; among possible deliveries,
the one for the player who has waited longest is next. Busy hosts and players are left out before rows are limited, so
that deliveries to a silent host, however many, never hide deliveries to others. Receivers that responded quickly the
last time, and receivers that did not, are two queues, which do not wait for each other.

Order is kept for each subject, a game: a failed delivery holds back only later deliveries of the same game, and not for
long. Nothing else waits for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from sqlalchemy import BigInteger, Select, and_, bindparam, case, func, select

from service.core.database.database import db, rows
from service.core.models.receivers import Delivery, Receiver

PATIENT = 2
"""The number of tries of a delivery after which later ones of the same game go first."""

_receiver = Receiver.metadata.tables["receivers"]
_delivery = Delivery.metadata.tables["deliveries"]
_HOST = func.coalesce(_receiver.c.host, _receiver.c.url)
_IS_ON = _receiver.c.off_at.is_(None)
_NOW = bindparam("now", type_=BigInteger)

_under_way = _delivery.alias("under_way")
_IS_BUSY = (
    select(_under_way.c.sequence)
    .where(_under_way.c.receiver_id == _receiver.c.id, _under_way.c.done_at.is_(None))
    .where(_under_way.c.lease_until > _NOW)
    .exists()
)
_CAN_GO = _IS_ON & (_receiver.c.held_until <= _NOW) & ~_IS_BUSY
_PENDING = and_(_delivery.c.done_at.is_(None), _delivery.c.run_at <= _NOW)
_TAKES_IT = _receiver.c.id == _delivery.c.receiver_id
DUE = select(_delivery.c.receiver_id).where(
    _PENDING, select(_receiver.c.id).where(_TAKES_IT, _CAN_GO).exists()
)
"""The query for deliveries that can be claimed at the time `now`: due deliveries first, then their receivers.

With a join, SQLite would begin with the receivers, most of which have nothing due.
"""

_pending, _before = _delivery.alias("pending"), _delivery.alias("before")
_WAITS_FOR_ITS_GAME = (
    select(_before.c.sequence)
    .where(_before.c.receiver_id == _pending.c.receiver_id, _before.c.game == _pending.c.game)
    .where(_before.c.done_at.is_(None), _before.c.sequence < _pending.c.sequence)
    .where(_before.c.tries < PATIENT)
    .exists()
)
_FIRST = (
    select(_pending.c.sequence)
    .where(_pending.c.receiver_id == _receiver.c.id, _pending.c.done_at.is_(None))
    .where(_pending.c.run_at <= _NOW, ~_WAITS_FOR_ITS_GAME)
    .order_by(case((_pending.c.tries >= PATIENT, _pending.c.tries), else_=1), _pending.c.sequence)
    .limit(1)
    .correlate(_receiver)
    .scalar_subquery()
)
"""The query for a receiver's first due delivery; one that has failed often lets others go before it."""


class Ready(NamedTuple):
    """A delivery that can be sent, with the host and the player that it makes busy."""

    delivery: Delivery
    host: str
    player_id: str


def due(
    now: int, kinds: Iterable[str], *, quick: bool, most: int, busy: Collection[Ready] = ()
) -> list[Ready]:
    """At most `most` deliveries that can be sent now to receivers of these kinds, each to another host and for another
    player.

    `quick` selects receivers that responded quickly the last time, or the others. `busy` are the deliveries that this
    worker has under way, claimed or not.
    """
    values: dict[str, object] = {"now": now, "kinds": list(kinds), "quick": quick, "most": most}
    values |= {"hosts": [each.host for each in busy], "players": [each.player_id for each in busy]}
    return rows(lambda *found: Ready(Delivery.of(*found[:-2]), found[-2], found[-1]), _NEXT, values)


def number_due(kind: str, now: int, before: int) -> int:
    """The number of receivers of a kind with a delivery that could be sent now and was due before that time."""
    number = select(func.count(func.distinct(_delivery.c.receiver_id)))
    number = number.join(_receiver, _TAKES_IT).where(_CAN_GO, _PENDING)
    late = number.where(_delivery.c.run_at <= before, _receiver.c.held_until <= before)
    return db.session.scalar(late.where(_receiver.c.kind == kind), {"now": now}) or 0


def _next() -> Select[*tuple[object, ...]]:
    other, claimed = _receiver.alias("other"), _delivery.alias("claimed")
    sibling = _receiver.alias("sibling")
    kept_busy = (
        select(func.coalesce(other.c.host, other.c.url).label("host"), other.c.player_id)
        .join(claimed, claimed.c.receiver_id == other.c.id)
        .where(claimed.c.done_at.is_(None), claimed.c.lease_until > _NOW)
        .cte("kept_busy")
    )
    last = func.coalesce(_receiver.c.tried_at, 0)
    served_at = (
        select(func.max(func.coalesce(sibling.c.tried_at, 0)))
        .where(sibling.c.player_id == _receiver.c.player_id)
        .correlate(_receiver)
        .scalar_subquery()
    )
    can_go = (
        select(
            _receiver.c.id,
            _receiver.c.player_id,
            _HOST.label("host"),
            last.label("tried_at"),
            served_at.label("served_at"),
            _FIRST.label("first"),
        )
        .where(_CAN_GO, _receiver.c.quick == bindparam("quick"))
        .where(_receiver.c.kind.in_(bindparam("kinds", expanding=True)))
        .where(_receiver.c.id.in_(select(_delivery.c.receiver_id).where(_PENDING)))
        .where(_HOST.not_in(select(kept_busy.c.host)))
        .where(_receiver.c.player_id.not_in(select(kept_busy.c.player_id)))
        .where(_HOST.not_in(bindparam("hosts", expanding=True)))
        .where(_receiver.c.player_id.not_in(bindparam("players", expanding=True)))
        .subquery("can_go")
    )
    of = can_go.c
    nth = func.row_number().over(partition_by=of.player_id, order_by=(of.tried_at, of.id))
    of_player = select(can_go, nth.label("nth")).where(of.first.is_not(None)).subquery("of_player")
    of = of_player.c
    order = (of.served_at, of.tried_at, of.id)
    nth = func.row_number().over(partition_by=of.host, order_by=order)
    of_host = select(of_player, nth.label("nth_of_host")).where(of.nth == 1).subquery("of_host")
    of = of_host.c
    is_it = (_delivery.c.receiver_id == of.id) & (_delivery.c.sequence == of.first)
    return (
        select(*_delivery.c, of.host, of.player_id)
        .join(of_host, is_it)
        .where(of.nth_of_host == 1)
        .order_by(of.served_at, _delivery.c.run_at, of.id)
        .limit(bindparam("most"))
    )


_NEXT = _next()
