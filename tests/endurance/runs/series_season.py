"""A season of series: a Swiss series for everybody, and the round-robin of a circle of twelve, at tables of four.

Up to 200 people of known strengths play every game in full, by the service's own use cases, with a clock that runs
fast. Some are slow and run out of time, some never come again, some resign, some leave, and substitutes take over. In
the end both series are over and every game is, too. Each table counts as its game ended, or as it was at the end of
its round: that is worked out anew at that moment, from the rows of the game alone. A second implementation of the
standings agrees with what the service shows, and ratings find the strengths of those who play in time and to the end.

200 people take some six minutes on one slow core, the short form seconds. It counts games, moves, tables that the end
of a round has decided, seats of people who ran out of time, and the rank correlation of ratings and strengths.
"""

from __future__ import annotations

import json
import statistics
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from rules.kernel import Json
from service.people.circles import circle_members, circles
from service.people.circles.series import series
from service.people.ratings import leaderboards
from service.tables.before_start import series_rounds
from service.tables.views.series import series_view
from tests.endurance.frame import Definition, Run
from tests.endurance.league import League
from tests.support.clock import DAY
from tests.support.dump import execute
from tests.support.second_standings import by_duels

PEOPLE, CIRCLE = 200, 12
"""The most people, and the members of the circle."""
SUBSTITUTES, LATE = 4, 12
"""The number of people who join after the beginning, and the moment at which they do."""
ROUND_DAYS = 7
SHORT = {"rounds": 3, "circle_rounds": 1}
"""The numbers of rounds of short forms; in full there are as many as suit the number of people."""
AT_ONCE = 3
"""The number of games that the members of the circle play at the same time."""
MOST_MOMENTS = 1200
"""The moments after which everything has to be over."""
CORRELATION, SHORT_CORRELATION = 0.65, 0.3
"""The least rank correlation of ratings and strengths; after one or two games each there is much luck in it."""
TABLE: Json = {
    "ruleset": "joretsu",
    "players": 4,
    "options": {},
    "private": False,
    "rated": True,
    "seating": "random",
    "house": 0,
    "level": "normal",
    "start": "full",
    "pace": "daily",
    "takeover": 2,
    "nonce": None,
}
_DECIDED = "SELECT count(*) FROM series_tables WHERE why IS NOT NULL"
_TABLES = """
SELECT series_tables.key, series.id AS series, series_tables.round, series_tables.people, series_tables.seated,
       series_tables.places, series_tables.why, series_tables.game_key, games.status, games.result
FROM series_tables JOIN series ON series.key = series_tables.series_key
LEFT JOIN games ON games.key = series_tables.game_key
ORDER BY series_tables.key
"""
_SEATS = """
SELECT seats.seat, seats.waiting, now.player_id AS holder, first.player_id AS beginner
FROM seats JOIN tenures AS now ON now.id = seats.tenure_id
JOIN tenures AS first ON first.game_key = seats.game_key AND first.seat = seats.seat AND first.began = 1
WHERE seats.game_key = :game ORDER BY seats.seat
"""


class Expected(NamedTuple):
    """How a table has to count."""

    series: str
    round: int
    people: list[int]
    places: list[int]


def endure(run: Run) -> None:
    """Let this number of people play a season."""
    league = League(run, min(PEOPLE, run.rounds) + SUBSTITUTES)
    open_id, circle_id = set_up(league)
    expected = dict[int, Expected]()
    for moment in range(MOST_MOMENTS):
        league.pass_time()
        while work(league):
            watch(league, expected)
        if moment == LATE:
            join(league, open_id, league.players[-SUBSTITUTES:])
        if is_over(league):
            break
        league.leave(open_id)
        league.look()
    plant(league, run.fault)
    judge_tables(league, expected)
    for series_id in (open_id, circle_id):
        judge_standings(league, series_id, expected)
    judge_ratings(league)


def set_up(league: League) -> tuple[str, str]:
    """Open both series, which begin the next day; returns their ids."""
    services, run = league.services, league.run
    is_short = run.rounds < PEOPLE
    terms = {"starts_at": services.now() + DAY, "round_days": ROUND_DAYS, "repeats": False}
    number, of_circle = SHORT.values() if is_short else (None, None)
    with league.app.app_context():
        wish = {**terms, "name": "Open league", "table": TABLE, "rounds": number}
        opened = series_rounds.set_up_for_all(services, wish).id
        host, *others = league.players[:CIRCLE]
        secret = services.config.secret_key
        circle = circles.found(services, secret, host.id, {"name": "A dozen", "about": None}).circle
        for each in others:
            key = circles.key_of(circle, secret)
            circle_members.join(services, secret, circle.id, each.id, key)
        wish = {**wish, "name": "The dozen", "rounds": of_circle}
        ours = series_rounds.set_up(services, circle.id, host.id, wish).id
    join(league, opened, league.players[:-SUBSTITUTES])
    join(league, ours, league.players[:CIRCLE])
    return opened, ours


def join(league: League, series_id: str, people: Sequence[Any]) -> None:
    """Let people join a series."""
    with league.app.app_context():
        for each in people:
            series_rounds.join(league.services, series_id, each.id, {"at_once": AT_ONCE})
    league.run.count("people in series", len(people))


def work(league: League) -> int:
    """Let the worker pass once through its tasks, of which series come after clocks and house players."""
    with league.app.app_context():
        return league.hours.worker.run_once()


def is_over(league: League) -> bool:
    """Whether no series and no game goes on."""
    going = "SELECT (SELECT count(*) FROM series WHERE status != 'over')"
    going += " + (SELECT count(*) FROM games WHERE status != 'over')"
    return execute(league.app, going)[0][0] == 0


def watch(league: League, expected: dict[int, Expected]) -> None:
    """Work out how the tables count that have just been decided."""
    if execute(league.app, _DECIDED)[0][0] == len(expected):
        return
    for row in execute(league.app, _TABLES):
        if row.why is not None and row.key not in expected:
            seated, places = loaded(row.seated) or [], list[int]()
            if row.why != "not-played":
                places = places_of(league, row)
            expected[row.key] = Expected(row.series, row.round, seated, places)
            league.run.count(f"tables: {row.why}")


def places_of(league: League, row: Any) -> list[int]:
    """The place of each seat, from the rows of the game: by its result, or by whom it waits for."""
    seats, result = execute(league.app, _SEATS, game=row.game_key), loaded(row.result)
    left = [each.holder != each.beginner for each in seats]
    if row.why == "time":
        assert row.status == "running", "a game that is over was decided by time"
        worth = [not (each.waiting or gone) for each, gone in zip(seats, left, strict=True)]
        return ranked([(int(each), 0) for each in worth])
    assert row.status == "over", "a game that is not over was decided"
    winners, scores = result["winners"], result["scores"]
    return ranked([
        (0, 0) if gone else (2, 0) if seat in winners else (1, scores[seat])
        for seat, gone in enumerate(left)
    ])  # fmt: skip


def ranked(worth: Sequence[tuple[int, int]]) -> list[int]:
    """Places from what each is worth, the greatest first; equals share one."""
    return [1 + sum(other > each for other in worth) for each in worth]


def loaded(value: Any) -> Any:
    """A value of a JSON column, which some drivers return as text."""
    return json.loads(value) if isinstance(value, str) else value


def plant(league: League, fault: str) -> None:
    """Let the fault happen that is to be found."""
    statements = {
        "swapped-places": "UPDATE series_tables SET places = '[1, 4, 2, 3]' WHERE key = 2",
        "lost-table": "DELETE FROM series_tables WHERE key = 2",
        "foreign-points": "UPDATE series_tables SET series_key = 3 - series_key, number = 99 WHERE key = 2",
        "swapped-ratings": "UPDATE ratings SET mean = -mean",
    }
    if fault in statements:
        execute(league.app, statements[fault])


def judge_tables(league: League, expected: dict[int, Expected]) -> None:
    """Check that everything is over, and that each table counts as it has to."""
    assert is_over(league), "series or games go on"
    stored = {row.key: row for row in execute(league.app, _TABLES)}
    assert stored.keys() == expected.keys(), "a table is missing"
    for key, table in expected.items():
        row = stored[key]
        found = (row.series, row.round, loaded(row.seated) or [], loaded(row.places) or [])
        assert found == table, f"table {key} counts as {found}, and not as {table}"
    assert "tables: not-played" not in league.run.counts, "there were enough people everywhere"
    log = "SELECT count(*) FROM time_entries WHERE kind = 'late'"
    league.run.counts |= {"games": len(stored), "time-outs": execute(league.app, log)[0][0]}


def judge_standings(league: League, series_id: str, expected: dict[int, Expected]) -> None:
    """Check that a second implementation finds the standings that are shown."""
    entries = "SELECT id, number FROM series_entries WHERE number IS NOT NULL"
    numbers = {row.id: row.number for row in execute(league.app, entries)}
    with league.app.app_context():
        shown = series_view.whole(series.find(series_id), None, "en")
    tables = [each for each in expected.values() if each.series == series_id]
    people = [numbers[each["id"]] for each in shown["standings"]]
    outs = Counter(people * shown["round"])
    outs.subtract(who for each in tables for who in each.people)
    scored = [(each.people, [-place for place in each.places]) for each in tables]
    found = by_duels(people, scored, outs)
    for row in shown["standings"]:
        mine = found[numbers[row["id"]]]
        place = 1 + sum(other > mine for other in found.values())
        rounded = [round(float(each), 2) for each in mine[:3]]
        ours = [row[name] for name in ("points", "against", "opposition")]
        assert (row["place"], ours, row["won"]) == (place, rounded, mine.won), row
    league.run.count("places compared", len(people))


def judge_ratings(league: League) -> None:
    """Check that those who play better have the better ratings, among those who stayed."""
    with league.app.app_context():
        rated = [
            (each.strength, known[0].mean)
            for each in league.players
            if each.stays and (known := leaderboards.of_player(each.id))
        ]
    ranks = [ranked([(0, value) for value in side]) for side in zip(*rated, strict=True)]
    correlation = statistics.correlation(*ranks)
    league.run.counts["rank correlation"] = round(correlation, 3)
    least = CORRELATION if league.run.rounds >= PEOPLE else SHORT_CORRELATION
    assert correlation >= least, f"ratings and strengths correlate by {correlation:.2f}"


DEFINITION = Definition(
    endure,
    rounds=PEOPLE,
    quick=16,
    unit="people",
    faults=("swapped-places", "lost-table", "foreign-points", "swapped-ratings"),
)
