"""Time zones by name, as known to the machine."""

from __future__ import annotations

import functools
import zoneinfo
from datetime import UTC, tzinfo


@functools.cache
def time_zones() -> frozenset[str]:
    """The names of all time zones."""
    return frozenset(zoneinfo.available_timezones())


@functools.cache
def time_zone_of(name: str | None) -> tzinfo:
    """The zone of this name; UTC if there is no name, or none that this machine knows.

    A name that was chosen on one machine may be missing on the next, because its tzdata is older or a zone was
    renamed. Nobody's move may fail for that.
    """
    try:
        return zoneinfo.ZoneInfo(name) if name else UTC
    except zoneinfo.ZoneInfoNotFoundError:
        return UTC
