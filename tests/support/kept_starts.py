"""Games right after their start, cached: restoring one takes a tenth of the time of beginning it.

Most tests of the service begin with the same few people sitting down at a table. Everything up to then depends on the
settings, the time and the random bytes, which are the same at the start of every test, and on the wish. So the same
wish in an unused application restores the database, the sign-ins and the random bytes of the first time. This is done
only on SQLite; where anything differs, all requests are sent again.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from flask import Flask

import rules
from service.core.database.database import db
from service.tables.services import Services

FIRST = random.Random(2459).getstate()
"""The state of the random bytes when a test begins."""
MOST = 40
"""The most starts that a process keeps; it needs a few dozen."""


class KeptStart(NamedTuple):
    """The state after a start."""

    database: sqlite3.Connection
    randomness: Any
    people: dict[str, Any]
    game_id: str


class KeptStarts:
    """The starts that this process has made, by everything on which they depend."""

    def __init__(self) -> None:
        self._kept: dict[Any, KeptStart] = {}
        self.brought_back = 0
        """The number of restored starts."""

    def start(
        self,
        app: Flask,
        wish: Any,
        anew: Callable[[], tuple[str, dict[str, Any]]],
        again: Callable[[dict[str, Any]], None],
    ) -> str:
        """The id of the game: `anew` begins it and returns its people, or `again` is told who they were."""
        services: Services = app.extensions["tegami"]
        rng, path = _random_of(services), _file_of(app)
        if rng is None or path is None or rng.getstate() != FIRST:
            return anew()[0]
        with closing(sqlite3.connect(path, timeout=0)) as connection:
            key = (
                replace(services.config, data_dir=Path()),
                services.now(),
                wish,
                tuple((slug, rules.versions(slug)) for slug in rules.slugs()),
                _contents(connection),
            )
            kept = self._kept.get(key)
            if kept is None:
                game_id, people = anew()
                if len(self._kept) < MOST:
                    copy = sqlite3.connect(":memory:")
                    connection.backup(copy)
                    self._kept[key] = KeptStart(copy, rng.getstate(), people, game_id)
                return game_id
            connection.execute("PRAGMA synchronous = OFF")
            kept.database.backup(connection)
        self.brought_back += 1
        rng.setstate(kept.randomness)
        again(kept.people)
        return kept.game_id


def _random_of(services: Services) -> random.Random | None:
    made_by = getattr(services.entropy, "__self__", None)
    return made_by if isinstance(made_by, random.Random) else None


def _file_of(app: Flask) -> str | None:
    with app.app_context():
        return db.engine.url.database if db.engine.dialect.name == "sqlite" else None


def _contents(connection: sqlite3.Connection) -> tuple[Any, ...]:
    """All rows of the tables that are not empty before anybody has come."""
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    names = [name for (name,) in tables if not name.startswith("sqlite_")]
    rows = ((name, connection.execute(f'SELECT * FROM "{name}"').fetchall()) for name in names)
    return tuple((name, tuple(found)) for name, found in rows if found)
