"""The courier: takes what is due out of the deliveries and sends it: signed by Standard Webhooks, or by Web Push.

Claim the row, word it, count it against the budgets, send it, note the attempt and its outcome. A worker that is
killed on the way leaves a claim that runs out; whoever repeats the delivery sends it with the same `webhook-id`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from urllib.parse import urlsplit

import structlog
from standardwebhooks import Webhook

from rules.kernel import text
from service.core.counts import attempt_counts
from service.core.counts.attempt_counts import Attempt, Limit
from service.core.database.database import release_connection, transaction
from service.core.database.failures import cause_of
from service.core.models.receivers import PUSH, WEBHOOK, Delivery, Receiver
from service.core.runtime.log_files import places
from service.core.runtime.units import DAY, HOUR, SECOND
from service.notifications import retries
from service.notifications.receivers import browsers, contents, deliveries, receivers, web_push
from service.notifications.receivers.guarded_post import GuardedPost, Post, PostOutcome, Request
from service.outbox import queue
from service.tables.services import Services

FAILING_FOR = 3 * DAY
"""Ms without an answer of success after which a receiver is switched off, and its owner is mailed."""
GONE = 410
"""The status by which a receiver says that it wants nothing any more."""
UNKNOWN = {404, GONE}
"""Those by which a push service says that it does not know a browser any more."""
BROWSER_FAILING_FOR = 14 * DAY
"""Ms after which a browser that nothing reaches is forgotten."""
LONGEST_WISH = DAY // SECOND
"""Seconds for which a receiver can ask to be left alone."""
HOST = Limit("deliveries to a host an hour", 600, HOUR)
"""However many players have entered it. Budgets hold across processes and restarts; `docs/security.md` names them."""
PLAYER = Limit("deliveries of a player an hour", 1200, HOUR)
BROWSER_HOUR = Limit("messages to a browser an hour", 60, HOUR)
BROWSER_DAY = Limit("messages to a browser a day", 300, DAY)
PUSHED = Limit("messages to the browsers of a player a day", 1000, DAY)
"""Everybody's browsers have a few push services: these have no budget of their own."""

_log = structlog.get_logger("tegami.webhooks")


class Courier:
    """Sends what is due to each kind of receiver by its own of `posts`; `services` is the application's."""

    def __init__(self, services: Services, posts: Mapping[str, Post]) -> None:
        self._services, self._posts = services, posts

    def look(self) -> bool:
        """Make deliveries of what has changed; whether there was something."""
        return WEBHOOK in self._posts and deliveries.spread(self._services) > 0

    def due(self) -> list[tuple[Delivery, set[str]]]:
        """What can be sent, each with whom it keeps busy: the host and the player."""
        rows = deliveries.due(self._services.now(), self._posts)
        found = [(row, receivers.find(row.receiver_id)) for row in rows]
        release_connection()
        return [(row, {host_of(to), to.player_id}) for row, to in found if to is not None]

    def claim_and_send(self, row: Delivery) -> bool:
        """Send this, unless another worker was first; whether it was sent, or at least tried."""
        claimed = deliveries.claim(row, self._services.now())
        receiver = receivers.find(row.receiver_id)
        if claimed is None or receiver is None:
            return False
        try:
            self._send(receiver, claimed)
        except Exception as error:  # noqa: BLE001 - whatever it is, the other deliveries go on
            release_connection()
            kind, at = type(error).__name__, places(error)
            _log.error(
                receiver.kind, receiver=receiver.id, cause=cause_of(error), error=kind, at=at
            )
            with transaction():
                self._put_off(receiver, claimed, PostOutcome())
        return True

    def _send(self, receiver: Receiver, row: Delivery) -> None:
        began = self._services.now()
        request = self._request(receiver, row, began)
        if request is None:
            with transaction():
                deliveries.finish(row, began, "dropped")
            return
        until = spend(self._services, receiver, host_of(receiver))
        if until is not None:
            with transaction():
                deliveries.release(row)
                deliveries.hold(receiver.id, until)
            _log.info(receiver.kind, receiver=receiver.id, held=True)
            return
        release_connection()  # no snapshot is held while somebody takes long to answer
        began = self._services.now()
        self._note(receiver, row, began, self._posts[receiver.kind](request))

    def _request(self, receiver: Receiver, row: Delivery, now: int) -> Request | None:
        """What is sent; None if a browser need not be told of this any more."""
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
        with transaction():
            deliveries.note_attempt(row, began, max(0, now - began), outcome)
            if outcome.arrived:
                deliveries.finish(row, now, "delivered")
                deliveries.note_success(receiver, now)
            else:
                self._put_off(receiver, row, outcome)
        told = {"status": outcome.status, "error": outcome.error}
        _log.info(receiver.kind, receiver=receiver.id, arrived=outcome.arrived, **told)

    def _put_off(self, receiver: Receiver, row: Delivery, outcome: PostOutcome) -> None:
        """After a failure, in the caller's transaction: try again later, give up, or switch the receiver off."""
        now = self._services.now()
        wish = now + SECOND * min(outcome.retry_after or 0, LONGEST_WISH)
        if outcome.status == GONE:
            deliveries.finish(row, now, "refused")
        elif retries.is_expired(row.since, now):
            deliveries.finish(row, now, "expired")
        else:
            deliveries.put_off(row, max(wish, retries.next_try(row.tries + 1, now)))
        rest = max(wish, retries.next_try(receiver.failures + 1, now))
        deliveries.note_failure(receiver, now, rest)
        if receiver.kind == PUSH:
            # its push service does not know it any more, or nothing has reached it for long
            if outcome.status in UNKNOWN or _has_failed_for(BROWSER_FAILING_FOR, receiver, now):
                browsers.forget(receiver.id)
                _log.info(receiver.kind, receiver=receiver.id, forgotten=True)
        elif outcome.status == GONE:
            self._switch_off(receiver, now, "gone")
        elif _has_failed_for(FAILING_FOR, receiver, now):
            self._switch_off(receiver, now, "failing")

    def _switch_off(self, receiver: Receiver, now: int, why: str) -> None:
        """Switch it off, and mail the owner."""
        if not receivers.switch_off(receiver.id, now, why):
            return
        queue.put(
            self._services,
            "webhook-off",
            f"webhook-off {receiver.id} {now}",
            player_id=receiver.player_id,
            data={"label": receiver.label, "host": host_of(receiver), "why": why},
        )
        _log.warning("webhook", receiver=receiver.id, switched_off=why)


def spend(services: Services, receiver: Receiver, host: str) -> int | None:
    """Count what is about to be sent; over a budget count nothing, and return until when (ms UTC) it waits."""
    attempts = [Attempt(HOST, host), Attempt(PLAYER, receiver.player_id)]
    if receiver.kind == PUSH:
        attempts = [Attempt(limit, receiver.id) for limit in (BROWSER_HOUR, BROWSER_DAY)]
        attempts.append(Attempt(PUSHED, receiver.player_id))
    with transaction():
        counts = attempt_counts.count_if_allowed(services, services.config.secret_key, attempts)
    return max((each.ends_at for each in counts if each.is_over), default=None)


def _has_failed_for(ms: int, receiver: Receiver, now: int) -> bool:
    return receiver.failing_since is not None and now - receiver.failing_since >= ms


def host_of(receiver: Receiver) -> str:
    """The host to which a receiver's address leads."""
    return (urlsplit(receiver.url).hostname or "").lower()


def courier_of(services: Services) -> Courier | None:
    """The courier of an application, unless webhooks and Web Push are switched off."""
    config, posts = services.config, dict[str, Post]()
    if config.webhooks != "off":
        posts[WEBHOOK] = GuardedPost(anywhere=config.webhooks == "anywhere")
    if config.pushes:
        posts[PUSH] = GuardedPost(anywhere=config.push == "anywhere")
    return Courier(services, posts) if posts else None
