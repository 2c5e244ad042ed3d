"""Constraints on unseen cards: every hand begins with three low, two middle and three high cards."""

from __future__ import annotations

from collections.abc import Mapping

from rules.common.cards import Cards, rank
from rules.games.joretsu.components import PILES, Table
from rules.games.joretsu.phases import Bidding, Over
from rules.kernel import Address, Dealt, Hidden, Json, Random, Viewer


def reserve(blind: Table, seat: Viewer, unseen: Cards, rng: Random) -> Dealt:
    """3 Hands of three low, two middle and three high cards, which last until the first comparison."""
    if not isinstance(blind, Bidding) or blind.round > 1:
        return {}
    dealt: dict[Address, Cards] = {
        Address("hands", other): () for other in range(blind.players) if other != seat
    }
    for _, ranks, each in PILES:
        cards = [card for card in unseen if rank(card) in ranks]
        for n, address in enumerate(dealt):
            dealt[address] += tuple(cards[n * each : (n + 1) * each])
    return dealt


Notes = Mapping[tuple[int, str], int]
"""The number of cards of each pile that each seat has played, by seat and name of the pile."""


def learn(notes: Notes | None, before: Table, after: Table, line: Json) -> Notes:
    """4.1 The notes after a line: a played card of a pile has left its seat's hand."""
    notes = notes or {}
    if line["line"] != "bid":
        return notes
    pile = next(name for name, ranks, _ in PILES if rank(line["card"]) in ranks)
    key = (line["seat"], pile)
    return {**notes, key: notes.get(key, 0) + 1}


def recall(notes: Notes | None, blind: Table, seat: Viewer, unseen: Cards, rng: Random) -> Dealt:
    """3 Cards for the rest of each dealt hand; a card that its seat drew and kept can be any card."""
    left, dealt = list(unseen), dict[Address, Cards]()
    if not notes or isinstance(blind, Over):
        return dealt
    for other in range(blind.players):
        for name, ranks, each in PILES if other != seat else ():
            count = max(0, each - notes.get((other, name), 0))
            cards = tuple([card for card in left if rank(card) in ranks][:count])
            left = [card for card in left if card not in cards]
            address = Address("hands", other)
            dealt[address] = dealt.get(address, ()) + cards
    return dealt


hidden = Hidden(reserve, learn=learn, recall=recall)
