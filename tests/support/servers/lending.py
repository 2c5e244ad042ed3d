"""Databases and applications that the tests of one process use one after another.

Making them takes longer than most tests do. A database is restored after use; one that cannot be is discarded.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import psycopg
from flask import Flask

from service.core.database.database import db
from service.core.runtime import log_files
from service.core.runtime.time_and_random import Runtime
from service.core.settings.config import Config
from service.web.app import create_app, make_services
from service.web.http import held_rows, outages
from service.web.http.limits.rate_limits import count_anew
from tests.contract import CheckedClient
from tests.support.servers.databases import Databases, disconnect, hasten, plain

_AT_WORK = """
SELECT 1 FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'
"""
_USED = """
SELECT oid::regclass FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'alembic_version'
AND pg_relation_size(oid) > 0
"""
"""The tables that have or had rows: those that are empty after a VACUUM have no pages."""
_SEQUENCES = "SELECT sequencename FROM pg_sequences WHERE schemaname = 'public'"


class _Lent(Protocol):
    url: str

    def restore(self) -> None:
        """Restore the original contents. Raises an error of its driver, or StillUsed."""

    def close(self) -> None:
        """Remove the lent server."""


class StillUsed(Exception):
    """Somebody is in the middle of a transaction."""


class _Sqlite:
    def __init__(self, databases: Databases, folder: Path) -> None:
        self.url = databases.fresh("sqlite", folder)
        self._path = Path(plain(self.url))
        self._as_it_was = sqlite3.connect(":memory:")
        with closing(sqlite3.connect(self._path)) as made:
            made.backup(self._as_it_was)

    def restore(self) -> None:
        with closing(sqlite3.connect(self._path, timeout=0)) as used:
            used.execute("PRAGMA synchronous = OFF")
            used.execute("BEGIN IMMEDIATE")  # a backup would wait for a writer for ever
            used.rollback()
            self._as_it_was.backup(used)

    def close(self) -> None:
        self._as_it_was.close()


class _Postgresql:
    def __init__(self, databases: Databases, folder: Path) -> None:
        self._databases = databases
        self.url = databases.fresh("postgresql", folder)
        self._connection = psycopg.connect(plain(self.url), autocommit=True)
        run = self._connection.execute
        run("SET session_replication_role = replica")  # events have triggers that keep them
        run("SET lock_timeout = '2s'")
        self._sequences = [f"SELECT setval('\"{name}\"', 1, false)" for (name,) in run(_SEQUENCES)]

    def restore(self) -> None:
        if self._connection.execute(_AT_WORK).fetchone():
            raise StillUsed
        tables = [name for (name,) in self._connection.execute(_USED)]
        emptied: Any = "; ".join([*(f"DELETE FROM {table}" for table in tables), *self._sequences])
        self._connection.execute(emptied)
        tidied: Any = f"VACUUM {', '.join(tables)}"
        if tables:
            self._connection.execute(tidied)  # else rows would lie in an order of their own

    def close(self) -> None:
        self._connection.close()
        self._databases.drop(self.url)


class Lending:
    """Lends each thing to one test at a time. `folder` is the process's own."""

    def __init__(self, databases: Databases, folder: Path) -> None:
        self._databases, self._folder = databases, folder
        self._lent: dict[str, _Lent] = {}
        self._apps: dict[Config, Flask] = {}

    @contextmanager
    def database(self, kind: str) -> Iterator[str]:
        """The address of an empty, migrated database."""
        if kind not in self._lent:
            make = _Sqlite if kind == "sqlite" else _Postgresql
            self._lent[kind] = make(self._databases, self._folder)
        lent = self._lent[kind]
        yield lent.url
        try:
            lent.restore()
        except (StillUsed, sqlite3.Error, psycopg.Error):
            self._throw_away(self._lent.pop(kind))

    @contextmanager
    def app(self, config: Config, runtime: Runtime) -> Iterator[Flask]:
        """An application with these settings that remembers nothing."""
        key = replace(config, data_dir=self._folder)
        app = self._apps.get(key)
        if app:
            app.extensions["tegami"] = make_services(config, runtime)
            log_files.set_up()  # a command of another test may have logged elsewhere
            count_anew(app)
            outages.forget(app)
            held_rows.forget(app)
        else:
            app = create_app(config, runtime)
            app.test_client_class = CheckedClient
            with app.app_context():
                for engine in db.engines.values():
                    hasten(engine)
        if any(lent.url == config.database_url for lent in self._lent.values()):
            self._apps[key] = app
        yield app
        if key not in self._apps:
            disconnect(app)

    def close(self) -> None:
        """Remove everything that was lent."""
        for lent in self._lent.values():
            self._throw_away(lent)

    def _throw_away(self, lent: _Lent) -> None:
        for key in [key for key in self._apps if key.database_url == lent.url]:
            disconnect(self._apps.pop(key))
        lent.close()
