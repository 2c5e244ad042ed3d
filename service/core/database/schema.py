"""Which migrations this code knows, and whether the database has newer ones: then another release has been installed.

What an old process writes into newer tables lacks what the new release needs. A release only adds to the tables what
the one before can do without (CONTRIBUTING.md, Change the tables), so both may run for a moment; then the old one
stops.
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
"""Where an engine has whether its database is newer; nothing before anybody has looked."""


class Revisions(NamedTuple):
    """The migrations of a release."""

    known: frozenset[str]
    last: str
    """Up to which a database has to be for it."""


def revisions_in(folder: Path) -> Revisions:
    """Those in the files of a folder. Alembic, which reads them too, takes long to load."""
    found = [dict(_REVISION.findall(path.read_text("utf-8"))) for path in folder.glob("*.py")]
    known = frozenset(each["revision"] for each in found)
    (last,) = known - {each.get("down_revision") for each in found}
    return Revisions(known, last)


OURS = revisions_in(FOLDER)
"""Those of the code that runs, as they were when it was loaded: since then another release may have been installed."""


def present_revisions(connection: Connection) -> frozenset[str]:
    """Up to which migrations a database is: one, or none before the first. Raises DBAPIError."""
    if not inspect(connection).has_table("alembic_version"):
        return frozenset()
    return frozenset(connection.scalars(_PRESENT))


def is_newer(engine: Engine) -> bool:
    """Whether the database has migrations that this code does not know. Raises DBAPIError."""
    with engine.connect() as connection:
        return not present_revisions(connection) <= OURS.known


def stop_writing(engine: Engine) -> None:
    """From now on `refuse_if_newer` refuses, without asking the database."""
    vars(engine)[_IS_NEWER] = True


def refuse_if_newer(engine: Engine) -> None:
    """Raises SchemaIsNewer if nothing more may be written; the database is asked before the first time alone."""
    newer: bool | None = vars(engine).get(_IS_NEWER)
    if newer is None:
        newer = vars(engine)[_IS_NEWER] = is_newer(engine)
    if newer:
        raise SchemaIsNewer
