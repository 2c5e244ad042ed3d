"""Paces as people choose and read them, and as they are stored."""

from __future__ import annotations

import functools

from rules.kernel import Json
from service.core.runtime.units import DAY, SECOND
from service.core.words.words import Phrases, duration
from service.tables.clocks.arithmetic import NONE, PRESETS, Pace

LONGEST = 90 * DAY // SECOND
"""The longest time that can be chosen, in seconds."""


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
    """The pace as it is stored in `games`."""
    return None if pace == NONE else pace._asdict()


def loaded(row: Json | None) -> Pace:
    """The pace of a game's row."""
    return Pace(**row) if row else NONE


def shown(pace: Pace, words: Phrases) -> Json:
    """The Pace of openapi.yaml."""
    return dict(_shown(pace, words))


@functools.lru_cache(maxsize=1024)  # there are few paces, and each answer about a table shows one
def _shown(pace: Pace, words: Phrases) -> Json:
    preset = next((name for name, known in PRESETS.items() if known == pace), None)
    times = {"each": pace.each, "reserve": pace.reserve, "cap": pace.cap}
    read = {name: duration(ms, words) for name, ms in times.items()}
    detail = words.say(f"pace.{pace.kind}.detail", read)
    name = words.say(f"pace.{preset}") if preset else detail
    members: Json = {"preset": preset, "kind": pace.kind, "words": name, "detail": detail}
    if pace.kind == "decision":
        members["seconds"] = pace.each // SECOND
    if pace.kind == "reserve":
        members["reserve"] = pace.reserve // SECOND
        members["increment"] = pace.each // SECOND
        members["cap"] = pace.cap // SECOND
    return members
