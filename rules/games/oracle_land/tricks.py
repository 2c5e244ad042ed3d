"""Tricks in The Land of Oracles: numbers shifted by the joker, cards without a suit, and the winner and the loser.

Sections and rulings are those of the ruleset's specification.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from rules.common.cards import NUMBER, Card, Cards, rank, suit
from rules.common.faces import Face, marked, marks, printed
from rules.games.oracle_land.components import PACK
from rules.kernel import Action

SHIFT = {None: 0, "plus": 1, "minus": -1}
"""The joker's effect on the number of a card."""
TURNING = {("6", None), ("6", "plus"), ("6", "minus"), ("5", "plus"), ("7", "minus")}
"""The printed numbers, each with the joker if any, whose plays change when they lie sideways (ruling 5)."""


def ways(card: Card, joker: str | None) -> list[Action]:
    """4.4 The plays of a card: upright, and sideways if that changes the number."""
    turning = (rank(card), joker) in TURNING
    return [
        Action(type="play", card=card, sideways=sideways, joker=joker)
        for sideways in ((False, True) if turning else (False,))
    ]


LEADS = {card: [way for joker in SHIFT for way in ways(card, joker)] for card in PACK}
"""4.4 The plays of each card for the leader, who can use the joker."""
FOLLOWS = {card: ways(card, None) for card in PACK}
"""4.4 The plays of each card for the other seats."""


@functools.cache
def laid(card: Card, sideways: bool, joker: str | None) -> Face:
    """A card in the form in which it lies in a trick, with marks for sideways and the joker."""
    return marked(card, *([joker] if joker else []), *(["sideways"] if sideways else []))


@functools.cache
def number(face: Face) -> int:
    """4.4 The number of a card: a printed 6 lying sideways is 0, to which the joker is then applied.

    A 5 or 7 that the joker makes a 6 can lie sideways, too (ruling 5).
    """
    value, sideways = NUMBER[rank(printed(face))], "sideways" in marks(face)
    joker = next((each for each in marks(face) if each in SHIFT), None)
    made = max(0, (0 if value == 6 and sideways else value) + SHIFT[joker])
    return 0 if made == 6 and sideways else made


@functools.cache
def suit_of(face: Face) -> str | None:
    """4.4 The suit of a card; None if its number is 4."""
    return None if number(face) == 4 else suit(printed(face))


def legal_follows(hand: Cards, led: str | None) -> Cards:
    """4.4 The cards that may follow: all of the suit led, unless the hand has only its 4, and always 2s and 4s (ruling
    7).
    """
    if not [card for card in hand if card[1] == led and card[0] != "4"]:
        return hand
    return tuple([card for card in hand if card[1] == led or card[0] in "24"])


@functools.cache
def strength(face: Face, led: str | None) -> tuple[int, int]:
    """4.4 The key for comparing plays (ruling 8).

    If a suit was led, following it beats another suit, which beats no suit; then the number counts.
    """
    own = suit_of(face)
    follows = own == led or number(face) == 2
    step = 0 if led is None or own is None else 2 if follows else 1
    return step, number(face)


def outcome(faces: Sequence[Face]) -> tuple[int, int]:
    """4.4 The winner and the loser, counted from the leader; of two equal plays, the earlier one is stronger."""
    strengths = [strength(face, suit_of(faces[0])) for face in faces]
    lost = strengths[::-1].index(min(strengths))
    return strengths.index(max(strengths)), len(faces) - 1 - lost
