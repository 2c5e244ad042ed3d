"""People, games and whole courses of play, made by the service's own use cases, without HTTP."""

from __future__ import annotations

import contextvars
import json
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from flask import Flask
from werkzeug.test import EnvironBuilder, run_wsgi_app

import rules
from benchmarks import bare_app
from benchmarks.server import Server, served
from rules.kernel import Json, State
from service import create_app, people, tables
from service.api.common import Tools
from service.cli import migrate_database
from service.config import Config
from service.database import db
from service.play import Row, follow, play
from service.table import Table

SLUGS = ("boomerang-auction", "caravan")
WISH: Json = {"private": False, "seating": "random", "house": 0, "start": "full", "options": {}}


class Move(NamedTuple):
    """One decision: who plays what at which table, and the table when it is made."""

    player: str
    asked: int
    action: Json
    table: Table
    state: State

    @property
    def path(self) -> str:
        """Where it is posted."""
        return f"/api/games/{self.table.game.id}/actions"

    @property
    def body(self) -> bytes:
        """What is posted."""
        return json.dumps({"asked": self.asked, "action": self.action}).encode()


class World:
    """An application on a database of its own in `folder`, which servers may share."""

    def __init__(
        self, folder: Path, *, rate_limits: bool = True, tokens: dict[str, str] | None = None
    ) -> None:
        self.folder = folder
        config = Config.from_environment({"DATA_DIR": str(folder)})
        migrate_database(config)
        self.app: Flask = create_app(replace(config, rate_limits=rate_limits))
        self.kit: Tools = self.app.extensions["tegami"]
        self.tokens: dict[str, str] = {} if tokens is None else tokens
        """The token of each player, by id."""

    def open(self, slug: str) -> Table:
        """A table with new people in all seats: its game has begun."""
        first, *others = [self.person() for _ in range(rules.load(slug).players[0])]
        table = tables.open_table(self.kit.outside, first, {**WISH, "ruleset": slug})
        for player in others:
            table = tables.sit(self.kit.outside, table.game.id, player, None, house=False)
        db.session.rollback()
        return table

    def person(self) -> str:
        """A new guest with a token."""
        player, _, (_, token) = people.make_guest(
            self.kit.outside, "Aki", "en", people.Arrival("benchmark")
        )
        self.tokens[player.id] = token
        return str(player.id)

    def course(self, table: Table, rng: random.Random) -> Iterator[Move]:
        """The decisions of the game of `table` to its end, at random; worked out without playing it."""
        ruleset, game = table.ruleset, table.game
        state = self.kit.states.load(db.session, game)
        asked = [person.asked for person in table.people]
        db.session.rollback()
        while not ruleset.turn(state).over:
            seat = rng.choice(ruleset.turn(state).waiting)
            action = rng.choice(ruleset.legal(state, seat))
            now = Table(game, table.people)
            yield Move(str(table.people[seat].player_id), asked[seat], action, now, state)
            answer: Json = {"kind": "action", "seat": seat, "action": action}
            then = follow(now, state, answer, asked)
            game = Row(table.game, {"number": game.number + len(then.events)})
            state, asked = then.state, then.asked

    def play(self, move: Move) -> None:
        """Play it without HTTP."""
        outside, states = self.kit.outside, self.kit.states
        play(outside, states, move.table, move.player, move.asked, move.action)
        db.session.remove()

    def posting(self, move: Move) -> dict[str, Any]:
        """The request that posts it, as WSGI has it."""
        return self.request("POST", move.path, move.player, data=move.body)

    def request(self, method: str, path: str, player: str, **more: Any) -> dict[str, Any]:
        """A player's request, as WSGI has it."""
        headers = {"Authorization": f"Bearer {self.tokens[player]}", **more.pop("headers", {})}
        sent = {"content_type": "application/json", "base_url": "http://127.0.0.1", **more}
        return EnvironBuilder(path, method=method, headers=headers, **sent).get_environ()

    def answer(self, environ: dict[str, Any], status: str) -> tuple[bytes, Any]:
        """Body and headers of the answer, which has to have this status."""
        clean = contextvars.Context()  # a request inside of ours would take over its caller
        body, told, headers = clean.run(run_wsgi_app, self.app.wsgi_app, environ)
        data = b"".join(body)
        assert told.startswith(status), (told, data)
        return data, headers


@contextmanager
def world(*, rate_limits: bool = True) -> Iterator[World]:
    """A world in a folder that is gone afterwards, with its application in context."""
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        made = World(Path(folder), rate_limits=rate_limits)
        with made.app.app_context():
            yield made
            db.session.remove()
            for engine in db.engines.values():
                engine.dispose()


@contextmanager
def beside_bare_flask(made: World) -> Iterator[tuple[Server, Server]]:
    """Tegami and the bare application (bare_app.py), both behind the same server."""
    bare = str(made.folder / "bare.sqlite3")
    bare_app.create_database(bare)
    with (
        served("service:create_app()", {"DATA_DIR": str(made.folder)}) as tegami,
        served("benchmarks.bare_app:create_app()", {"BARE_DATABASE": bare}) as flask,
    ):
        yield tegami, flask
