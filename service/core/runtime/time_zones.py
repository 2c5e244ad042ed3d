"""Time zones by name, as far as the machine knows them."""

from __future__ import annotations

import functools
import zoneinfo
from datetime import UTC, tzinfo


@functools.cache
def time_zones() -> frozenset[str]:
    """The names of all time zones that the machine knows."""
    return frozenset(zoneinfo.available_timezones())


@functools.cache
def time_zone_of(name: str | None) -> tzinfo:
    """The time zone with this name; UTC if there is no name, or the machine does not know it.

    A name that was chosen on one machine may be missing on the next, because its tzdata is older or a zone was renamed.
    This must not make anybody's move fail.
    """
    try:
        return zoneinfo.ZoneInfo(name) if name else UTC
    except zoneinfo.ZoneInfoNotFoundError:
        return UTC
