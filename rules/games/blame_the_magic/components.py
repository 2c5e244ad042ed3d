"""Cards, and the table: who sees which cards."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TypeVar

from rules.common.cards import NUMBER, SUITS, Card, Cards, canonical, deck, rank
from rules.common.faces import Face, bare
from rules.kernel import Json, Part, Place, State, everyone, fact, inner, owner, table, zone

RANKS = {3: "234567", 4: "2345678"}
"""2 The ranks of each seat's number cards, by the number of players."""
LIMITS = {3: 17, 4: 23}
"""The limit of influence, by the number of players (ruling 1)."""
ENOUGH = 13
"""The influence that every seat needs (ruling 2)."""
OWNER = {card: SUITS.index(card[1]) for card in deck()}
UNUSED, USED = 10, 9
"""The numbers that the round marker can show."""

T = TypeVar("T", bound="Table")


def own_suit(state: State, place: Place, card: Card) -> bool:
    """2 Whether the seat's guild or hand can hold the card, since both contain only cards of its own suit."""
    return owner_of(card) == place.seat


@table
class Table(State):
    """2 The components, and who sees them. Seat i owns the i-th suit."""

    aces: tuple[Cards, ...] = zone(everyone, "row", per="seat", name="ace")
    zones: tuple[tuple[Face, ...], ...] = zone(everyone, "row", per="seat", name="zone")
    guilds: tuple[Cards, ...] = zone(owner, "pile", name="guild", holds=own_suit, order=canonical)
    hands: tuple[Cards, ...] = zone(owner, "hand", name="hand", holds=own_suit, order=canonical)
    laid: Cards = zone(everyone, "trick", default=())
    round: int = fact(everyone, default=1)
    joker: int = fact(everyone, "seat", default=0)
    marker: int = inner(default=UNUSED)
    began: tuple[int, ...] = inner(default=())
    settled: bool = inner(default=False)

    @property
    def holder(self) -> int:
        """4.1 H, the seat that has the round marker."""
        return self.round - 1

    @property
    def limit(self) -> int:
        return LIMITS[self.players]

    @property
    def fresh(self) -> bool:
        """Whether the marker has not been used in this round."""
        return self.marker == UNUSED

    @property
    def influences(self) -> tuple[int, ...]:
        return tuple([influence(zone) for zone in self.zones])

    @property
    def over(self) -> list[int]:
        """4.7 J, the seats above the limit."""
        limit = self.limit
        return [seat for seat, zone in enumerate(self.zones) if influence(zone) > limit]

    @property
    def lost(self) -> bool:
        """4.7 Whether two seats are above the limit and the marker cannot bring one of them back, or more seats are
        (ruling 9).
        """
        over = len(self.over)
        return over > 2 or (over == 2 and not (self.fresh and self.mends))

    @property
    def mends(self) -> Cards:
        """4.7 The cards in the holder's zone each of which, if turned, would bring its influence back to the limit."""
        if self.holder not in self.over:
            return ()
        needed = self.influences[self.holder] - self.limit
        return tuple(card for card in bare(self.zones[self.holder]) if NUMBER[rank(card)] >= needed)

    def parts(self) -> Sequence[Part]:
        return (Part("round", self.round),)

    def facts(self) -> Sequence[Json]:
        return [
            {"name": "marker", "of": self.holder, "value": self.marker},
            {"name": "limit", "value": self.limit},
            *(
                {"name": "influence", "of": seat, "value": value, "display": display(self, value)}
                for seat, value in enumerate(self.influences)
            ),
        ]


def owner_of(card: Card) -> int:
    """2 The seat that owns the card: seat i owns the i-th suit."""
    return OWNER[card]


@functools.lru_cache(maxsize=4096)
def influence(zone: tuple[Face, ...]) -> int:
    """2 The influence of a zone: 1 for the ace, plus the numbers of the face-up cards."""
    return 1 + sum([NUMBER[face[0]] for face in zone if isinstance(face, str)])


def display(s: Table, value: int) -> str:
    """2 The rank that displays this influence: Q below 13, K up to the limit, J above it."""
    return "QKJ"[(value >= ENOUGH) + (value > s.limit)]
