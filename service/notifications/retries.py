"""When what could not be sent is tried again, and when it is given up: mails, and what receivers are told."""

from __future__ import annotations

from service.core.runtime.units import DAY, HOUR, MINUTE

RETRY_DELAYS = (MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR)
"""Ms to wait after the first, second, … failure; the last delay repeats."""
EXPIRY = 3 * DAY
"""Ms after its due time at which something is given up."""


def is_expired(due_at: int, now: int) -> bool:
    """Whether what was due then and was not sent by now is given up."""
    return now - due_at >= EXPIRY


def next_try(failures: int, now: int) -> int:
    """When what could not be sent is due again (ms UTC): the later, the more often it has failed."""
    return now + RETRY_DELAYS[min(failures, len(RETRY_DELAYS)) - 1]
