"""A series as a player sees it: its terms, its standings with the criteria for equal points, and its rounds."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import rules
from rules.kernel import Json
from service.core.runtime.time_and_random import rfc3339
from service.core.words.words import Phrases, phrases
from service.people.circles.series import entries, rounds, series
from service.people.circles.series.entries import EntryRow
from service.people.circles.series.rounds import TableRow
from service.people.circles.series.series import SeriesRow
from service.people.circles.series.standings import Standing
from service.tables.before_start import series_rounds
from service.tables.clocks import paces
from service.tables.views.people_names import name_of

TIE_BREAKS = ("points", "against", "opposition", "won", "shared")
"""The criteria that decide the places, the most important first; messages put them into words."""


def summaries(found: Sequence[SeriesRow], language: str) -> list[Json]:
    """The series of a list, with as many queries for many as for one."""
    circles, people = series.circle_ids_of(found), entries.numbers_in([each.key for each in found])
    return [
        _summary(each, language, circles.get(each.circle_key), people.get(each.key, 0))
        for each in found
    ]


def _summary(row: SeriesRow, language: str, circle: str | None, people: int) -> Json:
    slug = row.wish["ruleset"]
    return {
        "id": row.id,
        "circle": circle,
        "name": row.name,
        "season": row.season,
        "status": row.status,
        "ruleset": slug,
        "game": phrases(language, slug).say("name"),
        "round": row.round,
        "ends_at": None if row.status == "over" else rfc3339(row.ends_at),
        "people": people,
    }


def whole(row: SeriesRow, player_id: str | None, language: str) -> Json:
    """A series with its standings and rounds, as this player sees it."""
    words, found = phrases(language), rounds.tables(row.key)
    people = entries.of_series(row.key)
    ids = {each.number: each.id for each in people}
    mine = next((each for each in people if player_id and each.player_id == player_id), None)
    numbered = [each for each in people if each.number is not None]
    offered = rules.load(row.wish["ruleset"]).players
    return {
        **summaries([row], language)[0],
        "system": row.system,
        "seats": row.wish.get("players") or offered[0],
        "rounds": _number_of_rounds(row, len(numbered), found),
        "round_days": row.round_days,
        "repeats": row.repeats,
        "pace": paces.shown(paces.chosen(row.wish.get("pace")), words),
        "lead": player_id is not None and series.is_lead(row, player_id),
        "entry": mine and _own(mine),
        "standings": _standings(row, numbered, found, player_id, words),
        "waiting": [_person(each, player_id, words) for each in people if each.number is None],
        "tie_breaks": [words.say(f"series.tie-break.{each}") for each in TIE_BREAKS],
        "tables": [_table(each, ids) for each in found if each.round <= row.round or each.game_id],
    }


def _number_of_rounds(row: SeriesRow, people: int, found: Sequence[TableRow]) -> int | None:
    return series_rounds.last_round(row, people, found) if row.round else row.rounds


def _own(entry: EntryRow) -> Json:
    return {"id": entry.id, "at_once": entry.at_once, "plays": entry.number is not None}


def _person(entry: EntryRow, player_id: str | None, words: Phrases) -> Json:
    name = entry.name or words.say("series.vacant")
    return {
        "id": entry.id,
        "name": name_of(name, entry.program, words),
        "you": player_id is not None and entry.player_id == player_id,
    }


def _standings(
    row: SeriesRow,
    numbered: Sequence[EntryRow],
    found: Sequence[TableRow],
    player_id: str | None,
    words: Phrases,
) -> list[Json]:
    by_number = {number: each for each in numbered if (number := each.number) is not None}
    standing = rounds.standings_of(row, list(by_number), found)
    return [
        {**_person(by_number[each.who], player_id, words), **numbers(each)} for each in standing
    ]


def numbers(standing: Standing) -> Json:
    """The numbers of a person in the standings, rounded to two decimals."""
    return {
        "place": standing.place,
        "points": _decimal(standing.points),
        "games": standing.games,
        "won": standing.won,
        "out": standing.out,
        "against": _decimal(standing.against),
        "opposition": _decimal(standing.opposition),
    }


def _decimal(number: Fraction) -> float:
    return round(float(number), 2)


def _table(table: TableRow, ids: dict[int | None, str]) -> Json:
    """A table of a series; its `places` are those of `people`, null for somebody who has not played."""
    places = dict(zip(table.seated or (), table.places or (), strict=False))
    return {
        "round": table.round,
        "people": [ids[number] for number in table.people],
        "game": table.game_id,
        "state": table.why or ("running" if table.has_begun else "waiting"),
        "places": [places.get(number) for number in table.people] if table.is_decided else None,
    }
