"""The migrations of the database (service/core/models/migrations/).

Who needs them imports this module then: it loads Alembic, which takes longer than all of our own code.
"""

from __future__ import annotations

import functools

import flask_migrate
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import Flask
from sqlalchemy import Connection

from service.core.database.database import db
from service.core.settings.config import ROOT

_FOLDER = str(ROOT / "service/core/models/migrations")


def set_up(app: Flask) -> None:
    """Let Alembic know the database of `app`."""
    flask_migrate.Migrate(
        app, db, directory=_FOLDER, render_as_batch=True, transaction_per_migration=True
    )


def upgrade(app: Flask, revision: str = "head") -> None:
    """Run all missing migrations, up to this one."""
    set_up(app)
    with app.app_context():
        flask_migrate.upgrade(revision=revision)


def present(connection: Connection) -> frozenset[str]:
    """Up to which migrations a database is."""
    return frozenset(MigrationContext.configure(connection).get_current_heads())


@functools.cache
def wanted() -> frozenset[str]:
    """The migrations up to which a database has to be for this release."""
    return frozenset(ScriptDirectory(_FOLDER).get_heads())
