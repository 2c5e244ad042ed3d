"""Thoughts of house players in daily deals: with fixed iterations and seeds, and kept for everybody who comes there."""

from __future__ import annotations

from typing import NamedTuple

from rules.kernel import Json
from service.core.runtime.problems import NoSuchTable
from service.log.event_log import read
from service.log.table_rows.asked_first import PERSON
from service.log.table_rows.table import GameRow, find
from service.operations.thinking.questions import Question
from service.tables.play.daily_deals import deals, thoughts


class Fixed(NamedTuple):
    """The values that make equal questions have equal answers."""

    seed: int
    iterations: int


def fixed(game: GameRow, seat: int) -> Fixed | None:
    """How the house player of this seat thinks; None in other games, and where it takes the place of a person."""
    if game.deal is None or seat == PERSON:
        return None
    deal = deals.find(game.deal)
    assert deal is not None, "it was dealt"
    seed = thoughts.seed(game, seat, read(game.key, 0, game.number))
    return Fixed(seed, deal.iterations)


def keep(question: Question, action: Json) -> Json:
    """Keep the answer to a question about a position of a daily deal; returns what is to be played.

    The position was committed before the question was asked, and the answer is right whether or not its move can be
    made now.
    """
    if question.iterations is None:
        return action
    try:
        game = find(question.game).game
    except NoSuchTable:  # its player has been erased
        return action
    past = read(game.key, 0, question.number)
    return thoughts.keep(game, thoughts.digest(game, question.seat, past), action)
