"""What readers of news and calendars fetch: the turns of a player as an Atom feed, and their deadlines (iCalendar).

Nobody signs in there: the address is the secret. So they say what the subject of a mail says, which games wait for the
player and until when, and nothing of what lies on the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple
from urllib.parse import urlsplit

from rules.kernel import Json
from service.core.config import Config
from service.core.time_and_random import rfc3339
from service.core.words import phrases

MOST_OCTETS = 75
"""Of a line of iCalendar; a longer one is folded (RFC 5545, 3.1)."""


class Entry(NamedTuple):
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


def entries(config: Config, language: str, turns: Sequence[Json]) -> list[Entry]:
    """The questions, in the order of `turns` (service/views/game_lists.py)."""
    words, host = phrases(language), urlsplit(config.public_url).hostname
    found = list[Entry]()
    for turn in turns:
        game, since = turn["game"], turn["since"]
        fields = {"game": game["ruleset"]["name"]}
        found.append(
            Entry(
                f"tag:{host},{since[:10]}:{game['id']}/{turn['seat']}/{turn['asked']}",
                words.say("feed.turn", fields),
                f"{config.public_url}/#/games/{game['id']}",
                since,
                turn["due"],
                words.say("feed.deadline", fields),
            )
        )
    return found


def updated(since: Sequence[Entry], created_at: int) -> str:
    """When a feed with these entries last changed, or when it was made if there are none."""
    return max((each.since for each in since), default=rfc3339(created_at))


def calendar(found: Sequence[Entry], name: str) -> str:
    """The deadlines as iCalendar (RFC 5545). A deadline that is moved keeps its UID, and its SEQUENCE rises."""
    head = [
        *("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Tegami//Deadlines//EN", "METHOD:PUBLISH"),
        *(f"NAME:{_text(name)}", f"X-WR-CALNAME:{_text(name)}"),
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    ]
    events = (line for each in found if each.due for line in _event(each, each.due))
    return "".join(f"{_folded(line)}\r\n" for line in (*head, *events, "END:VCALENDAR"))


def _event(entry: Entry, due: str) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{_text(entry.id)}"
    yield f"DTSTAMP:{_time(entry.since)}"
    yield f"SEQUENCE:{_seconds(due) - _seconds(entry.since)}"  # deadlines are only ever moved later
    yield f"DTSTART:{_time(due)}"
    yield "TRANSP:TRANSPARENT"
    yield f"SUMMARY:{_text(entry.deadline)}"
    yield f"URL:{entry.url}"
    yield "END:VEVENT"


def _time(at: str) -> str:
    """A time of RFC 3339 in UTC as iCalendar has it, without the fraction."""
    return f"{at[:19].replace('-', '').replace(':', '')}Z"


def _seconds(at: str) -> int:
    return int(datetime.fromisoformat(at).timestamp())


def _text(value: str) -> str:
    """Text in which what means something else is escaped (RFC 5545, 3.3.11)."""
    escaped = value.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return escaped.replace("\n", "\\n")


def _folded(line: str) -> str:
    """A line in pieces, each of which but the first begins with a space; no character is torn."""
    pieces, size = [""], 0
    for letter in line:
        octets = len(letter.encode())
        if size + octets > MOST_OCTETS:
            pieces.append(" ")
            size = 1
        pieces[-1] += letter
        size += octets
    return "\r\n".join(pieces)
