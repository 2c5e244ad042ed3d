"""A row of a log is damaged in the ways of disks and hands; the nightly check finds this game and no other.

In each round one game of six is damaged at a random event: its text is cut, one of its characters is changed, it has
the text of another event, or its digest is changed. Meanwhile people play on: a move is made in each of the other
games. The next nightly check names exactly that game, to the operator's `tegami doctor` too; once the row is mended,
the next check says that the game is whole.

A hundred rounds take two minutes. It counts damage by its kind, moves in other games, and checks.
"""

from __future__ import annotations

from typing import Any

from service.core.runtime.units import DAY
from service.log.verification import log_checks
from service.operations.commands import doctor
from service.operations.worker.nightly_check import REST, NightlyCheck
from tests.endurance.application import application
from tests.endurance.frame import Definition, Run
from tests.support.cast import CARAVAN, Cast, Clock
from tests.support.damaging import KEY, body_of, damage, set_body
from tests.support.dump import execute

GAMES = 6
_DIGEST = f"SELECT digest FROM events WHERE game_key = {KEY} AND number = :number"
_SET = f"UPDATE events SET digest = :digest WHERE game_key = {KEY} AND number = :number"


class Town:
    """The games, their people, and the check at night."""

    def __init__(self, run: Run) -> None:
        self.run, self.clock = run, Clock()
        self.app = application(run, self.clock)
        self.cast = Cast(self.app)
        self.games = [self.cast.start(CARAVAN) for _ in range(GAMES)]
        self._check = NightlyCheck(self.app.extensions["tegami"], timer=lambda: 0.0)

    def play(self, left_out: str) -> None:
        """Make a move in every game except one; new games follow those that are over."""
        for n, game_id in enumerate(self.games):
            if game_id == left_out:
                continue
            if self.cast.alice.game(game_id)["status"] == "over":
                self.games[n] = self.cast.start(CARAVAN)
            person, shown = self.cast.asked(self.games[n])
            person.answer(shown)
            self.run.count("moves in other games")

    def night(self) -> set[str]:
        """Let the next night pass; returns the games that are then known to be damaged."""
        self.clock.forward(DAY)
        with self.app.app_context():
            while self.run.fault != "unchecked" and self._check.step() != REST:
                pass
            self.run.count("nightly checks")
            told = [each.told for each in doctor.examine(self.app) if each.about == "logs"]
            found = {each.game_id for each in log_checks.damaged()}
        assert all(any(game_id in line for line in told) for game_id in found), told
        return found

    def damaged(self, game_id: str) -> tuple[int, str, Any]:
        """Damage this game somewhere; returns the event, and its earlier text."""
        last = int(self.cast.alice.game(game_id)["number"])
        number = self.run.rng.randint(1, last)
        body = body_of(self.app, game_id, number)
        digest = execute(self.app, _DIGEST, game=game_id, number=number)[0][0]
        kind = self.run.rng.choice(["cut", "character", "exchanged", "digest"])
        self.run.count(f"damaged: {kind}")
        if kind == "digest":
            other = bytes([digest[0] ^ 1]) + digest[1:]
            damage(self.app, _SET, digest=other, game=game_id, number=number)
        else:
            set_body(self.app, game_id, number, self._other(kind, game_id, number, body))
        self.app.extensions["tegami"].states.__init__()  # as after a start
        return number, body, digest

    def _other(self, kind: str, game_id: str, number: int, body: str) -> str:
        at = self.run.rng.randrange(len(body))
        if kind == "cut":
            return body[:at]
        if kind == "character":
            return body[:at] + chr(ord(body[at]) ^ 1) + body[at + 1 :]
        return body_of(self.app, game_id, 2 if number == 1 else 1)


def endure(run: Run) -> None:
    """Damage one game after the other."""
    town = Town(run)
    for _ in range(run.rounds):
        sick = run.rng.choice(town.games)
        number, body, digest = town.damaged(sick)
        if run.fault == "spreading":
            town.damaged(next(each for each in town.games if each != sick))
        town.play(left_out=sick)
        found = town.night()
        assert found == {sick}, f"event {number} of {sick} was damaged, but found was {found}"
        set_body(town.app, sick, number, body)
        damage(town.app, _SET, digest=digest, game=sick, number=number)
        assert town.night() == set(), "it is whole again"


DEFINITION = Definition(endure, rounds=100, quick=2, faults=("unchecked", "spreading"))
