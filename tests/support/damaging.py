"""Damage to the log of a game that no trigger would allow, as a disk or a person at the database could cause it."""

from __future__ import annotations

import json
from typing import Any

from flask import Flask
from sqlalchemy import Connection, text

from rules.kernel import text as canonical
from service.core.database.database import db
from service.log.event_log import digest

KEY = "(SELECT key FROM games WHERE id = :game)"


def damage(app: Flask, command: str, **values: Any) -> None:
    """Run a statement while no trigger guards the log."""
    with app.app_context(), db.engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SET LOCAL session_replication_role = replica"))
            connection.execute(text(command), values)
            return
        triggers = _triggers(connection)
        for name in triggers:
            connection.execute(text(f"DROP TRIGGER {name}"))
        connection.execute(text(command), values)
        for made in triggers.values():
            connection.exec_driver_sql(made)


def _triggers(connection: Connection) -> dict[str, str]:
    found = connection.execute(text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"))
    return {row.name: row.sql for row in found}


def body_of(app: Flask, game_id: str, number: int) -> str:
    """The text of an event."""
    query = f"SELECT body FROM events WHERE game_key = {KEY} AND number = :number"
    with app.app_context(), db.engine.connect() as connection:
        values = {"game": game_id, "number": number}
        return str(connection.execute(text(query), values).scalar_one())


def set_body(app: Flask, game_id: str, number: int, body: str) -> None:
    """Replace the text of an event, keeping the old digest."""
    command = f"UPDATE events SET body = :body WHERE game_key = {KEY} AND number = :number"
    damage(app, command, body=body, game=game_id, number=number)


def poison(app: Flask, game_id: str) -> str:
    """Make the second event unreadable; returns its earlier text."""
    before = body_of(app, game_id, 2)
    set_body(app, game_id, 2, before[:-20])
    app.extensions["tegami"].states.__init__()  # as after a start
    return before


def forge(app: Flask, game_id: str, number: int, changed: dict[str, Any]) -> None:
    """Change members of an event and chain all later ones again, as a careful forger would."""
    query = f"SELECT number, body FROM events WHERE game_key = {KEY} ORDER BY number"
    with app.app_context(), db.engine.connect() as connection:
        found = connection.execute(text(query), {"game": game_id}).all()
    head = None
    for row in found:
        event = json.loads(row.body)
        body = canonical({**event, **changed}) if row.number == number else row.body
        head = digest(head, body)
        command = f"UPDATE events SET body = :body, digest = :digest WHERE game_key = {KEY}"
        values = {"body": body, "digest": head, "game": game_id, "number": row.number}
        damage(app, f"{command} AND number = :number", **values)
    damage(app, "UPDATE games SET head = :head WHERE id = :game", head=head, game=game_id)
