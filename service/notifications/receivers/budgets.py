"""Budgets: how much is sent to a host, to an address of the internet, and for a player, in an hour.

They hold across processes and restarts. What is over one is not lost: it waits. `docs/security.md` names them.
"""

from __future__ import annotations

from service.core.counts import attempt_counts
from service.core.counts.attempt_counts import Attempt, Limit
from service.core.database.database import transaction
from service.core.models.receivers import PUSH, ReceiverRow
from service.core.runtime.units import DAY, HOUR
from service.tables.services import Services

HOST = Limit("deliveries to a host an hour", 600, HOUR)
"""However many players have entered it."""
PLAYER = Limit("deliveries of a player an hour", 1200, HOUR)
BROWSER_HOUR = Limit("messages to a browser an hour", 60, HOUR)
BROWSER_DAY = Limit("messages to a browser a day", 300, DAY)
PUSHED = Limit("messages to the browsers of a player a day", 1000, DAY)
"""Everybody's browsers have a few push services: these have no budget of their own."""


def spend(services: Services, receiver: ReceiverRow, host: str) -> int | None:
    """Count what is about to be sent; over a budget count nothing, and return until when (ms UTC) it waits."""
    attempts = [Attempt(HOST, host), Attempt(PLAYER, receiver.player_id)]
    if receiver.kind == PUSH:
        attempts = [Attempt(limit, receiver.id) for limit in (BROWSER_HOUR, BROWSER_DAY)]
        attempts.append(Attempt(PUSHED, receiver.player_id))
    with transaction():
        counts = attempt_counts.count_if_allowed(
            services.runtime, services.config.secret_key, attempts
        )
    return max((each.ends_at for each in counts if each.is_over), default=None)
