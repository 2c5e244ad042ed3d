"""Days of UTC, in the form `2026-11-29`."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from service.core.runtime.units import DAY, SECOND


def day_of(at: int) -> str:
    """The day of a time (ms UTC)."""
    return datetime.fromtimestamp(at // SECOND, UTC).date().isoformat()


def begins_at(day: str) -> int:
    """The time at which a day begins (ms UTC). Raises ValueError if `day` is not a day."""
    midnight = datetime.fromisoformat(day).replace(tzinfo=UTC)
    return int(midnight.timestamp()) * SECOND


def ends_at(day: str) -> int:
    """The time (ms UTC) at which a day ends and the next one begins. Raises ValueError if it is not a day."""
    return begins_at(day) + DAY


def after(day: str, count: int) -> str:
    """The day `count` days after `day`, or before it if `count` is negative.

    Raises ValueError if `day` is not a day.
    """
    return (date.fromisoformat(day) + timedelta(days=count)).isoformat()


def number_of(day: str) -> int:
    """The number of a day, which rises by 1 with each day. Raises ValueError if `day` is not a day."""
    return date.fromisoformat(day).toordinal()


def is_day(value: str) -> bool:
    """Whether the text is an existing day in the form `2026-11-29`."""
    try:
        return date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False
