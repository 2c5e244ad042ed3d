"""Lengths of time in words: "2 days, 3 hours"."""

from __future__ import annotations

from service.core.units import DAY, HOUR, MINUTE, SECOND
from service.core.words import Phrases

_UNITS = (("day", DAY), ("hour", HOUR), ("minute", MINUTE), ("second", SECOND))


def ago(ms: int) -> str:
    """How long ago something was, in one unit, for the operator."""
    for size, name in ((DAY, "d"), (HOUR, "h"), (MINUTE, "min")):
        if ms >= 2 * size:
            return f"{ms // size} {name} ago"
    return f"{max(ms, 0) // SECOND} s ago"


def duration(ms: int, words: Phrases) -> str:
    """A time in words, in its two largest units, rounded down to whole seconds."""
    parts, rest = [], max(ms, 0)
    for unit, size in _UNITS:
        count, rest = divmod(rest, size)
        if count:
            parts.append(words.counted(count, unit))
    if len(parts) > 1:
        return words.say("duration.two", {"more": parts[0], "less": parts[1]})
    return parts[0] if parts else words.counted(0, "second")
