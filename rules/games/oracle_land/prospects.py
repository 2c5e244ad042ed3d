"""5, 3 The probability that a seat's prophecies come true, and the effect of further cards of a suit on it."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Mapping, Sequence

from rules.common.cards import SUITS, Cards
from rules.games.oracle_land.components import TRICKS, Table, counted

AHEAD = 0.5
"""The lead in cards with which a suit is as likely as not to end up ahead; it is above 0, since a tie is not enough."""
UNSURE, LATER = 0.36, 0.3
"""The uncertainty of the final numbers of cards: at the end of a deal, and its increase for each trick before that."""

Counts = tuple[int, ...]
"""The number of cards of each suit that a seat owns."""
Places = tuple[int, ...]
"""Suits, as indexes in SUITS."""


class Prospects:
    """The expectations of a seat, in bid cards that come true."""

    def __init__(self, s: Table, seat: int) -> None:
        secret = () if s.opened or s.sealing[seat] else s.secrets[seat]
        counts = counted(s, seat)
        self._counts = more(counts, secret[0][1]) if secret else counts
        self._most, self._least = named(s.most[seat]), named(s.least[seat])
        self._left = TRICKS + 1 - (s.number or 1)

    def gain(self, suits: Iterable[str], each: int = 1) -> float:
        """The gain in expectation from one more card of each of these suits, or from one less if `each` is -1."""
        counts = self._counts
        for suit in suits:
            counts = more(counts, suit, each)
        hoped = hope(self._most, self._least, counts, self._left)
        return hoped - hope(self._most, self._least, self._counts, self._left)

    def gains(self) -> Mapping[str, float]:
        """The gain in `hope` from one more card of each suit, by suit."""
        return gains(self._most, self._least, self._counts, self._left)


def more(counts: Counts, suit: str, each: int = 1) -> Counts:
    """The numbers of cards after adding `each` cards of a suit."""
    place = SUITS.index(suit)
    return (*counts[:place], counts[place] + each, *counts[place + 1 :])


def named(cards: Cards | None) -> Places:
    """The suits of bid cards; empty without any."""
    return tuple([SUITS.index(card[1]) for card in cards or ()])


@functools.lru_cache(maxsize=1 << 14)
def hope(most: Places, least: Places, counts: Counts, left: int) -> float:
    """The expected number of bid cards that come true with these numbers of cards.

    Only the number of the remaining tricks, `left`, is known about them.
    """
    fewest = tuple([-count for count in counts])
    unsure = UNSURE + LATER * left
    return likely(most, counts, unsure) + likely(least, fewest, unsure)


@functools.lru_cache(maxsize=1 << 14)
def gains(most: Places, least: Places, counts: Counts, left: int) -> Mapping[str, float]:
    """The change in `hope` with one more card of a suit, by suit."""
    now = hope(most, least, counts, left)
    return {suit: hope(most, least, more(counts, suit), left) - now for suit in SUITS}


def likely(places: Places, counts: Sequence[int], unsure: float) -> float:
    """The expected number of these bid cards that come true: all do if their suits are equal and above all others."""
    if not places:
        return 0.0
    inside = [counts[place] for place in places]
    outside = max([count for place, count in enumerate(counts) if place not in places])
    ahead = min(inside) - outside - (max(inside) - min(inside))
    return len(places) / (1 + math.exp((AHEAD - ahead) / unsure))
