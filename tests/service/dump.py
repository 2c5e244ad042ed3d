"""The whole database, to be compared: what was refused has changed nothing."""

from __future__ import annotations

from typing import Any

from flask import Flask
from sqlalchemy import MetaData, text

from service.database import db

Dump = dict[str, list[Any]]


def dump(app: Flask) -> Dump:
    """Every row of every table, in order."""
    with app.app_context(), db.engine.connect() as connection:
        known = MetaData()
        known.reflect(connection)
        return {
            table.name: sorted(map(tuple, connection.execute(table.select())), key=repr)
            for table in known.sorted_tables
        }


def execute(app: Flask, statement: str, **values: Any) -> list[Any]:
    """What the database answers to a statement of a test, which is committed."""
    with app.app_context(), db.engine.begin() as connection:
        done = connection.execute(text(statement), values)
        return list(done) if done.returns_rows else []
