"""Paces as people choose and read them, and as a game's row keeps them."""

from __future__ import annotations

from rules.kernel import Json
from service.clock import DAY, HOUR, MINUTE, NONE, PRESETS, SECOND, Pace
from service.words import Phrases

_UNITS = (("days", DAY), ("hours", HOUR), ("minutes", MINUTE), ("seconds", SECOND))
MOST = 90 * DAY // SECOND
"""Seconds: the longest time that anybody can choose."""


def chosen(wish: str | Json | None) -> Pace:
    """The pace of a new table: a preset by its name, or explicit seconds (NewPace of openapi.yaml)."""
    if wish is None or isinstance(wish, str):
        return PRESETS[wish or NONE.kind]
    if wish["kind"] == "decision":
        return Pace("decision", wish["seconds"] * SECOND)
    reserve = wish["reserve"] * SECOND
    cap = max(reserve, wish["cap"] * SECOND)
    return Pace("reserve", wish["increment"] * SECOND, reserve, cap)


def stored(pace: Pace) -> Json | None:
    """What the game's row keeps."""
    return None if pace == NONE else pace._asdict()


def loaded(row: Json | None) -> Pace:
    """The pace of a game's row."""
    return Pace(**row) if row else NONE


def shown(pace: Pace, words: Phrases) -> Json:
    """The Pace of openapi.yaml."""
    preset = next((name for name, known in PRESETS.items() if known == pace), None)
    detail = words.say(f"pace.{pace.kind}.detail", _read(pace, words))
    name = words.say(f"pace.{preset}") if preset else detail
    told: Json = {"preset": preset, "kind": pace.kind, "words": name, "detail": detail}
    if pace.kind == "decision":
        told["seconds"] = pace.each // SECOND
    if pace.kind == "reserve":
        told["reserve"] = pace.reserve // SECOND
        told["increment"] = pace.each // SECOND
        told["cap"] = pace.cap // SECOND
    return told


def duration(ms: int, words: Phrases) -> str:
    """A time in words, in its two largest units; what is less than a second is left out."""
    parts, rest = [], max(ms, 0)
    for unit, size in _UNITS:
        count, rest = divmod(rest, size)
        if count:
            key = f"duration.{unit}.{'one' if count == 1 else 'many'}"
            parts.append(words.say(key, {"n": count}))
    if len(parts) > 1:
        return words.say("duration.two", {"more": parts[0], "less": parts[1]})
    return parts[0] if parts else words.say("duration.seconds.many", {"n": 0})


def _read(pace: Pace, words: Phrases) -> Json:
    times = {"each": pace.each, "reserve": pace.reserve, "cap": pace.cap}
    return {name: duration(ms, words) for name, ms in times.items()}
