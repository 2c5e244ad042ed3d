"""What readers of news and calendars fetch: the turns of a player as an Atom feed, and their deadlines (iCalendar).

Nobody signs in there: the address is the secret. So they say what the subject of a mail says, which games wait for the
player and until when, and nothing of what lies on the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from rules.kernel import Json
from service.core.runtime.time_and_random import rfc3339
from service.core.settings.config import Config
from service.core.words.words import phrases

if TYPE_CHECKING:
    from icalendar import Event

REFRESHED = timedelta(hours=1)
"""How often a calendar is to be fetched."""


class FeedEntry(NamedTuple):
    """A question that waits for the player."""

    id: str
    """The same for as long as the question stands, and never that of another."""
    title: str
    url: str
    since: str
    due: str | None
    """Times as RFC 3339."""
    deadline: str
    """What the deadline is called in a calendar."""


def entries(config: Config, language: str, turns: Sequence[Json]) -> list[FeedEntry]:
    """The questions, in the order of `turns` (service/tables/views/game_lists.py)."""
    words, host = phrases(language), urlsplit(config.public_url).hostname
    found = list[FeedEntry]()
    for turn in turns:
        game, since = turn["game"], turn["since"]
        fields = {"game": game["ruleset"]["name"]}
        found.append(
            FeedEntry(
                f"tag:{host},{since[:10]}:{game['id']}/{turn['seat']}/{turn['asked']}",
                words.say("feed.turn", fields),
                f"{config.public_url}/games/{game['id']}",
                since,
                turn["due"],
                words.say("feed.deadline", fields),
            )
        )
    return found


def updated(since: Sequence[FeedEntry], created_at: int) -> str:
    """When a feed with these entries last changed, or when it was made if there are none."""
    return max((each.since for each in since), default=rfc3339(created_at))


def calendar(found: Sequence[FeedEntry], name: str) -> bytes:
    """The deadlines as iCalendar (RFC 5545). A deadline that is moved keeps its UID, and its SEQUENCE rises."""
    from icalendar import Calendar  # only those who subscribe to a calendar need it

    made = Calendar()
    made.add("VERSION", "2.0")
    made.add("PRODID", "-//Tegami//Deadlines//EN")
    made.add("METHOD", "PUBLISH")
    made.add("NAME", name)
    made.add("X-WR-CALNAME", name)
    made.add("REFRESH-INTERVAL", REFRESHED, {"VALUE": "DURATION"})
    for each in found:
        if each.due:
            made.add_component(_event(each, each.due))
    return bytes(made.to_ical(sorted=False))


def _event(entry: FeedEntry, due: str) -> Event:
    from icalendar import Event  # as above

    event, since, ends = Event(), _time(entry.since), _time(due)
    event.add("UID", entry.id)
    event.add("DTSTAMP", since)
    moved = int((ends - since).total_seconds())  # a deadline is only ever moved later
    event.add("SEQUENCE", moved)
    event.add("DTSTART", ends)
    event.add("TRANSP", "TRANSPARENT")
    event.add("SUMMARY", entry.deadline)
    event.add("URL", entry.url)
    return event


def _time(at: str) -> datetime:
    """A time of RFC 3339 in UTC, without the fraction, which iCalendar does not have."""
    return datetime.fromisoformat(at).replace(microsecond=0)
