"""Receivers: the places to which players have their changes sent, above all webhooks."""

from __future__ import annotations

import base64
import hmac
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Update, delete, exists, func, insert, select, update

from rules.kernel import Json
from service.core.database.database import changed_rows, db, one_row, rows, transaction
from service.core.models.following import Listener
from service.core.models.receivers import WEBHOOK, Delivery, Receiver
from service.core.runtime.problems import ForbiddenAddress, NotFound, TooManyWebhooks
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY
from service.core.settings.config import Config
from service.log import changes
from service.notifications.receivers import addresses, shapes
from service.notifications.receivers.addresses import Forbidden
from service.people import players
from service.people.credentials import credentials
from service.tables.services import Services

MOST = 5
"""The largest number of webhooks of one player."""
BOTH_SIGN = DAY
"""The time (ms) after the replacement of a secret in which the earlier one still signs, too."""

_receiver = Receiver.metadata.tables["receivers"]
_delivery = Delivery.metadata.tables["deliveries"]
_listener = Listener.metadata.tables["listeners"]
_ROW = select(_receiver)
_UNKNOWN: Json = {"quick": False, "delivered_at": None}
"""The columns of an address to which nothing has been sent."""


def make(services: Services, player_id: str, wish: Json, made_by: str | None = None) -> Receiver:
    """A new webhook of the player, for changes from now on.

    `wish` has its `url`, its `label`, and perhaps `kinds` and `shape`. `made_by` is the token with which it ends.
    Raises ForbiddenAddress if nothing is sent to the address, TooManyWebhooks at the limit, and NotSignedIn if the
    player has just been erased or the token revoked.
    """
    check_url(services.config, wish["url"])
    with transaction():
        changes.touch_tables(player_id)
        players.prevent_erasure(player_id)
        credentials.refuse_ended(made_by)
        changes.listen(services, player_id)  # locks the row, so that two cannot both be the last
        if len(of_player(player_id, WEBHOOK)) >= MOST:
            raise TooManyWebhooks(most=MOST)
        more: Json = {"wanted": _in_order(wish.get("kinds")), "seen": _last_change(player_id)}
        more |= {"made_by": made_by, "shape": wish.get("shape")}
        changes.spread_from_now(player_id)
        return add(services, player_id, WEBHOOK, wish["url"], wish["label"], **more)


def add(runtime: Runtime, player_id: str, kind: str, url: str, label: str, **more: Any) -> Receiver:
    """A new receiver of this kind, added in the caller's transaction."""
    receiver_id = runtime.new_id("w" if kind == WEBHOOK else "n")
    row: Json = {"id": receiver_id, "player_id": player_id, "kind": kind, "url": url}
    row |= {"host": addresses.host_and_port(url)}
    row |= {"label": label, "made_at": runtime.now(), "seen": 0, **more}
    (new,) = rows(Receiver.of, insert(_receiver).values(row).returning(*_receiver.c))
    return new


def _in_order(wanted: Sequence[str] | None) -> list[str] | None:
    return None if wanted is None else [kind for kind in changes.KINDS if kind in wanted]


def _last_change(player_id: str) -> int:
    mine = changes.listening(player_id)
    return mine.last if mine else 0


def check_url(config: Config, url: str) -> None:
    """Raise ForbiddenAddress for an address to which nothing is sent."""
    try:
        addresses.parse(url, anywhere=config.webhooks == "anywhere")
    except Forbidden as refused:
        raise ForbiddenAddress(refused.why) from None


def of_player(player_id: str, kind: str, *, lock: bool = False) -> list[Receiver]:
    """The player's receivers of this kind, oldest first."""
    mine = _ROW.where(_receiver.c.player_id == player_id, _receiver.c.kind == kind)
    ordered = mine.order_by(_receiver.c.made_at, _receiver.c.id)
    return rows(Receiver.of, ordered.with_for_update() if lock else ordered)


def get(player_id: str, receiver_id: str, *, lock: bool = False) -> Receiver:
    """The webhook of the player with this id. Raises NotFound if the player has no such webhook."""
    found = find(receiver_id, lock=lock)
    if found is None or (found.player_id, found.kind) != (player_id, WEBHOOK):
        raise NotFound
    return found


def find(receiver_id: str, *, lock: bool = False) -> Receiver | None:
    """The receiver with this id; None if there is none."""
    query = _ROW.where(_receiver.c.id == receiver_id)
    return one_row(Receiver.of, query.with_for_update() if lock else query)


def change(
    services: Services, player_id: str, receiver_id: str, wish: Json, made_by: str | None = None
) -> Receiver:
    """Change the fields in `wish`: `url`, `label`, `kinds`, `shape`, `active`; return the changed webhook.

    Switching a receiver on, or changing its address, counts as making it: `made_by` is the token used, if any. A
    receiver that is switched on again, or has a new address, at once gets what was still to be sent, and then new
    changes.

    Raises ForbiddenAddress if nothing is sent to the address, and NotFound if the player has no such webhook.
    """
    if "url" in wish:
        check_url(services.config, wish["url"])
    with transaction():
        if wish.get("active"):
            changes.follow(services, player_id)
            changes.spread_from_now(player_id)
        players.prevent_erasure(player_id)
        credentials.refuse_ended(made_by)
        before, now = get(player_id, receiver_id, lock=True), services.now()
        values: Json = {name: wish[name] for name in ("url", "label", "shape") if name in wish}
        if "kinds" in wish:
            values["wanted"] = _in_order(wish["kinds"])
        if "url" in wish:
            values |= {"host": addresses.host_and_port(wish["url"]), **_UNKNOWN}
        if "url" in wish or (wish.get("active") and before.off_at is not None):
            values |= {"made_by": made_by}
        if "url" in wish or wish.get("active"):
            values |= {"failing_since": None, "failures": 0, "held_until": 0}
            mine = (_delivery.c.receiver_id == receiver_id) & _delivery.c.done_at.is_(None)
            at_once = update(_delivery).where(mine, _delivery.c.lease_until <= now)
            db.session.execute(at_once.values(since=now, run_at=now, tries=0))
        if wish.get("active") and before.off_at is not None:
            values |= {"off_at": None, "off_why": None, "seen": _last_change(player_id)}
        if wish.get("active") is False and before.off_at is None:
            values |= {"off_at": now, "off_why": "owner"}
        if values:
            db.session.execute(of(receiver_id).values(values))
        return get(player_id, receiver_id)


def shape(receiver: Receiver) -> str:
    """The shape of the receiver's messages: the one that the owner has chosen, or the one that the address implies."""
    return receiver.shape or shapes.of_address(receiver.url)


def remove(player_id: str, receiver_id: str, kind: str) -> None:
    """Delete a receiver of this kind with everything still to be sent to it.

    Raises NotFound if the player has no such receiver.
    """
    mine = (_receiver.c.id == receiver_id) & (_receiver.c.player_id == player_id)
    with transaction():
        if not changed_rows(delete(_receiver).where(mine, _receiver.c.kind == kind)):
            raise NotFound


def rotate(
    runtime: Runtime, player_id: str, receiver_id: str, made_by: str | None = None
) -> Receiver:
    """Give a webhook a new secret; the previous one also signs for a while, but no earlier one. Return the webhook.

    So to end a leaked secret at once, its owner replaces it twice. A token that does so knows the secret: from then on
    it counts as having made the webhook, which ends with it. Raises NotFound if the player has no such webhook.
    """
    with transaction():
        players.prevent_erasure(player_id)
        credentials.refuse_ended(made_by)
        before = get(player_id, receiver_id, lock=True).generation
        new: Json = {"generation": before + 1, "before": before, "rotated_at": runtime.now()}
        if made_by is not None:
            new["made_by"] = made_by
        db.session.execute(of(receiver_id).values(new))
        return get(player_id, receiver_id)


def secret(config: Config, receiver: Receiver, *, before: bool = False) -> str:
    """The present or the earlier secret. Both are derived from the server's key, so that no database contains them."""
    generation = receiver.before if before else receiver.generation
    about = f"webhook {receiver.id} {generation}".encode()
    key = hmac.digest(config.secret_key, about, "sha256")
    return f"whsec_{base64.b64encode(key).decode()}"


def signing(config: Config, receiver: Receiver, now: int) -> list[str]:
    """The secrets that sign at present, the newest first."""
    secrets = [secret(config, receiver)]
    if receiver.rotated_at is not None and now - receiver.rotated_at < BOTH_SIGN:
        secrets.append(secret(config, receiver, before=True))
    return secrets


_IS_WITHOUT_HOST = _receiver.c.host.is_(None)
_IS_SPREAD_TO = (_receiver.c.kind == WEBHOOK) & _receiver.c.off_at.is_(None)
_IS_UNSPREAD = (_listener.c.player_id == _receiver.c.player_id) & _listener.c.spread.is_(None)


def half_new(after: str, limit: int) -> list[str]:
    """At most `limit` ids of receivers written by an earlier release, in order, after the id `after`."""
    lacking = _IS_WITHOUT_HOST | (_IS_SPREAD_TO & exists().where(_IS_UNSPREAD))
    query = select(_receiver.c.id).where(_receiver.c.id > after, lacking)
    return list(db.session.scalars(query.order_by(_receiver.c.id).limit(limit)))


def repair(receiver_id: str) -> int:
    """Store the host of a receiver from an earlier release, and that it gets changes; return how many rows changed."""
    with transaction():
        found = select(_receiver.c.url, _receiver.c.player_id).where(_receiver.c.id == receiver_id)
        row = db.session.execute(found).one_or_none()
        if row is None:
            return 0
        lacking = of(receiver_id).where(_receiver.c.url == row.url, _IS_WITHOUT_HOST)
        hosts = changed_rows(lacking.values(host=addresses.host_and_port(row.url)))
        unspread = (_listener.c.player_id == row.player_id) & _listener.c.spread.is_(None)
        told = exists().where(_receiver.c.id == receiver_id, _IS_SPREAD_TO)
        return hosts | changed_rows(update(_listener).where(unspread, told).values(spread=0))


def switch_off(receiver_id: str, now: int, why: str) -> bool:
    """Switch a receiver off in the caller's transaction; return whether it was on."""
    off = of(receiver_id).where(_receiver.c.off_at.is_(None))
    return bool(changed_rows(off.values(off_at=now, off_why=why)))


def erase(player_id: str) -> None:
    """Delete the player's receivers. The caller owns the commit."""
    db.session.execute(delete(_receiver).where(_receiver.c.player_id == player_id))


class Numbers(NamedTuple):
    """The numbers of receivers that are on, of failing ones among them, and of those that were switched off for
    failing.
    """

    on: int
    failing: int
    off: int


def numbers(kind: str) -> Numbers:
    """The numbers of receivers of a kind, for all players."""
    of_kind = _receiver.c.kind == kind
    is_on, failed = _receiver.c.off_at.is_(None), _receiver.c.off_why.in_(("failing", "gone"))
    of = (is_on, is_on & _receiver.c.failing_since.is_not(None), failed)
    query = select(*(func.count().filter(each) for each in of)).select_from(_receiver)
    (found,) = rows(Numbers, query.where(of_kind))
    return found


def of(receiver_id: str) -> Update:
    """The beginning of an UPDATE of this receiver."""
    return update(_receiver).where(_receiver.c.id == receiver_id)
