"""Paces as people choose and read them, and as they are stored; a table's rest times are part of its pace."""

from __future__ import annotations

import functools

from babel.dates import get_day_names

from rules.kernel import Json
from service.core.runtime.problems import InvalidRest
from service.core.runtime.time_zones import time_zones
from service.core.runtime.units import DAY, HOUR, SECOND
from service.core.words.words import Phrases, duration
from service.log.table_rows import rests
from service.log.table_rows.rests import Rest
from service.tables.clocks.arithmetic import NONE, PRESETS, Pace

LONGEST = 90 * DAY // SECOND
"""The longest time that people can choose, in seconds."""

LEAST_WITH_REST = HOUR
"""The least time (ms) for a decision at a table that rests; a faster game is played in one sitting."""
WEEKEND = (6, 7)


def chosen(wish: str | Json | None) -> Pace:
    """The pace of a new table: a preset by its name, or the given numbers of seconds (NewPace of openapi.yaml)."""
    if wish is None or isinstance(wish, str):
        return PRESETS[wish or NONE.kind]
    if wish["kind"] == "decision":
        return Pace("decision", wish["seconds"] * SECOND)
    reserve = wish["reserve"] * SECOND
    cap = max(reserve, wish["cap"] * SECOND)
    return Pace("reserve", wish["increment"] * SECOND, reserve, cap)


def stored(pace: Pace) -> Json | None:
    """The pace in the form in which `games` stores it; None without a clock."""
    return None if pace == NONE else pace._asdict()


def loaded(row: Json | None) -> Pace:
    """The pace that the column of a game holds."""
    return Pace(**row) if row else NONE


def chosen_rest(wish: Json | None, pace: Pace) -> Json | None:
    """The rest times of a new table of this pace, as `games` stores them; None if it does not rest. Raises
    InvalidRest.
    """
    if wish is None:
        return None
    rest = Rest(wish["time_zone"], tuple(sorted(wish["days"])), wish["open"])
    if rest.time_zone not in time_zones():
        raise InvalidRest("time-zone")
    if pace == NONE:
        raise InvalidRest("no-clock")
    if max(pace.reserve, pace.each) < LEAST_WITH_REST:
        raise InvalidRest("too-fast")
    if not rests.is_allowed(rest):
        raise InvalidRest("too-long")
    return {**rest._asdict(), "days": list(rest.days)}


def shown(pace: Pace, words: Phrases, rest: Json | None = None) -> Json:
    """The pace of a table, with its rest times if it rests (Pace in openapi.yaml)."""
    return dict(_shown(pace, words, Rest.of(rest)))


@functools.lru_cache(maxsize=1024)  # few paces, and every response shows one
def _shown(pace: Pace, words: Phrases, rest: Rest | None) -> Json:
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
    if rest is not None:
        said = _rest_words(rest, words)
        members["rest"] = {**rest._asdict(), "days": list(rest.days), **said}
        members["detail"] = words.say("rest.detail", {"pace": detail, "rest": said["words"]})
        brief = words.say("rest.pace", {"pace": name, "rest": said["short"]})
        members["words"] = brief if preset else members["detail"]
    return members


def day_names(language: str) -> list[str]:
    """The names of the days of the week, from Monday on."""
    names = get_day_names("wide", locale=language)
    return [names[n] for n in range(7)]


def _rest_words(rest: Rest, words: Phrases) -> Json:
    """The rest times of a table, in a few words and in a sentence."""
    when = []
    if rest.days == WEEKEND:
        when.append(words.say("rest.weekends"))
    elif rest.days:
        names = day_names(words.language)
        when.append(
            words.say("rest.days", {"days": words.listed([names[n - 1] for n in rest.days])})
        )
    if rest.open is not None:
        begin, end = rest.open.split("-")
        when.append(words.say("rest.outside", {"begin": begin, "end": end}))
    if len(when) == 2:
        when = [words.say("rest.both", {"days": when[0], "hours": when[1]})]
    fields = {"when": when[0], "zone": rest.time_zone}
    return {"words": words.say("rest.table", fields), "short": words.say("rest.short", fields)}
