"""`tegami copy-database`: copies a database into an empty database of either kind, and proves that nothing is
missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import click
from flask import Flask
from sqlalchemy import Connection, MappingResult, Table, func, inspect, make_url, select, text

from service.core.database.database import db
from service.core.database.partitions import partitions
from service.core.database.schema import OURS, present_revisions
from service.core.database.tables import Base
from service.core.models.games import Game
from service.core.models.server import KeyCheck
from service.core.settings.config import Config
from service.core.settings.database_address import FOR_COMMANDS, database_url
from service.log import event_log
from service.operations.audited import AuditedCommand
from service.web.app import create_app

BATCH = 1000
"""The number of rows that are read and written at a time."""


class CannotCopy(click.ClickException):
    """Nothing was copied; the text says why."""


class Copied(NamedTuple):
    """The numbers of rows and games that were copied and found equal."""

    rows: dict[str, int]
    """The number of rows, by table."""
    games: int
    """The number of games whose logs were hashed again, from the first event to the last."""
    cold: int = 0
    """The number of games whose logs are in cold storage, where both databases find them."""


@click.command("copy-database", cls=AuditedCommand)
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def copy_database(source: str, target: str) -> None:
    """Copy the database FROM to the empty database TO, while no server uses either.

    Each is a file of SQLite or postgresql://user@host/name; PostgreSQL's password comes from PGPASSWORD or ~/.pgpass.
    """
    config = Config.from_environment()
    copied = copy(config, address(config, source), address(config, target), click.echo)
    told = f"{sum(copied.rows.values())} rows are equal, and the logs of {copied.games} games whole"
    if copied.cold:
        told += f"; those of {copied.cold} more stay in cold storage"
    click.echo(
        f"{told}. Set DATABASE_URL to the copy, and keep the original until you have played."
    )


def address(config: Config, given: str) -> str:
    """SQLAlchemy's address of the given database. Raises CannotCopy if it contains a password, which other users of the
    machine could read.
    """
    if "://" not in given:
        return f"sqlite:///{Path(given).absolute()}"
    found = make_url(database_url(given, config.data_dir))
    if found.password or "password" in found.query:
        raise CannotCopy("Leave the password out of the address: use PGPASSWORD or ~/.pgpass.")
    return found.render_as_string(hide_password=False)


def copy(config: Config, source: str, target: str, tell: Callable[[str], object]) -> Copied:
    """Copy all rows in one transaction, compare both databases, and hash every log again; returns the numbers. Raises
    CannotCopy.
    """
    from service.operations.stored_data import migrating  # it loads Alembic

    with opened(config, source) as (old, _), opened(config, target) as (new, app):
        if present_revisions(old) != {OURS.last}:
            raise CannotCopy("FROM is not of this release: run bin/tegami migrate on it.")
        if set(inspect(new).get_table_names()):
            raise CannotCopy("TO is not empty.")
        new.rollback()
        migrating.upgrade(app)
        with new.begin():
            for table in tables(old):
                for rows in in_order(old, table).partitions(BATCH):
                    new.execute(table.insert(), [dict(row) for row in rows])
                tell(f"{table.name}: {count(new, table)}")
            go_on_counting(old, new)
            return proven(old, new)


@contextmanager
def opened(config: Config, url: str) -> Iterator[tuple[Connection, Flask]]:
    """A connection that reads one snapshot of a database, and the application that uses it."""
    app = create_app(replace(config, database_url=url, patience=FOR_COMMANDS))
    with app.app_context(), closing(db.engine.connect()) as connection:
        yield connection, app
        connection.rollback()


def tables(connection: Connection) -> list[Table]:
    """All tables, each after those to which it refers. Raises CannotCopy for a table that this release does not
    know.
    """
    known = KeyCheck.metadata.sorted_tables
    there = (
        set(inspect(connection).get_table_names()) - {"alembic_version"} - partitions(connection)
    )
    if there != {table.name for table in known}:
        raise CannotCopy("FROM has other tables than this release.")
    return known


def in_order(connection: Connection, table: Table) -> MappingResult:
    """The rows of a table ordered by its key, in an order that both kinds of databases share."""
    on_postgresql = connection.dialect.name == "postgresql"
    keys = [
        key.collate("C") if on_postgresql and key.type.python_type is str else key
        for key in table.primary_key
    ]
    found = connection.execution_options(yield_per=BATCH).execute(select(table).order_by(*keys))
    return found.mappings()


def go_on_counting(old: Connection, new: Connection) -> None:
    """Continue the databases' own counters where they were, so that the number of a deleted row is not used again."""
    for table in Base.metadata.sorted_tables:
        column = table.autoincrement_column
        if column is None:
            continue
        highest = new.execute(select(func.max(column))).scalar() or 0
        last = max(highest, counted(old, table.name, column.name))
        values = {"name": table.name, "key": column.name, "last": last}
        if last and new.dialect.name == "postgresql":
            sequence = "SELECT setval(pg_get_serial_sequence(:name, :key), :last)"
            new.execute(text(sequence), values)
        elif last and table.dialect_options["sqlite"]["autoincrement"]:
            new.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), values)
            new.execute(text("INSERT INTO sqlite_sequence VALUES (:name, :last)"), values)


def counted(connection: Connection, name: str, column: str) -> int:
    """The highest number that a database has assigned to a row of this table; 0 if it keeps no counter."""
    query = text("SELECT seq FROM sqlite_sequence WHERE name = :name")
    if connection.dialect.name == "postgresql":
        query = text(
            "SELECT last_value FROM pg_sequences WHERE schemaname = current_schema() AND "
            "sequencename = split_part(replace(pg_get_serial_sequence(:name, :key), '\"', ''), '.', 2)"
        )
    return connection.execute(query, {"name": name, "key": column}).scalar() or 0


def proven(old: Connection, new: Connection) -> Copied:
    """The numbers of copied rows and games. Raises CannotCopy if a row differs or is missing, or if the chain of a log
    has changed.
    """
    rows = {}
    for table in tables(old):
        for mine, theirs in zip_longest(in_order(old, table), in_order(new, table)):
            if mine != theirs:
                told = f"A row of {table.name} differs in the copy. Nothing was kept of it."
                raise CannotCopy(told)
        rows[table.name] = count(new, table)
    cold = select(func.count()).where(Game.cold.is_not(None))
    return Copied(rows, whole_logs(new), new.execute(cold).scalar_one())


def whole_logs(connection: Connection) -> int:
    """The number of games with a log. Raises CannotCopy if an event does not fit the one before."""
    events, games = Base.metadata.tables["events"], 0
    game, number, head = None, 0, None
    for row in in_order(connection, events):
        if row["game_key"] != game:
            game, number, head, games = row["game_key"], 0, None, games + 1
        number, head = number + 1, event_log.digest(head, row["body"])
        if (row["number"], bytes(row["digest"])) != (number, head):
            raise CannotCopy(f"The log of game {game} is broken at event {row['number']}.")
    return games


def count(connection: Connection, table: Table) -> int:
    """The number of rows in a table."""
    return connection.execute(select(func.count()).select_from(table)).scalar_one()
