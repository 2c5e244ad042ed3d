"""The parts of orders that wait for answers of others, in words: what to play, and for which answers (trees.py)."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from rules.kernel import Json
from service.core.runtime.problems import Stale
from service.tables.play.orders import trees
from service.tables.views.game_view import GameAnswer
from service.tables.views.orders import orders_view
from service.tables.views.orders.orders_view import Offer

Folding = Callable[[str], str]
"""A function that gives different spellings of a text the same form."""


class Condition(NamedTuple):
    """An answer of another seat for which an order can wait, with its words."""

    condition: Json
    words: str


class Parts(NamedTuple):
    """The parts from which an order that waits for answers is built. Without conditions, there can be no such order."""

    played: list[Offer]
    conditions: list[Condition]


NO_PARTS = Parts([], [])


def parts(answer: GameAnswer) -> Parts:
    """The parts at the viewer's present question; empty without a question."""
    state, seat = answer.state, answer.seat
    if state is None or seat is None or not orders_view.can_be_left(answer):
        return NO_PARTS
    of, said = (answer.table.ruleset, state, seat), (answer.words, orders_view.reader_of(answer))
    found = trees.conditions(*of)
    if not found:
        return NO_PARTS
    return Parts(
        [Offer(each, orders_view.what(each, *said)) for each in trees.played(*of)],
        [Condition(each, orders_view.condition(each, *said)) for each in found],
    )


def parts_json(answer: GameAnswer) -> Json:
    """The members `plays` and `conditions` (SeatOrders in openapi.yaml)."""
    played, conditions = parts(answer)
    return {
        "plays": [each._asdict() for each in played],
        "conditions": [each._asdict() for each in conditions],
    }


def built(answer: GameAnswer, play: int, waits_for: Sequence[int]) -> Json:
    """The terms of the order that consists of the parts at these positions.

    Raises Stale if the present question has no such parts.
    """
    offered = parts(answer)
    if play >= len(offered.played) or any(at >= len(offered.conditions) for at in waits_for):
        raise Stale
    when = [offered.conditions[at].condition for at in dict.fromkeys(waits_for)]
    return trees.order(offered.played[play].terms, when)


def example(answer: GameAnswer) -> str | None:
    """Words with which an order that waits for answers can be left by replying to an email; None if there can be no
    such order.
    """
    played, conditions = parts(answer)
    return _together(answer, played[0], conditions[:1]) if played and conditions else None


def named(answer: GameAnswer, line: str, folded: Folding) -> Json | None:
    """The terms of the order that a line describes in the order's own words, with or without how often it is played;
    None if the line fits none, or several.
    """
    played, conditions = parts(answer)
    said = folded(line)
    chosen = _within(said, by_words(conditions, folded))
    if not 1 <= len(chosen) <= trees.DEEPEST:
        return None
    found = [each for each in played if said in map(folded, _sayings(answer, each, chosen))]
    play = meant(found, line)
    return None if play is None else _terms(play, chosen)


def meant(played: Sequence[Offer], line: str) -> Offer | None:
    """The offer that a line means, among offers that differ only in signs that folding leaves out, such as suits; None
    if that is not clear.
    """
    found = [*played]
    if len(found) > 1:
        found = [each for each in found if _with_signs(each.words) in _with_signs(line)]
    return found[0] if len(found) == 1 else None


def by_words(conditions: Sequence[Condition], folded: Folding) -> dict[str, Condition]:
    """The conditions by their words, except those whose words fit several."""
    words = [folded(each.words) for each in conditions]
    count = Counter(words)
    return {said: each for said, each in zip(words, conditions, strict=True) if count[said] == 1}


def _with_signs(text: str) -> str:
    """A text without upper case, white space and invisible marks."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(each for each in plain if unicodedata.category(each) not in {"Zs", "Cf", "Mn"})


def _terms(play: Offer, chosen: Sequence[Condition]) -> Json:
    return trees.order(play.terms, [each.condition for each in chosen])


def _sayings(answer: GameAnswer, play: Offer, chosen: Sequence[Condition]) -> tuple[str, str]:
    """An order in words, first without and then with how often it is played."""
    once = {**_terms(play, chosen), "until": {"times": 1}}
    said = orders_view.worded(once, answer.words, orders_view.reader_of(answer))
    return _together(answer, play, chosen), said


def _together(answer: GameAnswer, play: Offer, chosen: Sequence[Condition]) -> str:
    conditions = answer.words.listed([each.words for each in chosen])
    return answer.words.say("order.after", {"what": play.words, "while": conditions})


def _within(said: str, phrases: dict[str, Condition]) -> list[Condition]:
    """The conditions whose words occur in a text, in its order; a phrase inside a longer one does not count."""
    found = dict[int, Condition]()
    for phrase in sorted(phrases, key=len, reverse=True):
        at = said.find(phrase)
        if at >= 0:
            found[at] = phrases[phrase]
            said = said.replace(phrase, " " * len(phrase), 1)
    return [found[at] for at in sorted(found)]
