"""`tegami backup`: copies the database in the state of one moment, while it is in use.

It copies an embedded database with SQLite's backup interface, and a PostgreSQL database with `pg_dump`. The password is
passed to `pg_dump` in a way that other users of the machine cannot read.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
from contextlib import closing, suppress
from pathlib import Path

import click
from sqlalchemy.engine import URL, make_url

from service.core.database.failures import cause_of
from service.core.settings.config import Config
from service.core.settings.database_address import Patience, libpq_address, waiting


class CannotSave(click.ClickException):
    """There is nothing to copy, or the copy cannot be written; the text says why."""


def save(config: Config, copy: Path) -> None:
    """Write a copy of the database, readable only by its owner. Raises CannotSave.

    The copy has another name until it is complete. An existing file is kept.
    """
    url = make_url(config.database_url)
    embedded = url.get_backend_name() == "sqlite"
    if embedded and not (url.database and Path(url.database).exists()):
        raise CannotSave("There is no database yet.")
    if os.path.isdir(copy):  # noqa: PTH112 - False also if the system refuses to look
        raise CannotSave(f"{copy} is a folder: name the file to be made in it.")
    if os.path.lexists(copy):
        raise CannotSave(f"{copy} already exists.")
    draft = copy.with_name(f"{copy.name}.part")
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        if embedded:
            _copy(Path(url.database or ""), draft)
        else:
            _dump(url, config.patience, draft)
        draft.rename(copy)
    except (OSError, sqlite3.Error) as error:
        raise CannotSave(f"{copy} could not be written: {cause_of(error)}.") from None
    finally:
        with suppress(OSError):
            draft.unlink()


def _copy(database: Path, draft: Path) -> None:
    """Copy all pages in one step, so that no writer makes SQLite start again; readers are not disturbed."""
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(draft)) as target:
        source.execute("PRAGMA busy_timeout = 10000")
        source.backup(target)


LONGEST_LOCK = 60_000
"""How long (ms) pg_dump waits for a table that somebody is changing; moves do not make it wait."""


def _dump(url: URL, patience: Patience, draft: Path) -> None:
    """Run pg_dump. Raises CannotSave with its last message, which contains no password."""
    waits = {name: str(value) for name, value in waiting(patience, session=False).items()}
    address, environment = without_password(url.set(query={**waits, **url.query}))
    command = ["pg_dump", "--format=custom", f"--file={draft}"]
    command += [f"--lock-wait-timeout={LONGEST_LOCK}", f"--dbname={address}"]
    try:
        done = subprocess.run(  # noqa: S603 - our own words, and no shell
            command, env={**os.environ, **environment}, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        told = "pg_dump is missing: install PostgreSQL's client programs, as new as the server."
        raise CannotSave(told) from None
    if done.returncode:
        raise CannotSave((done.stderr.strip() or "pg_dump failed").splitlines()[-1])


def without_password(url: URL) -> tuple[str, dict[str, str]]:
    """The address of a database for PostgreSQL's programs, and the environment variables with its password.

    Everybody on a machine can read the arguments of a process, but not its environment.
    """
    password = url.password or url.query.get("password")
    bare = url._replace(password=None)  # `set` takes None to mean no change
    environment = {"PGPASSWORD": str(password)} if password else {}
    return libpq_address(bare.difference_update_query(["password"])), environment
