"""Constraints on unseen cards: a collection has one card for a slot, and a card that was put back was not wanted."""

from __future__ import annotations

from rules.common.cards import JOKER, Card, Cards
from rules.games.n2459.components import SLOT, SLOTS, Table
from rules.games.n2459.phases import Collecting, Racing
from rules.games.n2459.scoring import complete as is_complete
from rules.games.n2459.scoring import held, swapped
from rules.kernel import Address, Dealt, Hidden, Random, State, Viewer


def reserve(blind: Table, seat: Viewer, unseen: Cards, rng: Random) -> Dealt:
    """2 and 4: cards for the collections, and for the cards that each seat has drawn and neither kept nor announced."""
    left, dealt = list(unseen), dict[Address, Cards]()
    for other, cards in enumerate(blind.collections):
        if other != seat and cards:
            collected = collection(left, len(cards), isinstance(blind, Collecting))
            left = [card for card in left if card not in collected]
            dealt[Address("collections", other)] = collected
    for other, address in drawn(blind, seat):
        collected = tuple(dealt.get(Address("collections", other), blind.collections[other]))
        card = next((card for card in left if is_unwanted(card, collected)), None)
        if card is not None:
            left.remove(card)
            dealt[address] = (card,)
    return dealt


def collection(cards: list[Card], count: int, post: bool) -> Cards:
    """Cards for `count` different slots, from the front of `cards`.

    In rounds (`post`) they complete no collection, since that would have ended the game.
    """
    found: list[Card] = []
    for card in cards:
        if len(found) == count:
            break
        if card in SLOT and held(tuple(found), card) is None:
            if post and len(found) == len(SLOTS) - 1 and is_complete((*found, card)):
                continue
            found.append(card)
    return tuple(found)


def drawn(blind: Table, seat: Viewer) -> list[tuple[int, Address]]:
    """The seats that drew a card and did not keep it, with the address of the card if `seat` does not see it."""
    others = [other for other in range(blind.players) if other != seat]
    if isinstance(blind, Racing):
        return [(other, Address("drawn", other)) for other in others if blind.drawn[other]]
    return [
        (other, Address("positions", position=at))
        for other in others
        for at in [waiting_at(blind, other)]
        if at is not None and not blind.face_up[at]
    ]


def waiting_at(s: Table, seat: int) -> int | None:
    """4A, step 4: the position of the card that the seat drew in the last round and neither kept nor announced.

    None if there is no such card.
    """
    reach = s.reached[seat] if isinstance(s, Collecting) and s.reached else None
    return reach[0] if reach and reach[1] and s.positions[reach[0]] is not None else None


def is_unwanted(card: Card, collected: Cards) -> bool:
    """4 Whether the seat would have put the card back.

    It keeps a card for an empty slot, and one that completes the collection.
    """
    if card == JOKER:
        return False
    if card not in SLOT:
        return True
    old = held(collected, card)
    return old is not None and not is_complete(swapped(collected, old, card))


def complete(state: State, seat: Viewer, rng: Random) -> State:
    """4A, step 4: the state in which each seat that has drawn a card for a filled slot still has to choose."""
    if not isinstance(state, Collecting):
        return state
    taken = list(state.taken)
    for other in range(state.players):
        at = waiting_at(state, other)
        if other != seat and at is not None and not state.face_up[at]:
            taken[other] = at if state.positions[at] in SLOT else None
    return state.change(taken=tuple(taken))


hidden = Hidden(reserve, complete)
