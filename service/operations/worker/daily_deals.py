"""Daily deals in the worker: the deals are made before their day begins, and the thoughts of their house players are
kept for everybody.

These house players think with fixed iterations and seeds, so that equal choices lead to equal games.
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
"""How many times longer the house players search whose lines are shown, compared with the others: about as long as
`strong`.
"""


class DailyPreparation:
    """Making the deals of the next days, alongside any number of other workers."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._checked_at: int | None = None

    def step(self) -> int:
        """Make the missing deals, at most once an hour; returns 0, because nothing is left to do at once."""
        now = self._services.now()
        if self._checked_at is None or not 0 <= now - self._checked_at < HOUR:
            self._checked_at = now
            deals.prepare(self._services)
        return 0


class Fixed(NamedTuple):
    """The values with which equal questions have equal answers."""

    seed: int
    iterations: int


def fixed(game: GameRow, seat: int) -> Fixed | None:
    """The fixed values with which the house player of this seat thinks; None in other games, or if it takes the place
    of a person.
    """
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
    """Keep the answer to a question about a position of a daily deal; returns the action to play.

    The answer is kept whether or not its move can be made now, if the log still has the past about which the house
    player has thought. An answer for the seat of the person is not kept, because no other game
    can use it. Raises UnreadableLog.
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
