"""The courier takes due deliveries and sends them: signed as Standard Webhooks specifies, or by Web Push.

It claims a row, words it, counts it against the budgets, sends it, and notes the attempt and its outcome. If a worker
is killed, its claim expires; the next attempt sends the delivery with the same `webhook-id`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime
from functools import partial

import structlog
from standardwebhooks import Webhook

from rules.kernel import text
from service.core.database.database import release_connection, transaction
from service.core.database.failures import cause_of
from service.core.models.receivers import PUSH, WEBHOOK, Delivery, Receiver
from service.core.runtime.backoff import Backoff
from service.core.runtime.log_files import failure
from service.core.runtime.units import DAY, SECOND
from service.core.settings.networks import network_of
from service.notifications import retries
from service.notifications.receivers import (
    addresses,
    browsers,
    contents,
    deliveries,
    delivery_budgets,
    next_deliveries,
    receivers,
    web_push,
)
from service.notifications.receivers.guarded_post import GuardedPost, Post, PostOutcome, Request
from service.notifications.receivers.next_deliveries import Ready
from service.notifications.under_way import UnderWay
from service.outbox import queue
from service.tables.services import Services

FAILING_FOR = 3 * DAY
"""The time (ms) for which a receiver may fail before it is switched off and its owner is mailed."""
GONE = 410
"""The status with which a receiver says that it wants nothing more."""
UNKNOWN = {404, GONE}
"""The statuses with which a push service says that it no longer knows a browser."""
BROWSER_FAILING_FOR = 14 * DAY
"""The time (ms) for which a browser may fail before it is forgotten."""
LONGEST_WISH = DAY // SECOND
"""The longest time (seconds) for which a receiver can ask to be left alone."""
MOST_DUE = 50
"""The largest number of deliveries to take in one look."""
AT_AN_ADDRESS = 2
"""The largest number of simultaneous deliveries to one address, whatever its names are."""
LEFT_ALONE = 5 * SECOND
"""The time (ms) that a receiver waits whose address is busy."""

_log = structlog.get_logger("tegami.webhooks")


class NotNow(Exception):
    """Raised if nothing is sent to an address before `until` (ms UTC)."""

    def __init__(self, until: int) -> None:
        super().__init__(until)
        self.until = until


class Courier:
    """A sender of due messages to each kind of receiver, through its entry of `posts`; `services` are the
    application's.
    """

    def __init__(self, services: Services, posts: Mapping[str, Post]) -> None:
        self._services, self._posts = services, posts
        self._under_way = UnderWay(AT_AN_ADDRESS)
        self._spreading = Backoff("webhook changes", services.now)

    def look(self) -> bool:
        """Make deliveries of new changes; return whether there were any.

        A receiver for which this fails does not delay the others.
        """
        if WEBHOOK not in self._posts:
            return False
        found = deliveries.behind(self._spreading.waiting())
        spread = [
            self._spreading.attempt(partial(deliveries.spread, self._services, each), False, each)
            for each in found
        ]
        return any(spread) or deliveries.note_spread() > 0

    def due(
        self, *, quick: bool, most: int = MOST_DUE, busy: Collection[Ready] = ()
    ) -> list[Ready]:
        """The deliveries that can be sent, apart from `busy` ones: to quick receivers, or to the others."""
        found = next_deliveries.due(
            self._services.now(), self._posts, quick=quick, most=most, busy=busy
        )
        release_connection()
        return found

    def claim_and_send(self, row: Delivery) -> bool:
        """Send this delivery, unless another worker was first; return whether it was sent or at least tried."""
        claimed = deliveries.claim(row, self._services.now())
        receiver = receivers.find(row.receiver_id)
        if claimed is None or receiver is None:
            return False
        try:
            self._send(receiver, claimed)
        except Exception as error:  # noqa: BLE001 - whatever it is, the other deliveries go on
            release_connection()
            about = {"receiver": receiver.id, "cause": cause_of(error)}
            _log.error(receiver.kind, **about, **failure(error, row.game))
            with transaction():  # a defect of ours, in which the receiver has no part
                _try_again(claimed, self._services.now())
        return True

    def _send(self, receiver: Receiver, row: Delivery) -> None:
        began = self._services.now()
        request = self._request(receiver, row, began)
        if request is None:
            with transaction():
                deliveries.finish(row, began, "dropped")
            return
        spent = delivery_budgets.spend(self._services, receiver)
        if spent.until is not None:
            self._wait(receiver, row, spent.until)
            return
        release_connection()  # no snapshot is held while somebody takes long to answer
        began, post = self._services.now(), self._posts[receiver.kind]
        try:
            with self._under_way.visit() as visit:
                begin = partial(self._begin, receiver, visit)
                outcome = post(request._replace(begin=begin))
        except NotNow as not_now:
            delivery_budgets.give_back(self._services, spent)
            self._wait(receiver, row, not_now.until)
            return
        self._note(receiver, row, began, outcome)

    def _begin(self, receiver: Receiver, visit: Callable[[str], bool], address: str) -> None:
        """Begin to send something to this address. Raises NotNow if the address is busy or a budget is used up."""
        if not visit(network_of(address)):
            raise NotNow(self._services.now() + LEFT_ALONE)
        until = delivery_budgets.spend_at(self._services, receiver, address)
        release_connection()
        if until is not None:
            raise NotNow(until)

    def _wait(self, receiver: Receiver, row: Delivery, until: int) -> None:
        """Send nothing to this receiver before `until`, unless its address has changed meanwhile; nothing was sent so
        far.
        """
        with transaction():
            deliveries.hold(receiver, until)
            deliveries.release(row)
        _log.info(receiver.kind, receiver=receiver.id, held=True)

    def _request(self, receiver: Receiver, row: Delivery, now: int) -> Request | None:
        """The request to send; None if a browser no longer needs to be told."""
        if receiver.kind == PUSH:
            return web_push.request(self._services, receiver, row)
        body = text(contents.payload(self._services, receiver, row))
        message, at = f"{receiver.id}.{row.sequence}", datetime.fromtimestamp(now // SECOND, UTC)
        secrets = receivers.signing(self._services.config, receiver, now)
        signatures = [Webhook(each).sign(message, at, body) for each in secrets]
        headers = {
            "Content-Type": "application/json",
            "webhook-id": message,
            "webhook-timestamp": str(now // SECOND),
            "webhook-signature": " ".join(signatures),
        }
        return Request(receiver.url, headers, body.encode())

    def _note(self, receiver: Receiver, row: Delivery, began: int, outcome: PostOutcome) -> None:
        now = self._services.now()
        took = max(0, now - began)
        with transaction():
            present = receivers.find(receiver.id, lock=True)
            if present is None:
                return  # its owner has deleted the receiver meanwhile
            deliveries.note_attempt(row, began, took, outcome)
            if outcome.arrived:
                deliveries.finish(row, now, "delivered")
                if present.url == receiver.url:  # otherwise it tells nothing about the new one
                    deliveries.note_success(present, now, took)
            elif present.url == receiver.url:
                self._put_off(present, row, outcome)
            else:
                _try_again(row, now)
        told = {"status": outcome.status, "error": outcome.error}
        _log.info(receiver.kind, receiver=receiver.id, arrived=outcome.arrived, **told)

    def _put_off(self, receiver: Receiver, row: Delivery, outcome: PostOutcome) -> None:
        """Handle a failure, in the caller's transaction: try again later, give up, or switch the receiver off."""
        now = self._services.now()
        wish = now + SECOND * min(outcome.retry_after, LONGEST_WISH) if outcome.retry_after else 0
        if outcome.status == GONE:
            deliveries.finish(row, now, "refused")
        else:
            _try_again(row, now, wish)
        deliveries.note_failure(receiver, row, outcome, now, wish)
        if receiver.kind == PUSH:
            # Its push service does not know the browser any more, or nothing has reached it for long.
            if outcome.status in UNKNOWN or _has_failed_for(BROWSER_FAILING_FOR, receiver, now):
                browsers.forget(receiver.id)
                _log.info(receiver.kind, receiver=receiver.id, forgotten=True)
        elif outcome.status == GONE:
            self._switch_off(receiver, now, "gone")
        elif _has_failed_for(FAILING_FOR, receiver, now):
            self._switch_off(receiver, now, "failing")

    def _switch_off(self, receiver: Receiver, now: int, why: str) -> None:
        """Switch the receiver off, and mail its owner."""
        if not receivers.switch_off(receiver.id, now, why):
            return
        queue.put(
            self._services,
            "webhook-off",
            f"webhook-off {receiver.id} {now}",
            player_id=receiver.player_id,
            data={
                "label": receiver.label,
                "host": addresses.host_of(receiver.url),
                "why": why,
                "webhook": receiver.id,
                "off_at": now,
            },
        )
        _log.warning("webhook", receiver=receiver.id, switched_off=why)


def _try_again(row: Delivery, now: int, wish: int = 0) -> None:
    """Try a failed delivery again later, not before `wish`, or give it up. The caller owns the transaction."""
    if retries.is_expired(row.since, now):
        deliveries.finish(row, now, "expired")
    else:
        deliveries.put_off(row, max(wish, retries.next_try(row.tries + 1, now)))


def _has_failed_for(ms: int, receiver: Receiver, now: int) -> bool:
    return receiver.failing_since is not None and now - receiver.failing_since >= ms


def courier_of(services: Services) -> Courier | None:
    """The courier of an application; None if webhooks and Web Push are switched off."""
    config, posts = services.config, dict[str, Post]()
    if config.webhooks != "off":
        posts[WEBHOOK] = GuardedPost(anywhere=config.webhooks == "anywhere")
    if config.pushes:
        posts[PUSH] = GuardedPost(anywhere=config.push == "anywhere")
    return Courier(services, posts) if posts else None
