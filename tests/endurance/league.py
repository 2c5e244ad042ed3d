"""People who play in series: how strong they are, how often they look, and when they are lost to it.

Strength is the part of one's decisions that a sensible player makes; the others are drawn by lot.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import insert

from rules.kernel import Json
from service.core.database.database import db, transaction
from service.core.models.people import Account
from service.log.table_rows.table import Holder, Table, find
from service.people.accounts import guests
from service.people.accounts.guests import GuestRequest
from service.tables.before_start import series_rounds
from service.tables.play import leaving, moves
from tests.endurance.application import application, services_of
from tests.endurance.frame import Run
from tests.support.cast import Clock
from tests.support.clock import DAY, HOUR, Hours
from tests.support.dump import execute

PAUSE = 4 * HOUR
"""The time between two moments at which people may look."""
KEEN, SLOW = 0.9, 0.1
"""How likely somebody is to look at such a moment."""
SLOW_ONE, LOST_ONE, LEAVING_ONE = 8, 20, 25
"""One of so many people is slow, plays for two days and never comes again, or leaves on the fourth day."""
RESIGNS = 0.002
"""How likely somebody is to resign a game instead of answering."""
GOLDEN = (5**0.5 - 1) / 2
"""The multiples of this number, less their whole parts, lie evenly between 0 and 1: so do the strengths."""
_WAITING = """
SELECT games.id AS game, tenures.player_id AS player
FROM seats JOIN tenures ON tenures.id = seats.tenure_id JOIN games ON games.key = seats.game_key
WHERE seats.waiting AND games.status = 'running' AND tenures.player_id IS NOT NULL
ORDER BY games.key, seats.seat
"""


class Player(NamedTuple):
    """Somebody with an account."""

    id: str
    strength: float
    keenness: float
    lost_at: int
    """When they look for the last time (ms UTC)."""
    leaves_at: int
    """When they leave the series."""

    @property
    def stays(self) -> bool:
        """Whether they play to the end, and in time."""
        return self.keenness == KEEN and self.lost_at == self.leaves_at == _NEVER


_NEVER = 10**15


class League:
    """An application with a worker, and everybody who plays there."""

    def __init__(self, run: Run, people: int) -> None:
        self.run, self.clock = run, Clock()
        self.app = application(run, self.clock)
        self.services, self.hours = services_of(self.app), Hours(self.app, self.clock)
        with self.app.app_context():
            self.players = [self._player(number) for number in range(people)]
        self._known = {each.id: each for each in self.players}

    def _player(self, number: int) -> Player:
        guest = guests.create(self.services, GuestRequest(f"Player {number}", "en"))
        handle = f"player{number}"
        row = {"player_id": guest.player.id, "handle": handle, "registered_at": 0}
        row |= {"address": f"{handle}@example.org", "folded": f"{handle}@example.org"}
        with transaction():
            db.session.execute(insert(Account).values(row))
        keenness = SLOW if number % SLOW_ONE == 3 else KEEN
        lost = self.clock.at + 3 * DAY if number % LOST_ONE == 7 else _NEVER
        leaves = self.clock.at + 4 * DAY if number % LEAVING_ONE == 11 else _NEVER
        return Player(guest.player.id, number * GOLDEN % 1, keenness, lost, leaves)

    def pass_time(self) -> None:
        """Go to the next moment, at which another worker is alive."""
        self.clock.forward(PAUSE)
        execute(self.app, "UPDATE heartbeats SET at = :now", now=self.clock.at)

    def leave(self, series_id: str) -> None:
        """Let those leave the series whose time has come."""
        with self.app.app_context():
            for each in self.players:
                if each.leaves_at <= self.clock.at < each.leaves_at + PAUSE:
                    series_rounds.leave(series_id, each.id)
                    self.run.count("people who left")

    def look(self) -> None:
        """Let everybody who looks now answer until others are waited for."""
        there = {
            each.id
            for each in self.players
            if self.clock.at < each.lost_at and self.run.rng.random() < each.keenness
        }
        with self.app.app_context():
            while waiting := [each for each in execute(self.app, _WAITING) if each.player in there]:
                for game_id, player_id in waiting:
                    self._answer(game_id, self._known[player_id])

    def _answer(self, game_id: str, player: Player) -> None:
        table = find(game_id)
        mine = next((each for each in table.holders if each.player_id == player.id), None)
        if mine is None or not mine.waiting:
            return
        if self.run.rng.random() < RESIGNS:
            leaving.resign(self.services, game_id, player.id)
            self.run.count("resignations")
        else:
            action = self._choice(table, mine, player.strength)
            moves.play(self.services, table, player.id, mine.asked, action)
            self.run.count("moves")
        db.session.remove()

    def _choice(self, table: Table, mine: Holder, strength: float) -> Json:
        """What a sensible player would do, as often as this one is sensible."""
        state, rng = self.services.states.load(table.game), self.run.rng
        legal = table.ruleset.legal(state, mine.seat)
        policy = table.ruleset.mind.policy
        if policy is None or rng.random() >= strength:
            return rng.choice(legal)
        weights = policy(state, mine.seat, legal)
        return legal[max(range(len(legal)), key=weights.__getitem__)]
