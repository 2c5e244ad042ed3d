"""Thoughts of house players in daily deals: with fixed iterations and seeds, and kept for everybody who comes there."""

from __future__ import annotations

from typing import NamedTuple

from rules.kernel import Json
from service.core.runtime.problems import NoSuchTable
from service.log.event_log import has_past, read
from service.log.table_rows.asked_first import PERSON
from service.log.table_rows.table import GameRow, find
from service.operations.thinking.questions import Question
from service.tables.play.daily_deals import deals, thoughts, tries
from service.tables.services import Services

TIMES = 20
"""How many times longer than the other house players those search whose lines are shown: about as long as `strong`."""


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
