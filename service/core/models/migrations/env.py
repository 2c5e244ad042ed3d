"""How Alembic runs: on the application's engine, one transaction a migration, batches for SQLite."""

import pkgutil
from importlib import import_module

from alembic import context
from flask import current_app

from service.core import models

for module in pkgutil.iter_modules(models.__path__, "service.core.models."):
    import_module(module.name)  # also those of tables that only a command reads

migrate = current_app.extensions["migrate"]
database = migrate.db

with database.engine.connect() as connection:
    context.configure(
        connection=connection, target_metadata=database.metadata, **migrate.configure_args
    )
    with context.begin_transaction():
        context.run_migrations()
    connection.commit()
