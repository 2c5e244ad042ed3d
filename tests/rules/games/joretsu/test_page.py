"""Joretsu: the examples on the pages of rules."""

from __future__ import annotations

from typing import Any

import pytest

from rules.common.cards import canonical, deck
from rules.games.joretsu.phases import Showdown
from rules.games.joretsu.scoring import by_card, by_number, compared_card, number, score, worth
from tests.rules.games.joretsu.test_rules import GAME, SHDC
from tests.rules.page_examples import LANGUAGES, Example, cards, examples, follow, one_deck, rows
from tests.rules.playouts import moved

DECK = deck("23456789TJQK")
SAID = {
    "en": {"K": "king", "9": "nine", "2": "two", "joker": "whoever has the joker", "": "nobody"},
    "ja": {"K": "K", "9": "9", "2": "2", "joker": "ジョーカーの持ち主", "": "なし"},
}
"""The pages' names for the player who has played a card."""


def numbers(example: Example) -> None:
    played = cards(example.played)
    one_deck(played, DECK)
    for joker in range(len(played)):
        chief = joker if example.chief < 0 else example.chief
        drawer = None if example.drawer < 0 else example.drawer
        assert by_number(tuple(map(number, played)), joker) == (chief, drawer)
    who = ["joker" if example.chief < 0 else played[example.chief][0]]
    who += ["" if example.drawer < 0 else played[example.drawer][0]]
    found = rows(GAME, example.played)
    assert [language for language, _ in found] == [*LANGUAGES]
    for language, cells in found:
        assert all(SAID[language][one] in cell for one, cell in zip(who, cells[1:], strict=True))


def turn(example: Example) -> None:
    state: Any = follow(GAME, GAME.initial(example.players, {}), example.steps)
    assert state.discards[1:] == (cards(example.pile), cards(example.discarded))
    assert state.stock[0] == example.turned


def larger(example: Example) -> None:
    smallest, largest = by_card(tuple(example.than), SHDC)
    assert (example.than[smallest], largest) == (example.smallest, 0)


def showdown(example: Example) -> None:
    hands = tuple(canonical(cards(each)) for each in example.played)
    one_deck(sum(hands, ()), DECK)
    players = len(hands)
    state: Any = Showdown(
        players=players, hands=hands, discards=((),) * players, ladder=SHDC, aces=()
    )
    for seat, hand in enumerate(hands):
        state = moved(GAME, state, seat, "showdown", cards=list(hand))
    result = GAME.result(state)
    assert result
    assert (list(result.scores), result.winners) == (example.scores, (example.winner,))
    winner, loser = example.compared
    assert compared_card(hands[example.winner], SHDC) == winner
    assert loser in [compared_card(hand, SHDC) for hand in hands]


def of_cards(example: Example) -> None:
    played = cards(example.cards)
    example.says(*(worth(card, SHDC) for card in played), score(played, SHDC))


def total(example: Example) -> None:
    example.says(score(cards(example.cards), SHDC))


KINDS = {
    "numbers": numbers,
    "turn": turn,
    "larger": larger,
    "showdown": showdown,
    "worth": of_cards,
    "total": total,
}


@pytest.mark.parametrize("example", examples(GAME), ids=str)
def test_the_examples_of_the_page(example: Example) -> None:
    KINDS[example.kind](example)
