"""People and complete games, created through the service's use cases, without HTTP."""

from __future__ import annotations

import contextvars
import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

from flask import Flask
from werkzeug.test import EnvironBuilder, run_wsgi_app

import rules
from benchmarks import bare_app
from benchmarks.databases import Databases, Home, databases
from benchmarks.server import Server, served
from rules.kernel import Json, State
from service.core.database.database import db
from service.core.settings.config import Config
from service.core.settings.environment import NUMBERS
from service.log import events
from service.log.table_rows.table import Table, find
from service.operations.commands.main import migrate_database
from service.people.accounts import guests
from service.people.accounts.guests import GuestRequest
from service.people.credentials.credentials import TokenTerms
from service.tables.before_start import table_setup
from service.tables.play.moves import follow, play, shuffles_in
from service.tables.services import Services
from service.web.app import create_app

MOST_PEOPLE = NUMBERS["PEOPLE_PER_ADDRESS"][1]
"""The most people at one network address; no real address has more."""
SLUGS = ("boomerang-auction", "caravan")
WISH: Json = {
    "private": False,
    "seating": "random",
    "house": 0,
    "level": "normal",
    "start": "full",
    "takeover": 3,
    "nonce": None,
    "options": {},
}


class Move(NamedTuple):
    """One decision: the player, the action, and the table at that time."""

    player: str
    asked: int
    action: Json
    table: Table
    state: State

    @property
    def path(self) -> str:
        """The path at which to post the move."""
        return f"/api/games/{self.table.game.id}/actions"

    @property
    def body(self) -> bytes:
        """The body with which to post the move."""
        return json.dumps({"asked": self.asked, "action": self.action}).encode()


class World:
    """An application with its own files, which servers can share."""

    def __init__(
        self,
        home: Home,
        *,
        rate_limits: bool = True,
        patient: bool = False,
        tokens: dict[str, str] | None = None,
    ) -> None:
        self.home, self.folder = home, home.folder
        self.environment = {"DATA_DIR": str(home.folder), "DATABASE_URL": home.database}
        """The settings of a server that shares these files."""
        if patient:  # filling or vacuuming a large database may take any time
            self.environment["DATABASE_STATEMENT_TIMEOUT"] = "0"
        self.kind = "sqlite" if home.database.startswith("sqlite") else "postgresql"
        self.config = Config.from_environment(self.environment)
        migrate_database(self.config)
        people = self.config.people_per_address if rate_limits else MOST_PEOPLE
        config = replace(self.config, rate_limits=rate_limits, people_per_address=people)
        self.app: Flask = create_app(config)
        self.services: Services = self.app.extensions["tegami"]
        self.tokens: dict[str, str] = {} if tokens is None else tokens
        """The token of each player, by the player's id."""

    def open(self, slug: str) -> Table:
        """A running game with new players in all seats."""
        first, *others = [self.person() for _ in range(rules.load(slug).players[0])]
        table = table_setup.open_table(self.services, first, {**WISH, "ruleset": slug})
        for player in others:
            table = table_setup.sit(self.services, table.game.id, player, {})
        db.session.rollback()
        return table

    def person(self) -> str:
        """The id of a new guest with a token."""
        name = f"Guest {len(self.tokens)}"  # no two names at one table look the same
        guest = guests.create(
            self.services, GuestRequest(name, "en", token=TokenTerms("benchmark"))
        )
        self.tokens[guest.player.id] = guest.credential.secret
        return guest.player.id

    def course(self, table: Table, rng: random.Random) -> Iterator[Move]:
        """Random decisions from the state of `table` to the end of its game; nothing is stored."""
        ruleset, game = table.ruleset, table.game
        state = self.services.states.load(game)
        asked = [holder.asked for holder in table.holders]
        db.session.rollback()
        while not ruleset.turn(state).over:
            seat = rng.choice(ruleset.turn(state).waiting)
            action = rng.choice(ruleset.legal(state, seat))
            now = Table(game, table.people)
            yield Move(str(table.people[seat].player_id), asked[seat], action, now, state)
            then = follow(now, state, events.action(seat, action, "seat"), asked)
            game = table.game._replace(
                number=game.number + len(then.events),
                shuffles=game.shuffles + shuffles_in(then.events),
            )
            state, asked = then.state, then.asked

    def play(self, move: Move) -> None:
        """Play the move without HTTP."""
        play(self.services, find(move.table.game.id), move.player, move.asked, move.action)
        db.session.remove()

    def posting(self, move: Move) -> dict[str, Any]:
        """The WSGI environment of the request that posts it."""
        return self.request("POST", move.path, move.player, data=move.body)

    def request(self, method: str, path: str, player: str | None, **more: Any) -> dict[str, Any]:
        """The WSGI environment of a player's request. Raises KeyError for a player not made here."""
        headers = {"Authorization": f"Bearer {self.tokens[str(player)]}", **more.pop("headers", {})}
        sent = {"content_type": "application/json", "base_url": "http://127.0.0.1", **more}
        return EnvironBuilder(path, method=method, headers=headers, **sent).get_environ()

    def answer(self, environ: dict[str, Any], status: str) -> tuple[bytes, Any]:
        """The body and the headers of the response, which has to have this status."""
        clean = contextvars.Context()  # a nested request would inherit the context of the outer one
        body, told, headers = clean.run(run_wsgi_app, self.app.wsgi_app, environ)
        data = b"".join(body)
        assert told.startswith(status), (told, data)
        return data, headers

    def another_process(self) -> World:
        """The same world, as a process sees it that has not served any game yet."""
        return World(self.home, tokens=self.tokens)

    @contextmanager
    def in_context(self) -> Iterator[World]:
        """A block in which the application is in context."""
        with self.app.app_context():
            try:
                yield self
            finally:
                db.session.remove()
                for engine in db.engines.values():
                    engine.dispose()


@contextmanager
def world(kind: str = "sqlite", *, rate_limits: bool = True) -> Iterator[World]:
    """A world on a database of this kind, with its application in context."""
    with databases(kind) as made, in_databases(made, rate_limits=rate_limits) as found:
        yield found


@contextmanager
def in_databases(
    made: Databases, *, rate_limits: bool = True, patient: bool = False
) -> Iterator[World]:
    """A world on one of these databases, with its application in context."""
    with World(made.home(), rate_limits=rate_limits, patient=patient).in_context() as found:
        yield found


@contextmanager
def beside(made: World, bare: str = "create_app()") -> Iterator[tuple[Server, Server]]:
    """Tegami and an application of bare_app.py on databases of the same kind, both behind gunicorn, until the block
    ends.
    """
    bare_app.create_database(made.home.bare)
    with (
        served("service.web.app:create_app()", made.environment) as tegami,
        served(f"benchmarks.bare_app:{bare}", {"BARE_DATABASE": made.home.bare}) as other,
    ):
        yield tegami, other
