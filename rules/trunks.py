"""The Trunk and the Peddler: what its cards are worth, how junk is stacked, and the account of a trunk.

Sections are those of the rules of `trunk_and_peddler`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rules.cards import NUMBER, SUITS, Card, Cards, rank, suit, without
from rules.kernel import Json, Option

ACE = 11
"""An ace that counts high, and as a trunk (2, 4.2)."""
SIDE = 3
"""What a valuable at the side adds to the capacity (H)."""
BONUS = 3
"""For a load that fills the trunk exactly (5)."""
VALUE, VALUE_C = 2, 3
"""A face-down valuable, and with C (5, R11)."""
USUAL = 7
"""The capacity that a seat out of time comes nearest to (6)."""
THREE = 3
"""Junk cards of one suit that lie as one unit (F, G)."""

LETTERS = "ABCDEFGH"
PRESETS = {"base": "", "advanced": "ABC", "maniac": "ABCDE", "masochist": LETTERS}
"""The rules that each preset puts in force (1); `custom` names its own."""


class Account(NamedTuple):
    """5 How one seat's score comes about."""

    capacity: int
    load: int
    worth: int
    down: int
    loss: int
    times: int
    bonus: int
    value: int


def account(capacity: int, load: int, worth: int, down: int, up: int) -> Account:
    """5 The account of a trunk: `worth` is that of one of its `down` valuables, `up` counts the joker too.

    Nothing face up does not multiply (R3).
    """
    room, times = capacity - load, max(1, up)
    loss = room if room >= 0 else -2 * room
    bonus = BONUS if room == 0 else 0
    score = (worth * down - loss) * times + bonus
    return Account(capacity, load, worth, down, loss, times, bonus, score)


def options(players: int) -> dict[str, Option]:
    """1 A preset, and the rules that `custom` puts in force."""
    own = {letter: Option((False, True), False) for letter in LETTERS}
    return {"preset": Option((*PRESETS, "custom"), "base"), **own}


def in_force(chosen: Json) -> str:
    """1 The letters of the rules in force: those of the preset, or the own ones."""
    own = "".join(letter for letter in LETTERS if chosen[letter])
    return PRESETS.get(chosen["preset"], own)


def value(card: Card, high: bool = False) -> int:
    """4.2 What a played card counts."""
    return ACE if high else NUMBER[rank(card)]


def turned_value(card: Card) -> int:
    """4.2 What a card turned up from the stock counts: one less than its number, an ace 1."""
    return max(1, value(card) - 1)


def capacity_number(card: Card) -> int:
    """2 The rank of a trunk card, A = 11."""
    return value(card, rank(card) == "A")


def usual(hand: Cards) -> Card:
    """6 The trunk of a seat out of time: nearest to 7, of two the smaller, of equals the first."""
    return min(hand, key=lambda card: (abs(capacity_number(card) - USUAL), capacity_number(card)))


def plays(cards: Iterable[Card]) -> list[Json]:
    """4.2 Every way to play one of `cards`: only an ace can count high."""
    return [
        {"type": "play", "card": card, "high": high}
        for card in cards
        for high in ((False, True) if rank(card) == "A" else (False,))
    ]


def lowest(actions: list[Json]) -> Json:
    """6 The play of the lowest value."""
    return min(actions, key=lambda action: value(action["card"], action["high"]))


def stacked(cards: Cards) -> tuple[Cards, list[Cards]]:
    """4.5, 5 The cards that stay single, and as many threes of a suit as possible (R6)."""
    suits = [tuple(card for card in cards if suit(card) == each) for each in SUITS]
    starts = [(row, at) for row in suits for at in range(0, len(row) - THREE + 1, THREE)]
    threes = [row[at : at + THREE] for row, at in starts]
    return without(cards, *(card for three in threes for card in three)), threes
