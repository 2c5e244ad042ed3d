"""When a mail that could not be sent is tried again, and when it is given up."""

from __future__ import annotations

from service.core.units import DAY, HOUR, MINUTE
from service.models.mail import OutboxRow

RETRY_DELAYS = (MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR)
"""Ms to wait after the first, second, … failure; the last delay repeats."""
EXPIRY = 3 * DAY
"""Ms after its due time at which a mail is given up."""


def is_expired(row: OutboxRow, now: int) -> bool:
    """Whether a mail that was not sent by now is given up."""
    return now - row.run_at >= EXPIRY


def next_try(row: OutboxRow, now: int) -> int:
    """When a claimed row whose mail could not be sent is due again (ms UTC): the later, the more often it failed."""
    return now + RETRY_DELAYS[min(row.attempts, len(RETRY_DELAYS)) - 1]
