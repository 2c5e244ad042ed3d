"""Deliveries: the changes of a player, numbered without gaps for each receiver, as rows that a worker sends.

The changes are the feed for which programs ask (service/log/changes.py). A worker makes deliveries of changes that a
receiver has not seen, and notes its progress in the same commit: if it is killed in between, neither is done. As in the
outbox, a row is claimed for a limited time by a guarded UPDATE. service/notifications/receivers/next_deliveries.py
decides which one is next.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import ColumnElement, Update, func, select, update

from rules.kernel import Json
from service.core.database.database import (
    changed_rows,
    db,
    delete_some,
    one_row,
    rows,
    transaction,
    write_rows,
)
from service.core.models.following import Listener
from service.core.models.receivers import (
    WEBHOOK,
    Delivery,
    DeliveryAttempt,
    DeliveryOutcome,
    Receiver,
)
from service.core.runtime.exports import exported_rows
from service.core.runtime.problems import NotFound
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY, MINUTE, SECOND
from service.log import changes
from service.notifications import retries
from service.notifications.receivers import receivers
from service.notifications.receivers.guarded_post import PostOutcome

LEASE = MINUTE
"""The length of a claim (ms): longer than an attempt can take."""
KEPT = 30 * DAY
"""The time (ms) for which deliveries and attempts are kept."""
MOST_EXPORTED = 1000
"""The largest number of deliveries to a webhook in its owner's export: the last ones."""
PING = "ping"
"""The kind of delivery that the owner of a webhook requested as a test."""
AT_ONCE = 50
"""The largest number of changes that are turned into deliveries in one commit."""
MOST_BEHIND = 100
"""The largest number of receivers that get deliveries before the due ones are looked at again."""
DOWN_AFTER = 3
"""The number of refused deliveries in a row after which a receiver is left alone for a while."""
QUICK = 2 * SECOND
"""The time (ms) that a quick receiver may take to respond."""

_receiver = Receiver.metadata.tables["receivers"]
_delivery = Delivery.metadata.tables["deliveries"]
_attempt = DeliveryAttempt.metadata.tables["delivery_attempts"]
_listener = Listener.metadata.tables["listeners"]
_ROW = select(_delivery)

_HAS_NEWS = _listener.c.last > _listener.c.spread
NEWS = select(_listener.c.player_id).where(_HAS_NEWS)
"""The query for players with changes that were not considered for their webhooks: few, and found by an index."""
_IS_HERS = _receiver.c.player_id == _listener.c.player_id
_IS_WEBHOOK = (_receiver.c.kind == WEBHOOK) & _receiver.c.off_at.is_(None)
_LAST = select(_listener.c.last).where(_IS_HERS).correlate(_receiver).scalar_subquery()
_BEHIND = select(_receiver.c.id).where(
    _receiver.c.player_id.in_(NEWS), _IS_WEBHOOK, _receiver.c.seen < _LAST
)
"""The query for webhooks whose players have news.

It uses the index of the few players with news, and then the index by player: a join may read all receivers.
"""
_ONE_BEHIND = (
    select(_receiver.c.id)
    .where(_IS_HERS, _IS_WEBHOOK, _listener.c.last > _receiver.c.seen)
    .limit(1)
    .correlate(_listener)
    .scalar_subquery()
)


def behind(failing: Collection[str]) -> Sequence[str]:
    """The ids of the receivers that have not seen all changes, without the `failing` ones; the fewest unseen changes
    first.
    """
    fewest = (_LAST - _receiver.c.seen, _receiver.c.id)
    others = _BEHIND.where(_receiver.c.id.not_in(failing)).order_by(*fewest)
    return db.session.scalars(others.limit(MOST_BEHIND)).all()


def note_spread() -> int:
    """Note which players have no more news, since all their webhooks have seen all changes; return their number.

    A player whose row is locked by a writer of changes has news.
    """
    done = NEWS.where(_ONE_BEHIND.is_(None))
    if db.session.scalar(done.limit(1)) is None:
        return 0
    some = done.order_by(_listener.c.player_id).limit(MOST_BEHIND)
    noted = update(_listener).where(
        _listener.c.player_id.in_(some.with_for_update(skip_locked=True))
    )
    with transaction():
        return changed_rows(noted.values(spread=_listener.c.last))


def spread(runtime: Runtime, receiver_id: str) -> bool:
    """Make deliveries of the changes that a receiver has not seen, or of the first of them; return True."""
    with transaction():
        _spread(runtime, receiver_id)
    return True


def _spread(runtime: Runtime, receiver_id: str) -> None:
    receiver = receivers.find(receiver_id, lock=True)
    if receiver is None or receiver.off_at is not None:
        return
    found = changes.page(receiver.player_id, receiver.seen, AT_ONCE)
    new = [
        {"change": number, "kind": kind, "at": at, "game": game, "revision": revision}
        for number, kind, at, game, revision in found
        if receiver.wanted is None or kind in receiver.wanted
    ]
    add(runtime, receiver, new)
    last = select(_listener.c.last).where(_listener.c.player_id == receiver.player_id)
    reached = found[-1].number if found else db.session.scalar(last)
    db.session.execute(receivers.of(receiver_id).values(seen=reached))


def add(runtime: Runtime, receiver: Receiver, new: Iterable[Json]) -> int:
    """Add deliveries with the next numbers, in a transaction that has locked the receiver; return the last number."""
    now, before = runtime.now(), receiver.sequence
    same = {"receiver_id": receiver.id, "since": now, "run_at": now}
    same |= {"lease_until": 0, "claims": 0, "tries": 0}
    written = [{**same, **each, "sequence": n} for n, each in enumerate(new, before + 1)]
    write_rows(_delivery, written)
    last = before + len(written)
    db.session.execute(receivers.of(receiver.id).values(sequence=last))
    return last


def ping(runtime: Runtime, player_id: str, receiver_id: str) -> Delivery:
    """Send a test message to a receiver; return its delivery. Raises NotFound if the player has no such receiver."""
    with transaction():
        receiver = receivers.get(player_id, receiver_id, lock=True)
        number = add(runtime, receiver, [{"kind": PING, "at": runtime.now()}])
        hold(receiver, 0)
        return get(receiver_id, number)


def redeliver(runtime: Runtime, player_id: str, receiver_id: str, number: int) -> Delivery:
    """Send a delivery again, or at once if it waits for its next try; return it. One that is being sent is left alone.

    Raises NotFound if there is no such delivery to a receiver of the player.
    """
    now = runtime.now()
    with transaction():
        receiver = receivers.get(player_id, receiver_id, lock=True)
        again = update(_delivery).where(_is(receiver_id, number), _delivery.c.lease_until <= now)
        db.session.execute(again.values(since=now, run_at=now, tries=0, done_at=None, outcome=None))
        hold(receiver, 0)
        return get(receiver_id, number)


def get(receiver_id: str, number: int) -> Delivery:
    """The delivery with this number. Raises NotFound if there is none."""
    found = one_row(Delivery.of, _ROW.where(_is(receiver_id, number)))
    if found is None:
        raise NotFound
    return found


def page(receiver_id: str, before: int | None, limit: int) -> list[Delivery]:
    """The last deliveries before number `before`, the newest first."""
    query = _ROW.where(_delivery.c.receiver_id == receiver_id)
    if before is not None:
        query = query.where(_delivery.c.sequence < before)
    return rows(Delivery.of, query.order_by(_delivery.c.sequence.desc()).limit(limit))


def attempts(receiver_id: str, numbers: Iterable[int]) -> list[DeliveryAttempt]:
    """The attempts at these deliveries, in order."""
    query = select(_attempt).where(
        _attempt.c.receiver_id == receiver_id, _attempt.c.sequence.in_(list(numbers))
    )
    return rows(DeliveryAttempt.of, query.order_by(_attempt.c.claim))


def claim(row: Delivery, now: int) -> Delivery | None:
    """The row, which this call claims; None if another worker was first, or it is gone.

    Everything that writes to a receiver and its deliveries locks them in this order.
    """
    free = _of_claim(row).where(_delivery.c.done_at.is_(None), _delivery.c.lease_until <= now)
    claimed = free.values(claims=row.claims + 1, lease_until=now + LEASE)
    with transaction():
        db.session.execute(receivers.of(row.receiver_id).values(tried_at=now))
        return one_row(Delivery.of, claimed.returning(*_delivery.c))


def note_attempt(row: Delivery, at: int, took: int, outcome: PostOutcome) -> None:
    """Note an attempt in the caller's transaction, unless the delivery is gone."""
    there = select(_delivery.c.sequence).where(_is(row.receiver_id, row.sequence))
    if db.session.scalar(there.with_for_update()) is None:
        return
    key = {"receiver_id": row.receiver_id, "sequence": row.sequence, "claim": row.claims}
    told = {"at": at, "took": took, "status": outcome.status, "error": outcome.error}
    write_rows(_attempt, [{**key, **told}])


def finish(row: Delivery, now: int, outcome: DeliveryOutcome) -> None:
    """Note the outcome of a claimed row in the caller's transaction, if the claim still holds."""
    db.session.execute(_of_claim(row).values(done_at=now, outcome=outcome, lease_until=0))


def put_off(row: Delivery, until: int) -> None:
    """Let a claimed row wait until then (ms UTC) for its next try after a failure, in the caller's transaction."""
    again = {"run_at": until, "lease_until": 0, "tries": row.tries + 1}
    db.session.execute(_of_claim(row).values(again))


def note_success(receiver: Receiver, now: int, took: int) -> None:
    """Note, in the caller's transaction, that something has arrived at a receiver.

    `took` is the time in ms, by which the receiver counts as quick or not.
    """
    values: Json = {"delivered_at": now, "quick": took <= QUICK}
    if receiver.failures or receiver.failing_since is not None:
        values |= {"failing_since": None, "failures": 0, "held_until": 0}
    db.session.execute(receivers.of(receiver.id).values(values))


def note_failure(
    receiver: Receiver, row: Delivery, outcome: PostOutcome, now: int, wish: int
) -> None:
    """Note, in the caller's transaction, that a delivery has failed; the receiver may `wish` to be left alone until
    then.

    If the receiver is out of reach, or has refused several deliveries in a row, nothing is sent to it for a while,
    longer each time. A delivery that fails again does not count against a receiver that accepts others.
    """
    is_down = receiver.failures >= DOWN_AFTER
    is_news = row.tries == 0 or is_down or outcome.is_out_of_reach
    failures = receiver.failures + is_news
    times = failures if outcome.is_out_of_reach else failures - DOWN_AFTER + 1
    until = max(wish, retries.next_try(times, now) if times > 0 else 0)
    since = func.coalesce(_receiver.c.failing_since, now)
    failing = {"failing_since": since, "failures": failures, "held_until": until, "quick": False}
    db.session.execute(receivers.of(receiver.id).values(failing))


def hold(receiver: Receiver, until: int) -> None:
    """Leave a receiver alone until then (ms UTC), if its address is unchanged, in the caller's transaction."""
    same = receivers.of(receiver.id).where(_receiver.c.url == receiver.url)
    db.session.execute(same.values(held_until=until))


def release(row: Delivery) -> None:
    """Give up a claim in the caller's transaction, since nothing was sent."""
    db.session.execute(_of_claim(row).values(lease_until=0))


def purge(now: int, most: int) -> int:
    """Delete at most `most` deliveries that are no longer kept; return the number."""
    return delete_some(_delivery, most, _delivery.c.at < now - KEPT, _delivery.c.since < now - KEPT)


def _is(receiver_id: str, number: int) -> ColumnElement[bool]:
    return (_delivery.c.receiver_id == receiver_id) & (_delivery.c.sequence == number)


def _of_claim(row: Delivery) -> Update:
    mine = _is(row.receiver_id, row.sequence)
    return update(_delivery).where(mine, _delivery.c.claims == row.claims)


def exported_webhooks(player_id: str) -> list[Json]:
    """The player's webhooks, with the deliveries to each in the last weeks, for the export."""
    of, sent = _receiver.c, _delivery.c
    times = (of.made_at.label("created_at"), of.off_at)
    query = select(of.id, of.url, of.label, of.wanted.label("kinds"), *times)
    mine = query.where(of.player_id == player_id, of.kind == WEBHOOK)
    told = select(sent.sequence, sent.kind.label("type"), sent.at, sent.game)
    last = told.order_by(sent.sequence.desc()).limit(MOST_EXPORTED)
    return [
        {**each, "deliveries": exported_rows(last.where(sent.receiver_id == each["id"]))}
        for each in exported_rows(mine.order_by(of.made_at, of.id))
    ]
