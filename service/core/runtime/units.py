"""Units of time. All times of the service are whole milliseconds; points in time are ms since 1970 UTC."""

from __future__ import annotations

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def ago(ms: int) -> str:
    """A past time in words relative to now, in one unit, for the operator; `ms` is how long ago it was."""
    for size, name in ((DAY, "d"), (HOUR, "h"), (MINUTE, "min")):
        if ms >= 2 * size:
            return f"{ms // size} {name} ago"
    return f"{max(ms, 0) // SECOND} s ago"
