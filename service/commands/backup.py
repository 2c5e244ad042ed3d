"""`tegami backup`: copies the embedded database while it is in use, by SQLite's backup interface."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy.engine import make_url

from service.core.config import Config
from service.core.failures import cause_of


class CannotSave(Exception):
    """There is nothing to copy, or the copy cannot be written; the text says why."""


def save(config: Config, copy: Path) -> None:
    """Write a copy of the database, as it is at one moment, readable by its owner alone. Raises CannotSave.

    Under another name until it is whole; a file that is there already is kept.
    """
    url = make_url(config.database_url)
    if url.get_backend_name() != "sqlite" or not url.database:
        raise CannotSave("This is for the embedded database; for PostgreSQL there is pg_dump.")
    if not Path(url.database).exists():
        raise CannotSave("There is no database yet.")
    if os.path.isdir(copy):  # noqa: PTH112 - False also if the system refuses to look
        raise CannotSave(f"{copy} is a folder: name the file to be made in it.")
    if os.path.lexists(copy):
        raise CannotSave(f"{copy} already exists.")
    draft = copy.with_name(f"{copy.name}.part")
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        _copy(Path(url.database), draft)
        draft.rename(copy)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            draft.unlink()
        raise CannotSave(f"{copy} could not be written: {cause_of(error)}.") from None


def _copy(database: Path, draft: Path) -> None:
    """Copy all pages in one step, so that no writer makes SQLite start over; readers are not disturbed."""
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(draft)) as target:
        source.execute("PRAGMA busy_timeout = 10000")
        source.backup(target)
