"""The chief and the drawer of a comparison, and the worth of cards at the end."""

from __future__ import annotations

from rules.common.cards import NUMBER, Card, Cards

STEP = 2
"""5 The deduction from a card's number for each place of its suit below the first."""


def by_number(numbers: tuple[int, ...], joker: int) -> tuple[int, int | None]:
    """4.1, part I: the chief, and the drawer or None.

    The chief has the only highest number, or else the only second highest, or else the joker; the drawer has the only
    lowest number (rulings 1 and 2).
    """
    ranked = sorted(set(numbers), reverse=True)
    single = [value for value in ranked[:2] if numbers.count(value) == 1]
    chief = numbers.index(single[0]) if single else joker
    lowest = numbers.index(ranked[-1])
    alone = numbers.count(ranked[-1]) == 1 and lowest != chief
    return chief, lowest if alone else None


def by_card(cards: Cards, ladder: tuple[Card | None, ...]) -> tuple[int, int]:
    """4.1, part II: the chief and the drawer, with the smallest and the largest card, compared by number and then by
    suit.
    """
    size_of = [(number(card), -place(card, ladder)) for card in cards]
    return size_of.index(min(size_of)), size_of.index(max(size_of))


def number(card: Card) -> int:
    """1 The number of a card: 2 … 10, J 11, Q 12, K 13."""
    return NUMBER[card[0]]


def place(card: Card, ladder: tuple[Card | None, ...]) -> int:
    """The place of the suit of `card`: 0 is the first."""
    return ladder.index("A" + card[1])


def worth(card: Card, ladder: tuple[Card | None, ...]) -> int:
    """5 The worth of a card: its number less 0, 2, 4 or 6 for the place of its suit, but at least 0."""
    return max(0, number(card) - STEP * place(card, ladder))


def score(cards: Cards, ladder: tuple[Card | None, ...]) -> int:
    """5 The score of both cards: the sum of their worths."""
    return sum(worth(card, ladder) for card in cards)


def compared_card(cards: Cards, ladder: tuple[Card | None, ...]) -> Card:
    """5 The card that breaks a tie: the one of the better suit or, within a suit, the larger one (ruling 7)."""
    return min(cards, key=lambda card: (place(card, ladder), -number(card)))
