"""Games that have begun, kept as they were right after the start: to bring one back takes a tenth of beginning it.

Most tests of the service begin with the same few people who sit down at a table. All that happens until then hangs on
the settings, the time and the random bytes, which are the same at the start of every test, and on what was wished for.
So whoever wishes for the same in an application in which nothing has happened yet gets the database, the sign-ins and
the random bytes as the first one had them. That is done on SQLite alone, and where anything is different all requests
are sent anew.
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
"""That of the random bytes when a test begins."""
MOST = 40
"""How many are kept; of a process, which has a few dozen in mind."""


class KeptStart(NamedTuple):
    """What there was after a start."""

    database: sqlite3.Connection
    randomness: Any
    people: dict[str, Any]
    game_id: str


class KeptStarts:
    """The starts that this process has made, by all that they hang on."""

    def __init__(self) -> None:
        self._kept: dict[Any, KeptStart] = {}
        self.brought_back = 0
        """How many have been."""

    def start(
        self,
        app: Flask,
        wish: Any,
        anew: Callable[[], tuple[str, dict[str, Any]]],
        again: Callable[[dict[str, Any]], None],
    ) -> str:
        """The id of the game: `anew` begins it and tells who came, or `again` is told who had come."""
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
    """All rows of what is not empty before anybody has come."""
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    names = [name for (name,) in tables if not name.startswith("sqlite_")]
    rows = ((name, connection.execute(f'SELECT * FROM "{name}"').fetchall()) for name in names)
    return tuple((name, tuple(found)) for name, found in rows if found)
