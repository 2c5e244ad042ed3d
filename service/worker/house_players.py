"""House players: their moves, in every game that waits for one."""

from __future__ import annotations

import random
from functools import partial
from typing import NamedTuple

from sqlalchemy import Select, select

from rules.kernel import Json, State
from rules.players import house
from rules.players.search import Effort
from service.core import database
from service.core.backoff import Backoff
from service.core.database import db, transaction
from service.game.table import Table, find
from service.models.games import Game, Seat
from service.play.moves import answer
from service.shared_services import Services

MOST = 100
"""Moves that are looked for at a time. They share the effort of one, so that other tasks wait no longer for many."""

_game, _seat = Game.metadata.tables["games"], Seat.metadata.tables["seats"]


class WaitingSeat(NamedTuple):
    """A seat of a house player that is waited for."""

    id: str
    """Of the game."""
    seat: int


class HousePlayers:
    """Answers for house players, beside any number of others that do.

    They think with `effort`; the generator decides which cards they suppose.
    """

    def __init__(
        self, services: Services, rng: random.Random, effort: Effort = house.USUAL
    ) -> None:
        self._services, self._rng, self._effort = services, rng, effort
        self._games = Backoff("house player", services.runtime.now)

    def move_all(self) -> int:
        """Make every move that is due; the number of them."""
        waiting = self._waiting()
        effort = self._effort.shared(len(waiting))
        return sum(
            self._games.attempt(partial(self._move, *row, effort), False, row.id) for row in waiting
        )

    def _waiting(self) -> list[WaitingSeat]:
        query = waiting_seats().where(_game.c.id.not_in(self._games.waiting()))
        return database.rows(WaitingSeat, query.limit(MOST))

    def _move(self, game_id: str, seat: int, effort: Effort) -> bool:
        """Choose from what the seat sees, then answer, if the question is still the same under the lock."""
        seen = find(game_id)
        if not seen.holder(seat).waiting:  # another seat's move came between
            return False
        asked = seen.holder(seat).asked
        action = self._choose(seen, self._services.states.load(db.session, seen.game), seat, effort)
        with transaction():
            table = find(game_id, lock=True)
            present = table.holder(seat)
            if present.asked != asked or not present.waiting or present.player_id:
                return False
            state = self._services.states.load(db.session, table.game)
            played = answer(self._services.runtime, table, state, present, action, by="house")
        self._services.states.put(played.table.game, played.state)
        return True

    def _choose(self, table: Table, state: State, seat: int, effort: Effort) -> Json:
        blind = table.ruleset.blind(state, seat)
        return house.choose(table.ruleset, blind, seat, self._rng, effort)


def waiting_seats() -> Select[*tuple[object, ...]]:
    """The query for the seats of house players that are waited for."""
    return (
        select(*database.columns(WaitingSeat, _game, _seat))
        .join(_game, _game.c.key == _seat.c.game_key)
        .where(_seat.c.waiting, _seat.c.house)
        .where(_game.c.unattended_at.is_(None))  # nobody is left who would see it
    )
