"""Kinds of mail for the tests of the sender, with helpers for writing to and reading from the outbox."""

from __future__ import annotations

from typing import Any

from service.core.database.database import transaction
from service.core.runtime.time_and_random import Runtime
from service.core.words.words import phrases
from service.notifications.mail_texts.kinds import MailKind
from service.notifications.mail_texts.message import Mail
from service.notifications.mail_texts.templating import render_mail
from service.notifications.mail_texts.turns.turn_mail import still_asked
from service.outbox import queue
from service.outbox.unsubscriptions import address_unsubscribe_link, player_unsubscribe_link
from tests.support.dump import execute


def plain(services: Any, row: Any) -> Mail | None:
    """A letter about a game, or about none."""
    said = (row.data or {}).get("say", "Hello")
    stop = None
    if row.kind == "question":
        stop = player_unsubscribe_link(services.config, row)
    elif row.kind == "invitation":
        stop = address_unsubscribe_link(services.config, row.address)
    return render_mail(
        *("short", phrases("en"), row.address, "A letter"),
        paragraphs=[said],
        thread=str(row.game_key) if row.game_key else None,
        unsubscribe_url=stop,
    )


def nothing(_services: Any, _row: Any) -> None:
    """A renderer with nothing left to say."""


def broken(_services: Any, row: Any) -> Mail | None:
    """A renderer with a defect, and a secret in its variables."""
    raise ZeroDivisionError(f"the marker is {row.data}")


KINDS = {
    "plain": MailKind(plain),
    "question": MailKind(plain, still_asked, unsubscribe="player"),
    "invitation": MailKind(plain, unsubscribe="address"),
    "verify": MailKind(plain, requested=True),
    "nothing": MailKind(nothing),
    "broken": MailKind(broken),
}


def write(app: Any, runtime: Runtime, key: str, kind: str = "plain", **more: Any) -> None:
    """Put a mail into the outbox, in a commit of its own; due now unless `run_at` says otherwise."""
    row: dict[str, Any] = {"run_at": runtime.now(), "address": f"{key}@example.org", **more}
    with app.app_context(), transaction():
        queue.put(runtime, kind, key, **row)


def write_question(app: Any, runtime: Runtime, person: Any, game_id: str, **more: Any) -> str:
    """Write a mail about somebody's question that nothing cancels; returns its key."""
    game = person.game(game_id)
    query = "SELECT key FROM games WHERE id = :id"
    game_key = execute(app, query, id=game_id)[0].key
    key = f"question {game['tenure']} {game['asked']}"
    about = {"game_key": game_key, "tenure_id": game["tenure"], "number": game["asked"]}
    to = {"player_id": person.id, "address": f"{person.name.lower()}@example.org"}
    write(app, runtime, key, "question", **{**about, **to, **more})
    return key


def rows(app: Any) -> dict[str, Any]:
    """Every row of the outbox, by key."""
    return {row.key: row for row in execute(app, "SELECT * FROM outbox ORDER BY id")}


def outcomes(app: Any) -> dict[str, Any]:
    """The outcome of every row, by key."""
    return {key: row.outcome for key, row in rows(app).items()}
