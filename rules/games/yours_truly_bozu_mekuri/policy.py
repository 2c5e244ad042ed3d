"""The likely turns, plays, keeps and stops of sensible players: they fill rows exactly, and do not overload them."""

from __future__ import annotations

import functools
import math

from rules.common.cards import SUITS, Card, Cards, deck, rank, suit
from rules.common.faces import Face
from rules.games.yours_truly_bozu_mekuri.components import Table, head, rows_by_suit, total
from rules.games.yours_truly_bozu_mekuri.settlement import value
from rules.kernel import Json

EXACT, NEAR, BURST, ON = 12.0, 8.0, 0.02, 0.15
"""The weights of playing a card from the hand, by its effect on the row: exact, near, a burst, or merely added.

A card that is merely added also helps the next seat.
"""
LUCK, LOSS = 4.0, 5.0
"""The value of winning a row by turning up a card, and the cost of taking a bozu, relative to ending the turn."""
PASSING = 0.05
"""The weight of discarding a card for nothing."""
KEEN = 0.3
"""The exponent of an action's weight for each point that the kept cards bring."""
ALIKE = 3
"""The extra value of a card whose number is in the hand already, since three of them are a set."""
NUMBERS = deck("23456789T")


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """4.1 to 4.3 The weight of each legal action, judged row by row from what the table shows."""
    kind = legal[-1]["type"]
    if kind == "place":
        over = [total(s, each["row"]) + value(s.drawn[0]) - head(s, each["row"]) for each in legal]  # type: ignore[attr-defined]  # only Placing has it
        return [won(each) + 0.3 for each in over]
    if kind == "cover":
        return [4.0 if suit(each["card"]) == suit(each["bozu"]) else 1.0 for each in legal]
    if kind == "keep":
        return kept(s.hands[seat], legal)
    room = tuple([head(s, row) - total(s, row) if s.rows[row] else 0 for row in range(len(s.rows))])
    weights = []
    for action in legal:
        kind = action["type"]
        if kind == "play":
            weights.append(won(value(action["card"]) - room[action["row"]]))
        elif kind == "draw":
            weights.append(math.exp(luck(tuple([row[:1] for row in s.rows]), room)))
        else:
            weights.append(1.0 if kind == "end" else PASSING)
    return weights


def won(over: int) -> float:
    """4.3 The weight of a play after which the row's sum exceeds its bozu by `over`."""
    if over > 1:
        return BURST
    return ON if over < -1 else NEAR if over else EXACT


def luck(heads: tuple[tuple[Face, ...], ...], room: tuple[int, ...]) -> float:
    """4.2 The expected gain from turning up a card and placing it in the best row."""
    rows = rows_by_suit(heads)
    return sum([of_suit(tuple([room[row] for row in rows[suit]])) for suit in SUITS]) / len(NUMBERS)


@functools.lru_cache(maxsize=4096)
def of_suit(room: tuple[int, ...]) -> float:
    """The sum of the gains over all number cards of a suit, for rows with this much room.

    It is cached, since few cases differ.
    """
    sum_ = 0.0
    for card in NUMBERS[: len(NUMBERS) // len(SUITS)]:
        fates = [value(card) - each for each in room]
        if any(-1 <= over <= 1 for over in fates):
            sum_ += LUCK
        elif all(over > 1 for over in fates):
            sum_ -= LOSS
    return sum_


def kept(hand: Cards, legal: list[Json]) -> list[float]:
    """4.3, 3 and 5: the weight of each way to keep cards, higher for the hand's longest suit and for numbers that it
    has.
    """
    worth = dict.fromkeys(SUITS, 0)
    for card in hand:
        worth[card[1]] += value(card)
    return [math.exp(KEEN * brought(hand, worth, each["cards"])) for each in legal]


def brought(hand: Cards, worth: dict[str, int], cards: list[Card]) -> float:
    """The points of the best suit, and for equal numbers, after adding cards to a hand with these sums by suit."""
    then = dict(worth)
    for card in cards:
        then[card[1]] += value(card)
    ranks = [*map(rank, hand), *map(rank, cards)]
    return max(then.values()) + ALIKE * sum(ranks.count(rank(card)) > 1 for card in cards)
