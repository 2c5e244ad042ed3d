"""`tegami partition-events`: stores the events of later games in partitions, because one table becomes too large for
vacuum.
"""

from __future__ import annotations

import click

from service.core.database import partitions
from service.core.database.database import db
from service.operations.audited import AuditedCommand, about
from service.web.app import own_app

PARTS = 16


@click.command("partition-events", cls=AuditedCommand)
@click.option(
    "--parts",
    type=click.IntRange(2, partitions.MOST),
    default=PARTS,
    show_default=True,
    help="How many partitions; it cannot be changed later.",
)
def partition_events(parts: int) -> None:
    """Keep the events of games from now on in partitions by a hash of the game (PostgreSQL, while the server runs).

    Earlier games stay in the present table, which becomes a partition as it is: nothing is copied.
    """
    with own_app().app_context():
        if db.engine.dialect.name != "postgresql":
            raise click.ClickException("Only PostgreSQL has partitions; this is SQLite.")
        with db.engine.connect() as connection:
            if partitions.is_partitioned(connection):
                raise click.ClickException("The events lie in partitions already.")
        boundary = partitions.partition(db.engine, parts)
    about(f"{parts} partitions from game {boundary} on")
    click.echo(
        f"The events of games whose key is {boundary} or more lie in {parts} partitions from now on,"
        f" those of earlier games in {partitions.OLD}."
    )
