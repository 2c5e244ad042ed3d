"""The whole database, for comparing: a refused request has changed nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flask import Flask
from sqlalchemy import Connection, MetaData, Table, text

from service.core.database.database import db

Dump = dict[str, list[Any]]


def dump(app: Flask) -> Dump:
    """Every row of every table, in order."""
    with app.app_context(), db.engine.connect() as connection:
        return {
            table.name: sorted(map(tuple, rows(connection, table)), key=repr)
            for table in tables_of(db.engine.dialect.name, connection)
        }


def rows(connection: Connection, table: Table) -> Iterable[Any]:
    """The rows of a table, as the driver returns them."""
    name = connection.dialect.identifier_preparer.format_table(table)
    return connection.exec_driver_sql(f"SELECT * FROM {name}").cursor.fetchall()


_TABLES: dict[tuple[str, str], list[Table]] = {}


def tables_of(kind: str, connection: Connection) -> list[Table]:
    """Every table that the migrations make, read from the database once for each release."""
    release = (
        kind,
        str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar()),
    )
    if release not in _TABLES:
        known = MetaData()
        known.reflect(connection)
        _TABLES[release] = known.sorted_tables
    return _TABLES[release]


def execute(app: Flask, statement: str, **values: Any) -> list[Any]:
    """The database's result of a test's statement, which is committed."""
    with app.app_context(), db.engine.begin() as connection:
        done = connection.execute(text(statement), values)
        return list(done) if done.returns_rows else []
