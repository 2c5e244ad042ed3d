"""Mails of every kind about games, as received by three people with addresses."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from typing import Any

from service.log.table_rows.table import find
from service.outbox.causes import responses
from tests.support.cast import CARAVAN, Cast
from tests.support.circles import found
from tests.support.clock import DAY, HOUR
from tests.support.post_office import Office
from tests.support.proposing import PAUSE, propose
from tests.support.series import enter, opened


def every_mail(cast: Cast, office: Office, hours: Any) -> Iterator[EmailMessage]:
    """The mails before the start of a game, during it, and at its end."""
    yield from before_the_start(cast, office)
    yield from in_play(cast, office, hours)
    yield from the_end(cast, office)
    yield from of_a_series(cast, office, hours)


def before_the_start(cast: Cast, office: Office) -> Iterator[EmailMessage]:
    """The mails about tables that have not started."""
    game_id = cast.open(private=True)
    invite = f"/api/games/{game_id}/invitations"
    made = cast.alice.post(invite, {"address": "bob@example.org"})
    key = {"Invitation": cast.alice.game(game_id)["invitation"]["key"]}
    yield from office.deliver()
    cast.bob.delete(f"/api/me/invitations/{made['id']}")
    yield from office.deliver()
    tenure = cast.carol.post(f"/api/games/{game_id}/seats", {}, headers=key)["tenure"]
    cast.alice.delete(f"/api/games/{game_id}/seats/{tenure}")
    yield from office.deliver()


def in_play(cast: Cast, office: Office, hours: Any) -> Iterator[EmailMessage]:
    """The mails about a game and about the next one."""
    seats = f"/api/games/{(game_id := cast.open(pace='daily', takeover=1))}/seats"
    for person in (cast.bob, cast.carol):
        person.post(seats, {})
    cast.alice.post(f"/api/games/{game_id}/start", status=200)
    yield from office.deliver()
    for person in cast.seated:
        person.send("PATCH", "/api/me/settings", json={"digest": "08:00"})
    yield from office.deliver()
    for person in cast.seated:
        person.send("PATCH", "/api/me/settings", json={"digest": None})
    hours.later(13 * HOUR)
    cast.bob.post(f"/api/games/{game_id}/nudge", status=202)
    propose(cast.alice, game_id, PAUSE)
    yield from office.deliver()
    hours.later(10 * HOUR)
    yield from office.deliver(now=False)
    hours.later(2 * HOUR)
    yield from office.deliver()
    cast.carol.post(f"/api/games/{game_id}/resignation", status=200)
    yield from office.deliver()


def the_end(cast: Cast, office: Office) -> Iterator[EmailMessage]:
    """The mails about a reply, the end of a game, and a rematch."""
    game_id = cast.open(CARAVAN)
    cast.bob.post(f"/api/games/{game_id}/seats", {})
    cast.alice.post(f"/api/games/{game_id}/start", status=200)
    with office.app.app_context():
        table, services = find(game_id), office.app.extensions["tegami"]
        responses.put(services, table, table.holding(cast.alice.id), "a mail", "which", places=[0])
    yield from office.deliver()
    cast.bob.post(f"/api/games/{game_id}/resignation", status=200)
    cast.alice.post(f"/api/games/{game_id}/rematch", {})
    yield from office.deliver()


def of_a_series(cast: Cast, office: Office, hours: Any) -> Iterator[EmailMessage]:
    """The mails with the standings of a series."""
    made = opened(cast.alice, found(cast.alice, cast.bob), starts_in=1, round_days=30)
    for person in (cast.alice, cast.bob):
        enter(person, made)
    hours.later(DAY)
    yield from office.deliver()
    hours.later(8 * DAY)  # past a Monday
    yield from office.deliver()
