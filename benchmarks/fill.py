"""Filling a database with copies of its games, by SQL."""

from __future__ import annotations

import sqlalchemy
from sqlalchemy import text

from service.core.database.database import db, transaction

_KEYS = 1000
"""The distance between the keys of a game and of its copy: more than the number of originals."""
_NUMBERS = "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < :copies)"
_TABLES = ("games", "tenures", "seats", "events")


def copy_games(copies: int) -> list[str]:
    """Copy every game this many times; returns the ids of the copies. All copies have the same players.

    The number of a copy replaces the end of its id.
    """
    postgresql = db.engine.dialect.name == "postgresql"
    number = "lpad(n::text, 9, '0')" if postgresql else "printf('%09d', n)"
    added = f"n * {_KEYS}"
    changed = {
        "games": {"key": f"key + {added}", "id": f"substr(id, 1, 15) || {number}"},
        "tenures": {
            "id": f"substr(id, 1, 15) || {number}",
            "game_key": f"game_key + {added}",
        },
        "seats": {
            "game_key": f"game_key + {added}",
            "tenure_id": f"substr(tenure_id, 1, 15) || {number}",
        },
        "events": {"game_key": f"game_key + {added}"},
    }
    with transaction():
        present = set(db.session.scalars(text("SELECT id FROM games")))
        for table in _TABLES:
            names = [
                each["name"]
                for each in sqlalchemy.inspect(db.session.connection()).get_columns(table)
            ]
            values = ", ".join(changed[table].get(name, name) for name in names)
            copied = f"INSERT INTO {table} ({', '.join(names)}) {_NUMBERS} SELECT {values} FROM {table}, n"
            db.session.execute(text(copied), {"copies": copies})
        found = db.session.scalars(text("SELECT id FROM games ORDER BY key")).all()
    with db.engine.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT").execute(text("ANALYZE"))
    return [each for each in found if each not in present]
