"""Constraints on unseen cards: a hand backs its seat's bid, and a winner lays the cards that back it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from rules.common.cards import JOKER, Card, Cards, canonical, without
from rules.common.poker import RANK, SAME_RANK, SIZE, STRENGTH, VALUE
from rules.games.abbott_auction.claims import NAMES, Claim, layable
from rules.games.abbott_auction.components import Table
from rules.games.abbott_auction.phases import Bidding, Laying
from rules.kernel import Address, Dealt, Hidden, Json, Random, State, Viewer, one_of, shuffled

VALUES = {name: value for value, name in NAMES.items()}


def reserve(blind: Table, seat: Viewer, unseen: Cards, rng: Random) -> Dealt:
    """4.2 and 4.4 Cards that back the high bid, or that are still to be laid for it."""
    if isinstance(blind, Bidding) and blind.high and blind.bidder not in (None, seat):
        return {Address("hands", blind.bidder): backing(blind.high, unseen, (), rng)}
    if isinstance(blind, Laying) and blind.winner != seat:
        laid = blind.pile[len(blind.pile) - blind.laid :]
        return {Address("hands", blind.winner): backing(blind.claim, unseen, laid, rng)}
    return {}


def backing(claim: Claim, unseen: Cards, laid: Cards, rng: Random) -> Cards:
    """Cards that complete the cards `laid` to back the claim, as near to the front of `unseen` as possible; empty if
    none do.
    """
    if claim.rank == VALUE[JOKER]:
        return (JOKER,) * SIZE[claim.kind]
    if claim.suit:
        return (RANK[claim.rank or 0] + claim.suit,)
    if claim.kind in SAME_RANK:
        alike = [card for card in dict.fromkeys(unseen) if card != JOKER and card not in laid]
        ranked = [card for card in alike if VALUE[card[0]] == claim.rank]
        return canonical(ranked[: SIZE[claim.kind] - len(laid)])
    for count in range(SIZE[claim.kind], len(unseen) + 1):
        front = unseen[:count]
        if layable(claim, front, laid):
            break
    else:
        return ()
    found: list[Card] = []
    while len(found) + len(laid) < SIZE[claim.kind]:
        rest = without(front, *found)
        found.append(one_of(layable(claim, rest, (*laid, *found)), rng))
    return canonical(found)


def complete(state: State, seat: Viewer, rng: Random) -> State:
    """4.4, 1: the state in which the winner has taken as many cards as it bid, and none that it still has to lay."""
    if not isinstance(state, Laying) or state.taken:
        return state
    hand, laid = state.hands[state.winner], state.pile[len(state.pile) - state.laid :]
    back = without(hand, *backing(state.claim, tuple(shuffled(hand, rng)), laid, rng))
    return state.change(taken=tuple(shuffled(back, rng)[: SIZE[state.claim.kind]]))


Notes = Mapping[int, Claim]
"""The strongest bid of each seat since it last laid cards. The cards that back it are still in its hand."""


def learn(notes: Notes | None, before: Table, after: Table, line: Json) -> Notes:
    """4.2 to 4.4 The notes after a line: a hand backs its bid until its seat lays cards, or new ones are dealt (3)."""
    notes = notes or {}
    if line["line"] == "deal":
        return {}
    if line["line"] == "won":
        return {other: claim for other, claim in notes.items() if other != line["seat"]}
    if line["line"] != "bid":
        return notes
    named = line.get("rank")
    claim = Claim(line["kind"], VALUES[named] if named else None, line.get("suit"))
    old = notes.get(line["seat"])
    weaker = old is not None and STRENGTH[claim.kind] < STRENGTH[old.kind]
    return notes if weaker else {**notes, line["seat"]: claim}


def recall(notes: Notes | None, blind: Table, seat: Viewer, unseen: Cards, rng: Random) -> Dealt:
    """4.2 Cards for the hands of other seats that also back their bids noted from earlier auctions."""
    left, dealt = unseen, dict[Address, Cards]()
    if not isinstance(blind, Bidding | Laying):
        return dealt
    done = (seat, blind.bidder if isinstance(blind, Bidding) else blind.winner)
    for other, claim in (notes or {}).items():
        cards = () if other in done else backing(claim, left, (), rng)
        if cards and not Counter(cards) - Counter(left):  # the others are known to lie somewhere
            left = without(left, *cards)
            dealt[Address("hands", other)] = cards
    return dealt


hidden = Hidden(reserve, complete, learn=learn, recall=recall)
