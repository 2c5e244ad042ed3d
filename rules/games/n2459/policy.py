"""The likely choices of sensible players: they reach where nobody has been, or for cards that they know."""

from __future__ import annotations

import functools

from rules.common.cards import Card, Cards
from rules.games.n2459.components import SLOT, Table, by_slot
from rules.games.n2459.phases import Collecting
from rules.games.n2459.scoring import held, strength, swapped
from rules.kernel import Json

BEEN, STAYING = 0.1, 0.01
"""The weights of a position where others have put a card back, and of staying still, relative to an untouched
position.
"""
WORSE = 0.02
"""The weight of keeping the card that makes the collection worse, relative to the other card."""
TOGETHER = 3.0
"""The value of one more card of the same suit, which may become part of a longer run."""


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """4A The weight of each legal action, from the cards to keep and from the seat's knowledge of the positions."""
    if not isinstance(s, Collecting):
        return [1.0] * len(legal)
    at, collection = s.taken[seat], s.collections[seat]
    if at is None:
        return in_order(s, hopeful(s, seat, collection))
    other = joined(collection, s.positions[at])
    better = worth(other) > worth(collection)
    keeping = in_order(s, hopeful(s, seat, collection), WORSE if better else 1.0)
    return keeping + in_order(s, hopeful(s, seat, other), 1.0 if better else WORSE)


def in_order(s: Collecting, hopes: dict[int, float], times: float = 1.0) -> list[float]:
    """4A, step 2: the hopes times `times`, in the order of the legal actions; staying still comes last."""
    vacant = s.positions.count(None)
    weights = [0.0] * (len(s.positions) - vacant) + [STAYING * times]
    for at, hope in hopes.items():
        weights[at - s.positions[:at].count(None) if vacant else at] = hope * times
    return weights


def hopeful(s: Collecting, seat: int, collection: Cards) -> dict[int, float]:
    """The weight of each promising position for the seat.

    As unknown positions are all equal, each seat looks at a different one.
    """
    positions, now, hopes, been = s.positions, worth(collection), dict[int, float](), list[int]()
    new, laid = taken_up(s)
    for at in laid:
        if s.laid[at] != seat and not s.face_up[at]:
            been.append(at)
        elif (gain := worth(joined(collection, positions[at])) - now) > 0:
            hopes[at] = 1 + gain
    if new:
        hopes[one_for(s, seat, new)] = 1.0
    if been:
        hopes[one_for(s, seat, been)] = BEEN if new else 1.0
    return hopes


def taken_up(s: Collecting) -> tuple[list[int], list[int]]:
    """The positions with cards: those whose card nobody has seen, and the others."""
    return seen(s.positions, s.laid, s.face_up)


@functools.lru_cache(maxsize=64)
def seen(
    positions: tuple[Card | None, ...], layers: tuple[int | None, ...], ups: tuple[bool, ...]
) -> tuple[list[int], list[int]]:
    """4A The result of `taken_up`, cached because all seats ask for it."""
    lying = [at for at, card in enumerate(positions) if card]
    new = [at for at in lying if layers[at] is None and not ups[at]]
    return new, [at for at in lying if layers[at] is not None or ups[at]]


def one_for(s: Collecting, seat: int, places: list[int]) -> int:
    """4A One of these positions, different for each seat and in each round."""
    return places[(s.round + seat * len(places) // s.players) % len(places)]


@functools.lru_cache(maxsize=1 << 14)
def joined(collection: Cards, card: Card | None) -> Cards:
    """The collection with a card in its slot, in place of the card that was there."""
    if card not in SLOT:
        return collection
    old = held(collection, card)
    return by_slot((*collection, card)) if old is None else swapped(collection, old, card)


@functools.lru_cache(maxsize=1 << 14)
def worth(collection: Cards) -> float:
    """5 The worth of a collection: its run, and then the cards of one suit, which may become a run."""
    run, face, number = strength(collection)
    suits = [card[1] for card in collection]
    alike = max(map(suits.count, suits), default=0)
    return 10 * run + TOGETHER * alike + face + number / 10
