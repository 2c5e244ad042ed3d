"""The orders in a reply other than choices: the words of a standing order to leave, or a request to take a move back.

As with choices, only the first line counts, only if it says nothing else, and only if nothing below it is about a
choice.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.kernel import Json
from service.notifications.incoming_mail.words_of_choosing import (
    folded,
    takes_back,
    without_courtesy,
    words,
)
from service.tables.talk.messages import LONGEST_MESSAGE
from service.tables.views.game_view import GameAnswer
from service.tables.views.orders import orders_view, trees_view


def is_alone(first: str, rest: str) -> bool:
    """Whether the first line is not a question, and no line below it takes it back."""
    return "?" not in first and not any(map(takes_back, rest.splitlines()))


def order_named(line: str, answers: Sequence[GameAnswer]) -> Json | None:
    """The terms of the standing order that a line names; None if it names none.

    `answers` are the same table in each language.
    """
    said = _readings(line)
    offers = (offer for answer in answers for offer in orders_view.offers(answer))
    offered = next((each.terms for each in offers if said and folded(each.words) in said), None)
    trees = (trees_view.named(answer, each, folded) for answer in answers for each in said)
    return offered or next(filter(None, trees), None)


def takes_move_back(line: str) -> bool:
    """Whether a line asks to take the last move back, and says nothing else."""
    return not _readings(line).isdisjoint(words("answer.take-back"))


def _readings(line: str) -> set[str]:
    if len(line) > LONGEST_MESSAGE:
        return set()
    return {folded(line), folded(without_courtesy(line))} - {""}
