"""The migrations that this code knows, and whether the database has newer ones because another release was installed.

Rows that an old process writes into newer tables lack data that the new release needs. A release adds to the tables
only what the previous release can do without (CONTRIBUTING.md, Change the tables), so both may run for a moment; then
the old one stops.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, Engine, String, column, inspect, select, table

from service.core.database.failures import SchemaIsNewer
from service.core.settings.config import ROOT

FOLDER = ROOT / "service/core/models/migrations/versions"
_REVISION = re.compile(r'^(revision|down_revision) = "(\w+)"$', flags=re.MULTILINE)
_PRESENT = select(column("version_num", String)).select_from(table("alembic_version"))
_IS_NEWER = "tegami.schema_is_newer"
"""The key under which an engine holds whether its database is newer than this code; absent until that was looked up."""


class Revisions(NamedTuple):
    """The migrations of a release."""

    known: frozenset[str]
    last: str
    """The migration that a database has to have reached."""


def revisions_in(folder: Path) -> Revisions:
    """The migrations in the files of a folder. Alembic, which reads them too, would take long to load."""
    found = [dict(_REVISION.findall(path.read_text("utf-8"))) for path in folder.glob("*.py")]
    known = frozenset(each["revision"] for each in found)
    (last,) = known - {each.get("down_revision") for each in found}
    return Revisions(known, last)


OURS = revisions_in(FOLDER)
"""The migrations of the running code, read when it was loaded: another release may have been installed since."""


def present_revisions(connection: Connection) -> frozenset[str]:
    """The migration that the database has reached; empty before the first one.

    Raises DBAPIError if the database fails.
    """
    if not inspect(connection).has_table("alembic_version"):
        return frozenset()
    return frozenset(connection.scalars(_PRESENT))


def is_newer(engine: Engine) -> bool:
    """Whether the database has migrations that this code does not know. Raises DBAPIError if the database fails."""
    with engine.connect() as connection:
        return not present_revisions(connection) <= OURS.known


def stop_writing(engine: Engine) -> None:
    """Let `refuse_if_newer` refuse from now on, without asking the database."""
    vars(engine)[_IS_NEWER] = True


def refuse_if_newer(engine: Engine) -> None:
    """Raise SchemaIsNewer if nothing more may be written. Only the first call asks the database."""
    newer: bool | None = vars(engine).get(_IS_NEWER)
    if newer is None:
        newer = vars(engine)[_IS_NEWER] = is_newer(engine)
    if newer:
        raise SchemaIsNewer
