"""The database's plan for a statement, and the tables that it scans completely, however many rows they have.

SQLite reports complete scans of an index, too. PostgreSQL chooses by the size of a table, which is small here, so it
is asked whether there is any other way.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from flask import Flask
from sqlalchemy import Connection, Select

from service.core.database.database import db
from service.core.database.tables import Base
from tests.support.watching import watched

SMALL = {
    *("new", "heartbeats", "outages", "process_beats", "log_checks", "damaged_games"),
    "alembic_version",
}
"""Tables that may be scanned: the rows of the statement itself, rows of processes, and findings of checks."""
PARTIAL = {
    str(index.name)
    for table in Base.metadata.tables.values()
    for index in table.indexes
    if index.dialect_options["sqlite"]["where"] is not None
}
"""The indexes of the few rows that wait for something, which may be scanned."""
_PLANNED = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")
_PARTS = ("anon_", "can_go", "kept_busy", "of_host", "of_player")
"""The names of intermediate results in parts of statements."""
_ON_SQLITE = re.compile(r"SCAN ([a-z]\w*)\b(?: USING (?:COVERING )?INDEX (\w+))?")
_NAMED = re.compile(r"%\((\w+?)(?:_\d+)?\)s")
_BOOLEANS = {"waiting", "quick"}
"""Parameters whose type only the driver knows."""


def asked(app: Flask, do: Callable[[], object]) -> list[str]:
    """The statements that reach the database while `do` runs."""
    with watched(app) as seen:
        do()
        return [each for each in seen.statements if each.startswith(_PLANNED)]


def scanned(app: Flask, statements: Iterable[str], small: Iterable[str] = ()) -> set[Any]:
    """The tables that the database scans for these statements, each with its statement."""
    known = SMALL | {*small}
    with app.app_context(), db.engine.connect() as connection:
        is_postgresql = connection.dialect.name == "postgresql"
        if is_postgresql:
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        found = _scans_on_postgresql if is_postgresql else _scans_on_sqlite
        scans = {
            (table, each)
            for each in dict.fromkeys(statements)
            for table in found(connection, each)
            if table not in known
        }
        connection.rollback()
        return scans


def fixed_text(app: Flask, query: Select[Any], **values: object) -> str:
    """The statement with these values in it."""
    with app.app_context():
        made = query.params(**values).compile(db.engine, compile_kwargs={"literal_binds": True})
        return str(made)


def plan_of(connection: Connection, statement: str) -> list[Any]:
    """The plan of a statement, for any parameters: the rows of the database's response."""
    if connection.dialect.name == "sqlite":
        return list(connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}"))
    numbers = itertools.count(1)

    def number(found: re.Match[str]) -> str:
        return f"${next(numbers)}{'::boolean' * (found[1] in _BOOLEANS)}"

    numbered = _NAMED.sub(number, statement).replace("%", "%%")
    return list(connection.exec_driver_sql(f"EXPLAIN (GENERIC_PLAN, FORMAT JSON) {numbered}"))


def _scans_on_sqlite(connection: Connection, statement: str) -> Iterator[str]:
    for row in plan_of(connection, statement):
        for table, index in _ON_SQLITE.findall(row[3]):
            if index not in PARTIAL and not table.startswith(_PARTS):
                yield table


def _scans_on_postgresql(connection: Connection, statement: str) -> Iterator[str]:
    for row in plan_of(connection, statement):
        for entry in row[0]:
            yield from _whole(entry["Plan"])


def _whole(node: dict[str, Any]) -> Iterator[str]:
    """The tables that this part of a plan reads completely."""
    if node["Node Type"] == "Seq Scan":
        yield node["Relation Name"]
    for each in node.get("Plans", ()):
        yield from _whole(each)
