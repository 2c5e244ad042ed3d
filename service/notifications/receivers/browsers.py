"""Browsers for notifications: receivers that are reached through a push service, each tied to its sign-in.

What they show, and when, is decided together with emails (service/notifications/mail_sending/sender.py).
"""

from __future__ import annotations

import hmac

from sqlalchemy import delete, func, select

from rules.kernel import Json
from service.core.database.database import db, delete_some, rows, transaction
from service.core.models.mail import OutboxRow
from service.core.models.people import Credential
from service.core.models.receivers import PUSH, Receiver
from service.core.runtime.exports import exported_rows
from service.core.runtime.problems import Problem
from service.core.settings.config import Config
from service.log.table_rows.table import id_of
from service.notifications.receivers import addresses, deliveries, receivers, web_push
from service.notifications.receivers.addresses import Forbidden
from service.outbox import queue
from service.people import players
from service.tables.services import Services

MOST = 10
"""The largest number of browsers of one player."""

_receiver = Receiver.metadata.tables["receivers"]


class PushOff(Problem, status=409):
    """Raised if the operator has switched Web Push off."""


class TooManyBrowsers(Problem, status=409):
    """The player already has the greatest allowed number of browsers for notifications, which is `most`."""


class InvalidSubscription(Problem, status=422):
    """The subscription that a browser has sent is of no use."""


def subscribe(
    services: Services, player_id: str, credential_id: str, label: str, given: Json
) -> Receiver:
    """Notify the player in this browser from now on, and no longer the person who was notified there before.

    Returns the browser. It is the same browser as before if it knows the secret that it shares with us: somebody who
    knows only its address cannot take it over. `credential_id` is the sign-in there; `given` is the subscription of its
    push service: an `endpoint`, and `keys`. Raises InvalidSubscription if that cannot be used, NotSignedIn if the
    sign-in has ended, PushOff if Web Push is off, and TooManyBrowsers at the limit.
    """
    config, endpoint, keys = services.config, given["endpoint"], given["keys"]
    if not config.pushes:
        raise PushOff
    try:
        addresses.parse(endpoint, anywhere=config.push == "anywhere")
    except Forbidden:
        raise InvalidSubscription from None
    if not web_push.is_public_key(keys["p256dh"]):  # nobody could read what is sent
        raise InvalidSubscription
    keys = {**keys, "server": web_push.public_key(config)}
    with transaction():
        players.prevent_erasure(player_id)
        for each in _at(endpoint):
            if each.player_id == player_id or _is_same(each.keys, keys):
                forget(each.id)
        if len(receivers.of_player(player_id, PUSH)) >= MOST:
            raise TooManyBrowsers(most=MOST)
        more = {"keys": keys, "credential_id": credential_id}
        return receivers.add(services, player_id, PUSH, endpoint, label, **more)


def _at(endpoint: str) -> list[Receiver]:
    """The browsers with this address: only one, unless somebody has entered another person's."""
    there = select(_receiver).where(_receiver.c.kind == PUSH, _receiver.c.url == endpoint)
    return rows(Receiver.of, there.with_for_update())


def _is_same(known: Json | None, given: Json) -> bool:
    """Whether these are the keys of the same browser: nobody else knows `auth`."""
    before = known or {}
    is_shared = hmac.compare_digest(str(before.get("auth")), str(given["auth"]))
    return is_shared and before.get("p256dh") == given["p256dh"]


def knows_us(config: Config, browser: Receiver) -> bool:
    """Whether a browser's push service accepts messages from us: not if the browser subscribed with a key that was
    lost.
    """
    return (browser.keys or {}).get("server") == web_push.public_key(config)


def forget(receiver_id: str) -> None:
    """Forget a browser that its push service no longer knows, in the caller's transaction."""
    db.session.execute(delete(_receiver).where(_receiver.c.id == receiver_id))


def tell(services: Services, row: OutboxRow) -> bool:
    """Hand an email to its player's browsers, in the caller's transaction; return whether there are any.

    If newer news about the same game is due, too, they get that instead.
    """
    now, every = services.now(), receivers.of_player(row.player, PUSH, lock=True)
    found = [each for each in every if knows_us(services.config, each)]
    for each in every:
        if each not in found:
            forget(each.id)
    if found and not queue.is_replaced(row, now):
        game = id_of(row.game_key)
        new = {"kind": row.kind, "change": row.id, "at": now}
        new["game"] = game or row.details.get("game")
        for browser in found:
            deliveries.add(services, browser, [new])
    return bool(found)


def exported(player_id: str) -> list[Json]:
    """The browsers in which the player is notified; messages to them are not stored."""
    browser, of = func.nullif(_receiver.c.label, "").label("browser"), _receiver.c
    times = (of.made_at.label("created_at"), of.delivered_at)
    query = select(of.id, browser, of.url.label("endpoint"), *times)
    mine = query.where(of.player_id == player_id, of.kind == PUSH)
    return exported_rows(mine.order_by(of.made_at, of.id))


def purge(_now: int, most: int) -> int:
    """Delete at most `most` browsers whose sign-in has ended; return the number."""
    lost = Receiver.credential_id.not_in(select(Credential.id))
    return delete_some(Receiver.__table__, most, Receiver.kind == PUSH, lost)
