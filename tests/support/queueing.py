"""Receivers with deliveries, written directly into the database, and used-up budgets."""

from __future__ import annotations

import hmac
from typing import Any

from flask import Flask

from service.core.counts.attempt_counts import Attempt
from service.core.database.database import transaction
from service.core.models.receivers import WEBHOOK
from service.notifications.receivers import deliveries, receivers
from service.notifications.receivers.deliveries import PING
from tests.support.dump import execute


def players(app: Flask, number: int, name: str = "other") -> list[str]:
    """The ids of additional players."""
    ids = [f"p_{name}{n:015}" for n in range(number)]
    for each in ids:
        execute(
            app,
            "INSERT INTO players (id, name, language, created_at) VALUES (:id, :id, 'en', 0)",
            id=each,
        )
    return ids


def waiting(
    app: Flask, player_id: str, url: str, *news: dict[str, Any], kind: str = WEBHOOK, **known: Any
) -> str:
    """The id of a new receiver of a player with this delivery, or a ping; `known` are columns of the receiver."""
    with app.app_context(), transaction():
        made = receivers.add(app.extensions["tegami"], player_id, kind, url, "", **known)
    add(app, made.id, *news or [{}])
    return made.id


def waiting_all(
    app: Flask,
    owners: list[str],
    urls: list[str],
    kind: str = WEBHOOK,
    news: dict[str, Any] | None = None,
    **known: Any,
) -> list[str]:
    """The ids of many such receivers, whose owners take turns, each with one message."""
    services = app.extensions["tegami"]
    message = {"kind": PING, "game": None, "at": services.now(), **(news or {})}
    with app.app_context(), transaction():
        made = [
            receivers.add(services, owners[number % len(owners)], kind, url, "", **known)
            for number, url in enumerate(urls)
        ]
        for each in made:
            deliveries.add(services, each, [message])
    return [each.id for each in made]


def add(app: Flask, receiver_id: str, *news: dict[str, Any]) -> None:
    """Add deliveries for a receiver: pings, unless `news` says otherwise."""
    services = app.extensions["tegami"]
    usual = {"kind": PING, "change": None, "game": None, "at": services.now()}
    with app.app_context(), transaction():
        receiver = receivers.find(receiver_id, lock=True)
        assert receiver is not None
        deliveries.add(services, receiver, [{**usual, **each} for each in news])


def spent(app: Flask, attempt: Attempt, number: int) -> None:
    """Use up this much of a limit, with an hour left in its window."""
    services = app.extensions["tegami"]
    of = f"tally {attempt.limit.name} {attempt.subject}".encode()
    key = hmac.digest(services.config.secret_key, of, "sha256")
    execute(
        app,
        "INSERT INTO tallies (digest, count, ends_at) VALUES (:key, :number, :ends)",
        key=key,
        number=number,
        ends=services.now() + attempt.limit.window,
    )
