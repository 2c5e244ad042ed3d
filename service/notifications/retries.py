"""The times at which failed emails and deliveries are tried again or given up."""

from __future__ import annotations

from service.core.runtime.units import DAY, HOUR, MINUTE

RETRY_DELAYS = (MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR)
"""The waits (ms) after the first, second, … failure; the last one repeats."""
EXPIRY = 3 * DAY
"""The time (ms) after its due time at which an unsent email or delivery is given up."""


def is_expired(due_at: int, now: int) -> bool:
    """Whether an unsent email or delivery that was due at `due_at` is given up."""
    return now - due_at >= EXPIRY


def next_try(failures: int, now: int) -> int:
    """The time at which a failed delivery is due again (ms UTC): the more often it has failed, the later."""
    return now + RETRY_DELAYS[min(failures, len(RETRY_DELAYS)) - 1]
