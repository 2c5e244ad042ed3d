"""Constraints on unseen cards: the seat whose turn it is can play, and a seat that passed could not."""

from __future__ import annotations

from collections.abc import Iterator

from rules.common.cards import Cards, deck
from rules.games.market_price.components import Table, suit_watched
from rules.games.market_price.phases import Playing
from rules.kernel import Address, Dealt, Hidden, Json, Random, Viewer


def reserve(blind: Table, seat: Viewer, unseen: Cards, rng: Random) -> Dealt:
    """4.3 Cards of a watched suit for each seat that is out, and a card that can be played for the seat whose turn it
    is.
    """
    if not isinstance(blind, Playing):
        return {}
    numbers = [card for card in unseen if card[0] not in "JQK"]
    dealt: dict[Address, Cards] = {}
    for other in range(blind.players):
        if other != seat and blind.passed[other] and blind.hands[other]:
            cards = of_one_suit(blind, numbers, len(blind.hands[other]))
            numbers = [card for card in numbers if card not in cards]
            dealt[Address("hands", other)] = cards
    if blind.on_turn != seat:
        playable = [card for card in numbers if card[1] != suit_watched(blind)]
        dealt[Address("hands", blind.on_turn)] = tuple(playable[:1])
    return dealt


def of_one_suit(s: Table, cards: list[str], count: int) -> Cards:
    """`count` of these cards, all of one suit that has been watched; empty if no such suit has enough of them."""
    for suit in dict.fromkeys(card[1] for card in cards):
        found = tuple(card for card in cards if card[1] == suit)
        if len(found) >= count and "J" + suit in s.watched:
            return found[:count]
    return ()


def lacking(before: Table, after: Table, line: Json) -> Iterator[tuple[Address, Cards]]:
    """4.3 The cards that a seat lacks after passing: all cards of the suits that are not watched."""
    if line["line"] == "passed":
        others = (card for card in deck("23456789T") if card[1] != line["suit"])
        yield Address("hands", line["seat"]), tuple(others)


hidden = Hidden(reserve, lacking=lacking)
