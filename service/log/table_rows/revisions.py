"""Revisions: a table's revision rises with whatever changes what people are shown of it."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import update

from service.core.database.database import db
from service.core.models.games import Game
from service.core.runtime.time_and_random import Runtime
from service.log import changes
from service.log.changes import AtGame
from service.log.table_rows.table import Table


def raise_revision(runtime: Runtime, table: Table, kind: str = "table", **more: object) -> Table:
    """Raise the table's revision, since what people are shown of it changes. The caller owns the commit.

    `kind` is what has changed (service/log/changes.py), `more` are other columns of the game to set.
    """
    changed = update(Game).where(Game.key == table.game.key)
    raised = changed.values(revision=Game.revision + 1, **more).returning(Game.revision)
    revision = db.session.scalars(raised).one()
    table = replace(table, game=table.game._replace(revision=revision))
    changes.note(kind, at_table(runtime, table), table.people)
    return table


def at_table(runtime: Runtime, table: Table) -> AtGame:
    """Where something has changed just now."""
    return AtGame(table.game.id, table.game.revision, runtime.now())
