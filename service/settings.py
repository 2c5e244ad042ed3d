"""Settings of a person: language, time zone, which mails, when to be reminded."""

from __future__ import annotations

import functools
import zoneinfo
from typing import Any

from rules.kernel import Json
from service import people
from service.database import transaction
from service.mail import wishes
from service.mail.wishes import ALL_KINDS, Stop
from service.outside import Outside
from service.problems import UnknownTimeZone

MAIL_KINDS = (
    "turn",
    "reminder",
    "proposal",
    "over",
    "told",
    "taken-over",
    "before-start",
    "offer",
    "nudge",
)
"""The kinds of mail that can be stopped; `service.mail.kinds` says the same of each."""
REMINDERS = [1440, 180]
"""Minutes before a time is over at which a reminder is due, for whoever has chosen none: a day, and three hours."""


def of(player: Any) -> Json:
    """The settings of a player's row."""
    return {
        "language": player.language,
        "time_zone": player.time_zone or "UTC",
        "unwanted": unwanted(player.id),
        "reminders": leads(player.reminders),
    }


def unwanted(player_id: str) -> list[str]:
    """The kinds of mail that the player does not get about any game."""
    stopped = {stop.kind for stop in wishes.stopped(player_id) if not stop.game_key}
    return [kind for kind in MAIL_KINDS if kind in stopped or ALL_KINDS in stopped]


def leads(chosen: list[int] | None) -> list[int]:
    """How many minutes before a time is over a reminder is due, by what a player's row says."""
    return REMINDERS if chosen is None else chosen


def zone(player: Any) -> zoneinfo.ZoneInfo:
    """The time zone in which a player's row says that the player lives."""
    return zoneinfo.ZoneInfo(player.time_zone or "UTC")


def change(outside: Outside, player_id: str, wish: Json) -> Any:
    """Change settings; what `wish` does not name stays. The player's row as it is then. Raises UnknownTimeZone."""
    if wish.get("time_zone", "UTC") not in zones():
        raise UnknownTimeZone
    named = ("language", "time_zone", "reminders")
    values: Json = {name: wish[name] for name in named if name in wish}
    if "reminders" in values:
        values["reminders"] = sorted(values["reminders"], reverse=True)
    with transaction():
        if "unwanted" in wish:
            stop_only(outside, player_id, wish["unwanted"])
        if values:
            people.write(player_id, values)
        return people.find(player_id)


def stop_only(outside: Outside, player_id: str, kinds: list[str]) -> None:
    """Stop mails of these kinds and of no others; what was stopped for one game stays. The caller owns the commit."""
    for stop in wishes.stopped(player_id):
        if not stop.game_key:
            wishes.resume(player_id, stop)
    for kind in kinds:
        wishes.stop(outside, player_id, Stop(kind))


@functools.cache
def zones() -> frozenset[str]:
    """The names of all time zones."""
    return frozenset(zoneinfo.available_timezones())
