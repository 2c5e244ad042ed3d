"""Budgets: how much is sent in an hour or a day to a host, to an address, for a player, and to a browser.

They hold across processes and restarts; `docs/security.md` and the introduction of openapi.yaml state them. Deliveries
beyond a budget wait. A host is counted by its name before that is resolved, and then by the address to be dialled:
many names for one machine give nobody more. Each player has a share of both, so that nobody uses up what others need.
When others have used up everything, a player still has a small reserve if the receiver has accepted something before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from service.core.counts import attempt_counts
from service.core.counts.attempt_counts import Attempt, Limit
from service.core.database.database import transaction
from service.core.models.receivers import PUSH, Receiver
from service.core.runtime.units import DAY, HOUR
from service.core.settings.networks import network_of
from service.notifications.receivers import addresses
from service.notifications.receivers.shapes import is_chat_service
from service.tables.services import Services

HOST = Limit("deliveries to a host an hour", 600, HOUR)
"""The limit for a host, however many players have entered it, unless it is a well-known chat service (shapes.py)."""
SHARE = Limit("deliveries of a player to a host an hour", 120, HOUR)
KEPT = Limit("deliveries of a player to a host that others have used up an hour", 60, HOUR)
UNKNOWN_SHARE = Limit("deliveries of a player to new receivers of a host an hour", 20, HOUR)
"""The limit for receivers that have not accepted anything yet, and so may not have asked for anything."""
UNKNOWN_PUSHED = Limit("messages to new browsers of a host an hour", 60, HOUR)
"""The limit for new browsers at one host, from all players, unless it is a well-known push service.

It has room for a proposal, which is sent to all browsers of a table.
"""
PLAYER = Limit("deliveries of a player an hour", 1200, HOUR)
BROWSER_HOUR = Limit("messages to a browser an hour", 60, HOUR)
BROWSER_DAY = Limit("messages to a browser a day", 300, DAY)
PUSHED = Limit("messages to the browsers of a player a day", 1000, DAY)
PUSH_SERVICES = (
    *("fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com"),
    *(".push.services.mozilla.com", ".push.apple.com", ".notify.windows.com"),
)
"""The push services of all common browsers, by name or by the end of their names; these have no budget for the host."""


class Spent(NamedTuple):
    """The counts for a delivery."""

    until: int | None
    """The time (ms UTC) until which the delivery waits; None if it was counted."""
    counted: list[Attempt]
    used_up: list[Limit]


def spend(services: Services, receiver: Receiver) -> Spent:
    """Count a delivery that is about to be sent, unless it is beyond a budget; return what was counted."""
    return _spend(services, receiver, _host(receiver), *_of_player(receiver))


def spend_at(services: Services, receiver: Receiver, address: str) -> int | None:
    """Count by the address that is about to be dialled; return until when (ms UTC) the delivery waits, or None."""
    return _spend(services, receiver, f"address {network_of(address)}").until


def give_back(services: Services, spent: Spent) -> None:
    """Subtract what was counted before the address was known, for a delivery that is not sent."""
    attempt_counts.uncount(services.config.secret_key, spent.counted)


def _spend(services: Services, receiver: Receiver, where: str, *more: Attempt) -> Spent:
    with transaction():
        spent = _count(services, [*more, *_at(receiver, where)])
        if spent.used_up != [HOST] or receiver.delivered_at is None:
            return spent
        kept = Attempt(KEPT, f"{receiver.player_id} {where}")
        share = [each for each in _at(receiver, where) if each.limit != HOST]
        return _count(services, [*more, *share, kept])


def _count(services: Services, attempts: list[Attempt]) -> Spent:
    counts = attempt_counts.count_if_allowed(services, services.config.secret_key, attempts)
    over = [each for each in counts if each.is_over]
    until = max((each.ends_at for each in over), default=None)
    return Spent(until, [] if over else attempts, [each.limit for each in over])


def _host(receiver: Receiver) -> str:
    return addresses.host_of(receiver.url)


def _of_player(receiver: Receiver) -> list[Attempt]:
    if receiver.kind != PUSH:
        return [Attempt(PLAYER, receiver.player_id)]
    of_browser = [Attempt(limit, receiver.id) for limit in (BROWSER_HOUR, BROWSER_DAY)]
    return [*of_browser, Attempt(PUSHED, receiver.player_id)]


def _at(receiver: Receiver, where: str) -> Iterator[Attempt]:
    """The attempts as which a delivery is counted at a host or an address."""
    if receiver.kind == PUSH and _is_push_service(_host(receiver)):
        return
    if receiver.kind == PUSH or not is_chat_service(_host(receiver)):
        yield Attempt(HOST, where)
    yield Attempt(SHARE, f"{receiver.player_id} {where}")
    if receiver.delivered_at is None:
        yield Attempt(UNKNOWN_SHARE, f"{receiver.player_id} {where}")
        if receiver.kind == PUSH:
            yield Attempt(UNKNOWN_PUSHED, where)


def _is_push_service(host: str) -> bool:
    known = (each for each in PUSH_SERVICES if each.startswith("."))
    return host in PUSH_SERVICES or host.endswith(tuple(known))
