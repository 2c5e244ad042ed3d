"""Running the migrations of the database (service/core/models/migrations/).

It should be imported only where it is needed: it loads Alembic, which takes a fifth of the time that loading the whole
application takes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial

import flask_migrate
import structlog
from alembic import command
from alembic.config import Config as AlembicConfig
from alembic.script import ScriptDirectory
from flask import Flask

from service.core.database.changing_tables import patiently
from service.core.database.database import db
from service.core.database.failures import KnownCause, SchemaIsNewer, cause_of
from service.core.database.schema import OURS, present_revisions
from service.core.runtime.log_files import places
from service.core.settings.config import ROOT

_log = structlog.get_logger("tegami.migrations")


class MigrationStopped(KnownCause):
    """A migration has failed, and has left the database as it was before. Earlier migrations are done."""

    def __init__(self, present: str | None, missing: str, failed: BaseException) -> None:
        super().__init__(failed)
        self.cause = cause_of(failed)
        self.told = (
            f"Stopped at {present or 'the beginning'}, before {missing}: {self.cause}. What is done is kept and"
            " nothing is half changed: run bin/tegami migrate again to go on."
        )
        """What went wrong, in words for the operator."""


class UnknownRevision(Exception):
    """No migration of this release has this number."""


def set_up(app: Flask) -> None:
    """Tell Alembic about the database of `app`."""
    folder = str(ROOT / "service/core/models/migrations")
    flask_migrate.Migrate(app, db, directory=folder, render_as_batch=True)


def upgrade(
    app: Flask, revision: str = OURS.last, wait: Callable[[float], object] = time.sleep
) -> None:
    """Migrate the tables to this state, forwards or back; each migration is a separate transaction.

    `wait` waits this number of seconds for others who use the tables. Raises MigrationStopped, SchemaIsNewer (then
    nothing has changed) and UnknownRevision.
    """
    set_up(app)
    with app.app_context():
        config: AlembicConfig = app.extensions["migrate"].migrate.get_config()
        begun = present = _present()
        for run, wanted, missing in _steps(config, begun, revision):
            try:
                patiently(partial(run, config, wanted), wait)
            except Exception as error:
                about = {"cause": cause_of(error), "error": type(error).__name__}
                _log.error("failing", task="migrate", to=missing, **about, at=places(error))
                raise MigrationStopped(present, missing, error) from error
            present = wanted
        if present != begun:
            _log.info("migrated", before=begun, at=present)


def _present() -> str | None:
    """The last migration of the database; None if it has none. Raises SchemaIsNewer if this release does not
    know it.
    """
    with db.engine.connect() as connection:
        present = present_revisions(connection)
    if not present <= OURS.known:
        raise SchemaIsNewer
    return next(iter(present), None)


_Step = tuple[Callable[[AlembicConfig, str], None], str, str]
"""The function to run, its target, and the migration that it does or undoes."""


def _steps(config: AlembicConfig, present: str | None, wanted: str) -> Iterator[_Step]:
    """The migrations one by one. Repeating one that another process has just run does no harm. Raises
    UnknownRevision.
    """
    scripts = ScriptDirectory.from_config(config).walk_revisions()
    chain = ["base", *reversed([each.revision for each in scripts])]
    if wanted not in chain:
        raise UnknownRevision(wanted)
    begin, end = chain.index(present or "base"), chain.index(wanted)
    for number in range(begin + 1, end + 1):
        yield command.upgrade, chain[number], chain[number]
    for number in range(begin - 1, end - 1, -1):
        yield command.downgrade, chain[number], chain[number + 1]
