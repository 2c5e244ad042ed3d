"""Daily deals in the worker: made before their day begins; and what their house players think, kept for everybody.

They think with fixed iterations and seeds, so that equal choices lead to equal games.
"""

from __future__ import annotations

from typing import NamedTuple

from rules.kernel import Json
from service.core.runtime.problems import NoSuchTable
from service.core.runtime.units import HOUR
from service.log.event_log import has_past, read
from service.log.table_rows.asked_first import PERSON
from service.log.table_rows.table import GameRow, find
from service.operations.thinking.questions import Question
from service.tables.play.daily_deals import deals, thoughts, tries
from service.tables.services import Services

TIMES = 20
"""How many times longer than the other house players those search whose lines are shown: about as long as `strong`."""


class DailyPreparation:
    """Makes the deals of the next days, alongside any number of other workers."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._checked_at: int | None = None

    def step(self) -> int:
        """Make the missing deals, once an hour at most; returns 0, since nothing is left to do at once."""
        now = self._services.now()
        if self._checked_at is None or not 0 <= now - self._checked_at < HOUR:
            self._checked_at = now
            deals.prepare(self._services)
        return 0


class Fixed(NamedTuple):
    """The values that make equal questions have equal answers."""

    seed: int
    iterations: int


def fixed(game: GameRow, seat: int) -> Fixed | None:
    """How the house player of this seat thinks; None in other games, and where it takes the place of a person."""
    if game.deal is None:
        return None
    line = tries.line_of(game) if seat == PERSON else None
    if seat == PERSON and line is None:
        return None
    deal = deals.find(game.deal)
    assert deal is not None, "it was dealt"
    seed = thoughts.seed(game, seat, read(game.key, 0, game.number), line)
    return Fixed(seed, deal.iterations * (TIMES if line else 1))


def keep(services: Services, question: Question, action: Json) -> Json:
    """Keep the answer to a question about a position of a daily deal; returns what is to be played.

    It is kept whether or not its move can be made now, if the log still has the past that was thought about. What is
    thought in the place of the person is for its line alone. Raises UnreadableLog.
    """
    if question.iterations is None or question.seat == PERSON:
        return action
    try:
        table = find(question.game)
    except NoSuchTable:  # its player has been erased
        return action
    game, number, seat = table.game, question.number, question.seat
    if not has_past(game, number, question.head):
        return action
    key = thoughts.digest(game, seat, read(game.key, 0, number))
    return thoughts.keep(table, services.states.load(game, number), seat, key, action)
