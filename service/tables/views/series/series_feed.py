"""What has happened in a series, for news readers: rounds that have begun, games that are over, the final standings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from rules.kernel import Json
from service.core.runtime.plain_text import one_line
from service.core.runtime.time_and_random import rfc3339
from service.core.settings.config import Config
from service.core.words.words import Phrases, phrases
from service.people.circles.series import rounds
from service.people.circles.series.rounds import Times
from service.people.circles.series.series import SeriesRow
from service.tables.views.series import series_view

MOST_ENTRIES = 100
"""The most entries, the latest of all."""
MOST_NAMED = 10
"""The most people in the final standings; the page of the series has all."""


class SeriesEntry(NamedTuple):
    """Something that has happened in a series."""

    id: str
    """An id that stays the same, and that nothing else gets."""
    title: str
    url: str
    at: str
    """The time, in the form of RFC 3339."""
    summary: str = ""


def title(row: SeriesRow, language: str) -> str:
    """The title of the feed."""
    fields = {"name": row.name, "season": row.season}
    return one_line(phrases(language).say("page.series.one", fields))


def entries(config: Config, language: str, row: SeriesRow) -> list[SeriesEntry]:
    """What has happened, the latest first."""
    words, times = phrases(language), rounds.times_of(row.key)
    shown = series_view.whole(row, None, language)
    names = {each["id"]: each["name"] for each in shown["standings"]}
    made = _Entries(config, row, words, names)
    found = [made.begun(*each) for each in _rounds_begun(shown["tables"], times)]
    for table in shown["tables"]:
        ended_at = times[table["game"]].ended_at if table["game"] in times else None
        if ended_at is not None:
            found.append(made.over(table, ended_at))
    if row.ended_at is not None and row.round:
        found.append(made.final(shown["standings"], row.ended_at))
    return sorted(found, key=lambda each: (each.at, each.id), reverse=True)[:MOST_ENTRIES]


def _rounds_begun(tables: Sequence[Json], times: Mapping[str, Times]) -> list[tuple[int, int]]:
    """The number of each round in which a game has begun, and when the first one has."""
    begun = dict[int, int]()
    for table in tables:
        if table["game"] in times:
            at = times[table["game"]].started_at
            begun[table["round"]] = min(at, begun.get(table["round"], at))
    return list(begun.items())


class _Entries:
    """Makes the entries of a series."""

    def __init__(
        self, config: Config, row: SeriesRow, words: Phrases, names: Mapping[str, str]
    ) -> None:
        self._page, self._row, self._words, self._names = config.public_url, row, words, names

    def begun(self, number: int, at: int) -> SeriesEntry:
        """A round has begun."""
        return self._entry(f"round/{number}", "feed.series.begun", {"n": number}, at)

    def over(self, table: Json, at: int) -> SeriesEntry:
        """A game is over: who played, the best first if that is how the table counts."""
        places = table["places"] or [None] * len(table["people"])
        met = sorted(
            zip(places, table["people"], strict=True), key=lambda each: each[0] or len(places) + 1
        )
        people = [self._placed(place, self._names[who]) for place, who in met]
        fields = {"n": table["round"], "people": self._words.say("page.comma").join(people)}
        made = self._entry(f"game/{table['game']}", "feed.series.over", fields, at)
        return made._replace(url=f"{self._page}/games/{table['game']}")

    def final(self, standings: Sequence[Json], at: int) -> SeriesEntry:
        """The series is over."""
        best = [self._placed(each["place"], each["name"]) for each in standings[:MOST_NAMED]]
        made = self._entry("final", "feed.series.final", {}, at)
        return made._replace(summary=one_line(self._words.say("page.comma").join(best)))

    def _placed(self, place: int | None, name: str) -> str:
        return self._words.say("page.series.at", {"place": place, "name": name}) if place else name

    def _entry(self, what: str, key: str, fields: Json, at: int) -> SeriesEntry:
        host, day = urlsplit(self._page).hostname, rfc3339(self._row.created_at)[:10]
        return SeriesEntry(
            f"tag:{host},{day}:{self._row.id}/{what}",
            one_line(self._words.say(key, fields)),
            f"{self._page}/series/{self._row.id}",
            rfc3339(at),
        )
