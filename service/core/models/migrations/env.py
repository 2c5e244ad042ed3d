"""The environment in which Alembic runs: the application's engine, one transaction for each command, batches for
SQLite.
"""

import pkgutil
from importlib import import_module

from alembic import context
from flask import current_app

from service.core import models
from service.core.database.changing_tables import changing_tables

for module in pkgutil.iter_modules(models.__path__, "service.core.models."):
    import_module(module.name)  # also those of tables that only a command reads

migrate = current_app.extensions["migrate"]
database = migrate.db

with changing_tables(database.engine) as connection:
    context.configure(
        connection=connection,
        target_metadata=database.metadata,
        include_name=models.is_compared,
        **migrate.configure_args,
    )
    context.run_migrations()
