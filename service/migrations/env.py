"""How Alembic runs: on the application's engine, one transaction a migration, batches for SQLite."""

from alembic import context
from flask import current_app

migrate = current_app.extensions["migrate"]
database = migrate.db

with database.engine.connect() as connection:
    context.configure(
        connection=connection, target_metadata=database.metadata, **migrate.configure_args
    )
    with context.begin_transaction():
        context.run_migrations()
    connection.commit()
