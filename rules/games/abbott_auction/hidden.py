"""What unseen cards have to be: a bid is backed by the hand of its seat, a winner lays what backs it."""

from __future__ import annotations

from rules.common.cards import JOKER, Card, Cards, canonical, without
from rules.common.poker import RANK, SIZE, VALUE
from rules.games.abbott_auction.claims import Claim, layable
from rules.games.abbott_auction.components import Table
from rules.games.abbott_auction.phases import Bidding, Laying
from rules.kernel import Address, Dealt, Hidden, Random, State, Viewer


def reserve(blind: Table, seat: Viewer, unseen: Cards, rng: Random) -> Dealt:
    """4.2 The cards that back the high bid, or what is still to be laid for it (4.4)."""
    if isinstance(blind, Bidding) and blind.high and blind.bidder not in (None, seat):
        return {Address("hands", blind.bidder): backing(blind.high, unseen, (), rng)}
    if isinstance(blind, Laying) and blind.winner != seat:
        laid = blind.pile[len(blind.pile) - blind.laid :]
        return {Address("hands", blind.winner): backing(blind.claim, unseen, laid, rng)}
    return {}


def backing(claim: Claim, unseen: Cards, laid: Cards, rng: Random) -> Cards:
    """Cards from as near the front of `unseen` as there are any that together with those `laid` back a claim."""
    if claim.rank == VALUE[JOKER]:
        return (JOKER,) * SIZE[claim.kind]
    if claim.suit:
        return (RANK[claim.rank or 0] + claim.suit,)
    for count in range(SIZE[claim.kind], len(unseen) + 1):
        front = unseen[:count]
        if layable(claim, front, laid):
            break
    else:
        return ()
    found: list[Card] = []
    while len(found) + len(laid) < SIZE[claim.kind]:
        rest = without(front, *found)
        found.append(rng.choice(layable(claim, rest, (*laid, *found))))
    return canonical(found)


def complete(state: State, seat: Viewer, rng: Random) -> State:
    """4.4, 1: the winner has taken as many cards as it bid, none of those that it still has to lay."""
    if not isinstance(state, Laying) or state.taken:
        return state
    hand, laid = state.hands[state.winner], state.pile[len(state.pile) - state.laid :]
    back = without(hand, *backing(state.claim, tuple(rng.sample(hand, len(hand))), laid, rng))
    return state.change(taken=tuple(rng.sample(back, SIZE[state.claim.kind])))


hidden = Hidden(reserve, complete)
