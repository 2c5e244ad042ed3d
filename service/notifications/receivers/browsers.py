"""Browsers in which players want to be told: receivers that are reached through a push service, each with its sign-in.

What they are told, and when, is decided where it is decided for mails (service/notifications/mail_sending/sender.py).
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import delete, select

from rules.kernel import Json
from service.core.database.database import changed_rows, columns, db, delete_rows, rows, transaction
from service.core.models.games import Game
from service.core.models.mail import OutboxRow
from service.core.models.people import Credential
from service.core.models.receivers import PUSH, Receiver, ReceiverRow
from service.core.runtime.problems import NotFound, kind
from service.core.runtime.time_and_random import Runtime, rfc3339
from service.core.settings.config import Config
from service.notifications.receivers import addresses, deliveries, receivers, web_push
from service.notifications.receivers.addresses import Forbidden
from service.outbox import queue
from service.people import players
from service.tables.services import Services

PushOff = kind(409, "push-off")
"""The operator lets the server push nothing."""
TooManyBrowsers = kind(409, "too-many-browsers")
"""The player is told in as many browsers as are allowed; `most` says how many."""
InvalidSubscription = kind(422, "invalid-subscription")
"""By what a browser has sent it cannot be told anything."""

MOST = 10
"""Browsers of one player."""

_receiver = Receiver.metadata.tables["receivers"]
_ROW = select(*columns(ReceiverRow, _receiver)).where(_receiver.c.kind == PUSH)
_OLDEST_FIRST = (_receiver.c.made_at, _receiver.c.id)


class Subscription(NamedTuple):
    """What a browser has got from its push service, what the browser is called, and the sign-in there."""

    endpoint: str
    p256dh: str
    auth: str
    label: str
    credential_id: str


def subscribe(config: Config, runtime: Runtime, player_id: str, wish: Subscription) -> ReceiverRow:
    """Tell the player in this browser from now on; whoever was told there before is told no more.

    Raises InvalidSubscription, NotSignedIn, PushOff, TooManyBrowsers.
    """
    if not config.pushes:
        raise PushOff
    try:
        addresses.parse(wish.endpoint, anywhere=config.push == "anywhere")
    except Forbidden:
        raise InvalidSubscription from None
    if not web_push.is_public_key(wish.p256dh):  # nobody could read what is sent
        raise InvalidSubscription
    keys = {"p256dh": wish.p256dh, "auth": wish.auth, "server": web_push.public_key(config)}
    with transaction():
        players.prevent_erasure(player_id)
        db.session.execute(
            delete(_receiver).where(_receiver.c.kind == PUSH, _receiver.c.url == wish.endpoint)
        )
        if len(of_player(player_id)) >= MOST:
            raise TooManyBrowsers(most=MOST)
        more = {"keys": keys, "credential_id": wish.credential_id}
        return receivers.add(runtime, player_id, PUSH, wish.endpoint, wish.label, **more)


def of_player(player_id: str) -> list[ReceiverRow]:
    """The player's browsers, oldest first."""
    mine = _ROW.where(_receiver.c.player_id == player_id)
    return rows(ReceiverRow, mine.order_by(*_OLDEST_FIRST))


def knows_us(config: Config, browser: ReceiverRow) -> bool:
    """Whether the push service of a browser takes anything from us: not if it subscribed with a key that was lost."""
    return (browser.keys or {}).get("server") == web_push.public_key(config)


def remove(player_id: str, browser_id: str) -> None:
    """Tell the player in this browser no more. Raises NotFound."""
    mine = (_receiver.c.id == browser_id) & (_receiver.c.player_id == player_id)
    with transaction():
        if changed_rows(delete(_receiver).where(mine, _receiver.c.kind == PUSH)) != 1:
            raise NotFound


def forget(receiver_id: str) -> None:
    """Forget a browser that its push service does not know any more, in the caller's transaction."""
    db.session.execute(
        delete(_receiver).where(_receiver.c.id == receiver_id, _receiver.c.kind == PUSH)
    )


def tell(services: Services, row: OutboxRow) -> bool:
    """Hand a mail on to the browsers of its player, in the caller's transaction; whether there are any.

    If something newer about the same game is due too, that is what they are told.
    """
    now = services.now()
    told = _ROW.where(_receiver.c.player_id == row.player_id).order_by(*_OLDEST_FIRST)
    every = rows(ReceiverRow, told.with_for_update())
    found = [each for each in every if knows_us(services.config, each)]
    for each in every:
        if each not in found:
            forget(each.id)
    if found and not queue.is_replaced(row, now):
        game = db.session.scalar(select(Game.id).where(Game.key == row.game_key))
        game = game or row.details.get("game")
        for browser in found:
            new = {"kind": row.kind, "change": row.id, "at": now, "game": game}
            deliveries.add(services, browser, [new])
    return bool(found)


def exported(player_id: str) -> list[Json]:
    """The browsers in which the player is told; what is sent there is not kept."""
    return [
        {
            "id": row.id,
            "browser": row.label or None,
            "endpoint": row.url,
            "created_at": rfc3339(row.made_at),
            "delivered_at": row.delivered_at and rfc3339(row.delivered_at),
        }
        for row in of_player(player_id)
    ]


def purge() -> int:
    """Delete browsers whose sign-in is gone; how many."""
    known = select(Credential.id)
    lost = Receiver.credential_id.not_in(known)
    return delete_rows(delete(Receiver).where(Receiver.kind == PUSH, lost))
