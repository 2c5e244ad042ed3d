"""Positions of finished games as puzzles: what was known at a decision, and what was played."""

from __future__ import annotations

from typing import NamedTuple

from rules.kernel import Illegal, Json, State
from service.core.runtime.problems import NotFound, NotOver
from service.log.table_rows.table import Table
from service.tables.services import Services


class Decided(NamedTuple):
    """A decision among several actions in a finished game."""

    number: int
    """The number of its event."""
    seat: int
    state: State
    """The position before it: only what `seat` sees of it may be shown before the answer."""
    played: Json

    def listed(self, table: Table, action: Json) -> Json | None:
        """The legal action that equals this one; None if there is none."""
        try:
            return table.ruleset.listed(self.state, self.seat, action)
        except Illegal:
            return None


def find(services: Services, table: Table, number: int) -> Decided:
    """The decision in event `number`, by the person or program who then held the seat.

    Raises NotOver while the game is running, or while others may still play the same deal; NotFound if the event is no
    decision among several actions, or was taken back; UnreadableLog.
    """
    game = table.game
    if game.lesson is not None:
        raise NotFound
    if not game.has_record(services.now()):
        raise NotOver
    if not 1 < number <= game.number or number in game.taken_back:
        raise NotFound
    (passed,) = services.states.course(game, number - 1, number)
    event = passed.event
    if event["kind"] != "action" or not _had_choice(table, passed.before, event["seat"]):
        raise NotFound
    return Decided(number, event["seat"], passed.before, event["action"])


def _had_choice(table: Table, state: State, seat: int) -> bool:
    ruleset = table.ruleset
    return seat in ruleset.turn(state).waiting and len(ruleset.legal(state, seat)) > 1
