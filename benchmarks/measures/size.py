"""Sizes: a stored event with its indexes, the largest responses, and a cached state."""

from __future__ import annotations

import gc
import random
import sqlite3
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import orjson

from benchmarks.report import Measure
from benchmarks.world import SLUGS, World, world
from rules.kernel import Json, State
from service.core.words.words import LANGUAGES
from service.log.records.signed_heads import HeadSigner
from service.log.table_rows.table import Table
from service.tables.views.game_view import GameAnswer, Viewer

STORED = {"boomerang-auction": 12, "caravan": 4}
"""The number of complete games in the database."""
SEEN = {"boomerang-auction": 30, "caravan": 12}
"""The number of games whose positions are all shown to every seat and a spectator, in both languages."""
NAME = "赤桐のさん" * 8
"""The longest possible name: 40 characters of three bytes."""


def measures() -> Iterator[Measure]:
    """The sizes in bytes."""
    with world(rate_limits=False) as made:
        empty = _pages(made)
        for slug, games in STORED.items():
            for number in range(games):
                for move in made.course(made.open(slug), random.Random(number)):
                    made.play(move)
        yield from _stored(made, empty)
        for slug in SLUGS:
            yield from _answers(made, slug)
            yield _kept(made, slug)


def _database(made: World) -> sqlite3.Connection:
    return sqlite3.connect(made.home.database.removeprefix("sqlite:///"))


def _pages(made: World) -> int:
    """The bytes of the vacuumed database."""
    connection = _database(made)
    connection.execute("VACUUM")
    (pages,), (size,) = (
        connection.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size")
    )
    connection.close()
    return int(pages * size)


def _stored(made: World, empty: int) -> Iterator[Measure]:
    grown = _pages(made) - empty
    connection = _database(made)
    (events,) = connection.execute("SELECT count(*) FROM events").fetchone()
    query = "SELECT sum(pgsize) FROM dbstat WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name = 'events')"
    (own,) = connection.execute(query).fetchone()
    connection.close()
    yield Measure("a stored event, indexes included", own / events, "bytes", most=400)
    yield Measure("everything stored for a game / its events", grown / events, "bytes")


def _answers(made: World, slug: str) -> Iterator[Measure]:
    """The largest response to GET /games/{id}, without and with `legal`."""
    besides = whole = 0
    for number in range(SEEN[slug]):
        for table, state in _positions(made, slug, random.Random(number)):
            for answer in _answers_to_all(table, state):
                besides = max(besides, _bytes({**answer, "legal": []}))
                whole = max(whole, _bytes(answer))
    yield Measure(f"GET game, {slug}: without `legal`, largest", besides / 1024, "KB", most=12)
    yield Measure(f"GET game, {slug}: complete, largest", whole / 1024, "KB")


def _positions(made: World, slug: str, rng: random.Random) -> Iterator[tuple[Table, State]]:
    """Every position of a game with a decision, and the last one; all players have very long names."""
    opened = made.open(slug)
    table = Table(opened.game, tuple(replace(person, name=NAME) for person in opened.people))
    for move in made.course(table, rng):
        yield move.table, move.state
    seat = next(person.seat for person in table.people if person.player_id == move.player)
    event: Json = {"kind": "action", "seat": seat, "action": move.action}
    over = table.ruleset.act(move.state, event)
    result = table.ruleset.result(over)
    assert result is not None
    ended: Json = {"status": "over", "ended_at": table.game.started_at, "result": result._asdict()}
    yield Table(move.table.game._replace(**ended), table.people), over


def _answers_to_all(table: Table, state: State) -> Iterator[Json]:
    """The responses to all players and a spectator, in both languages."""
    for player in (*(person.player_id for person in table.people), None):
        for language in LANGUAGES:
            yield GameAnswer(
                table, state, Viewer(player, language, 2), HeadSigner(bytes(32))
            ).whole()


def _bytes(answer: Json) -> int:
    return len(orjson.dumps(answer))


def _kept(made: World, slug: str) -> Measure:
    """The average memory of a state in a game, including its caches."""
    table = made.open(slug)
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    kept: list[Any] = [move.state for move in made.course(table, random.Random(0))]
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return Measure(f"a cached state, {slug}", (after - before) / len(kept) / 1024, "KB")
