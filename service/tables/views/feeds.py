"""Data for news readers and calendars: a player's turns as an Atom feed, and the player's deadlines (iCalendar).

Nobody signs in there, because the address itself is the secret. So a feed says no more than the subject of an email:
which games wait for the player and until when, but nothing that lies on the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from urllib.parse import urlsplit

from rules.kernel import Json
from service.core.runtime.plain_text import one_line
from service.core.settings.config import Config
from service.core.words.words import phrases

REFRESHED = timedelta(hours=1)
"""How often a calendar should be fetched."""


class FeedEntry(NamedTuple):
    """A question that waits for the player."""

    id: str
    """An id that stays the same as long as the question does, and that no other question gets."""
    title: str
    url: str
    since: str
    due: str | None
    """The deadline in the form of RFC 3339."""
    deadline: str
    """The name of the deadline in a calendar."""
    about: str = ""
    """The description in a calendar: when the table rests, if it does."""


def entries(config: Config, language: str, turns: Sequence[Json]) -> list[FeedEntry]:
    """The entries for the questions, in the order of `turns` (service/tables/views/game_lists.py)."""
    words, host = phrases(language), urlsplit(config.public_url).hostname
    found = list[FeedEntry]()
    for turn in turns:
        game, since = turn["game"], turn["since"]
        fields = {"game": game["ruleset"]["name"]}
        found.append(
            FeedEntry(
                f"tag:{host},{since[:10]}:{game['id']}/{turn['seat']}/{turn['asked']}",
                one_line(words.say("feed.turn", fields)),
                f"{config.public_url}/games/{game['id']}",
                since,
                turn["due"],
                one_line(words.say("feed.deadline", fields)),
                game["pace"].get("rest", {}).get("words", ""),
            )
        )
    return found


def calendar(found: Sequence[FeedEntry], name: str) -> bytes:
    """The deadlines as iCalendar (RFC 5545). If a deadline moves, its entry keeps the UID, and its SEQUENCE rises."""
    from icalendar import Calendar, Event  # only people who subscribe to a calendar need it

    made = Calendar()
    made.add("VERSION", "2.0")
    made.add("PRODID", "-//Tegami//Deadlines//EN")
    made.add("METHOD", "PUBLISH")
    made.add("NAME", name)
    made.add("X-WR-CALNAME", name)
    made.add("REFRESH-INTERVAL", REFRESHED, {"VALUE": "DURATION"})
    for each in found:
        if not each.due:
            continue
        event, since, ends = Event(), _time(each.since), _time(each.due)
        event.add("UID", each.id)
        event.add("DTSTAMP", since)
        moved = int((ends - since).total_seconds())  # a deadline is only ever moved later
        event.add("SEQUENCE", moved)
        event.add("DTSTART", ends)
        event.add("TRANSP", "TRANSPARENT")
        event.add("SUMMARY", each.deadline)
        if each.about:
            event.add("DESCRIPTION", each.about)
        event.add("URL", each.url)
        made.add_component(event)
    return bytes(made.to_ical(sorted=False))


def _time(at: str) -> datetime:
    """A time of RFC 3339 in UTC as a datetime, without the fraction of a second, which iCalendar lacks."""
    return datetime.fromisoformat(at).replace(microsecond=0)
