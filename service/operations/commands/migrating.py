"""Running the migrations of the database (service/core/models/migrations/).

Who needs this imports it then: it loads Alembic, which takes as long as a fifth of the whole application.
"""

from __future__ import annotations

import flask_migrate
from flask import Flask

from service.core.database.database import db
from service.core.settings.config import ROOT


def set_up(app: Flask) -> None:
    """Let Alembic know the database of `app`."""
    folder = str(ROOT / "service/core/models/migrations")
    flask_migrate.Migrate(
        app, db, directory=folder, render_as_batch=True, transaction_per_migration=True
    )


def upgrade(app: Flask, revision: str = "head") -> None:
    """Run all missing migrations, up to this one."""
    set_up(app)
    with app.app_context():
        flask_migrate.upgrade(revision=revision)
