"""People, games and whole courses of play, made by the service's own use cases, without HTTP."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import rules
from flask import Flask
from rules.kernel import Json, State
from service import create_app, people, tables
from service.api.common import Tools
from service.cli import migrate_database
from service.config import Config
from service.database import db
from service.play import Row, follow
from service.table import Table

SLUGS = ("boomerang-auction", "caravan")
WISH: Json = {"private": False, "seating": "random", "house": 0, "start": "full", "options": {}}


class Move(NamedTuple):
    """One request that plays: whose token, which path, which body."""

    token: str
    path: str
    body: bytes


class World:
    """An application on a database of its own in `folder`, which servers may share."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        config = Config.from_environment({"DATA_DIR": str(folder)})
        migrate_database(config)
        self.app: Flask = create_app(config)
        self.kit: Tools = self.app.extensions["tegami"]
        self.tokens: dict[str, str] = {}
        """The token of each player's id."""

    def open(self, slug: str) -> Table:
        """A table with new people in all seats: its game has begun."""
        wish = {**WISH, "ruleset": slug}
        seats = rules.load(slug).players[0]
        first, *others = [self.person() for _ in range(seats)]
        table = tables.open_table(self.kit.outside, first, wish)
        for player in others:
            table = tables.sit(self.kit.outside, table.game.id, player, None, house=False)
        return table

    def person(self) -> str:
        """A new guest with a token."""
        player, _, (_, token) = people.make_guest(self.kit.outside, "Aki", "en", "benchmark")
        self.tokens[player.id] = token
        return str(player.id)

    def begun(self, table: Table) -> State:
        """The state that the table is in."""
        return self.kit.states.load(db.session, table.game)

    def moves(self, table: Table, rng: random.Random) -> Iterator[Move]:
        """The requests that play the game of `table` to its end, at random; worked out without playing it."""
        people_by_seat = {person.seat: person for person in table.people}
        for seat, asked, action in course(table, self.begun(table), rng):
            body = json.dumps({"asked": asked, "action": action}).encode()
            token = self.tokens[people_by_seat[seat].player_id]
            yield Move(token, f"/api/games/{table.game.id}/actions", body)


def course(table: Table, state: State, rng: random.Random) -> Iterator[tuple[int, int, Json]]:
    """Seat, question and action of every decision to the end of the game."""
    ruleset, game = table.ruleset, table.game
    asked = [person.asked for person in table.people]
    while not ruleset.turn(state).over:
        seat = rng.choice(ruleset.turn(state).waiting)
        action = rng.choice(ruleset.legal(state, seat))
        yield seat, asked[seat], action
        event: Json = {"kind": "action", "seat": seat, "action": action}
        at = Table(Row(game, {}), table.people)
        played = follow(at, state, event, asked)
        game = Row(table.game, {"number": game.number + len(played.events)})
        state, asked = played.state, played.asked


@contextmanager
def world() -> Iterator[World]:
    """A world in a folder that is gone afterwards, with its application in context."""
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        made = World(Path(folder))
        with made.app.app_context():
            yield made


