"""How likely sensible players are to reach for a position: they look where nobody has been, or know what lies there."""

from __future__ import annotations

from collections import Counter

from rules.common.cards import Card, Cards
from rules.games.n2459.components import SLOT, Table, by_slot
from rules.games.n2459.phases import Collecting
from rules.games.n2459.scoring import held, strength, swapped
from rules.kernel import Json

BEEN, USELESS, STAYING = 0.1, 0.005, 0.01
"""Where another has put a card back, where a card lies that does not help, and nowhere, beside a new position."""
WORSE = 0.02
"""The card that makes the collection worse, beside the other one."""


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """4A The better card is kept; then the positions, by what the seat knows of them."""
    if not isinstance(s, Collecting):
        return [1.0] * len(legal)
    at, collection = s.taken[seat], s.collections[seat]
    if at is None:
        hopes = hopeful(s, seat, collection)
        return [hopes[action.get("at", -1)] for action in legal]
    other = joined(collection, s.positions[at] or "")
    better = worth(other) > worth(collection)
    likely = {
        "held": [hope * (WORSE if better else 1.0) for hope in hopeful(s, seat, collection)],
        "drawn": [hope * (1.0 if better else WORSE) for hope in hopeful(s, seat, other)],
    }
    return [likely[action["keep"]][action.get("at", -1)] for action in legal]


def hopeful(s: Collecting, seat: int, collection: Cards) -> list[float]:
    """What can be hoped for at each position and, last, by staying."""
    now = worth(collection)
    hopes = []
    for card, up, layer in zip(s.positions, s.face_up, s.laid, strict=True):
        if up or layer == seat:
            gain = worth(joined(collection, card)) - now if card in SLOT else 0
            hopes.append(1 + gain if gain > 0 else USELESS)
        else:
            hopes.append(1.0 if layer is None else BEEN)
    return [*hopes, STAYING]


def joined(collection: Cards, card: Card | None) -> Cards:
    """The collection with a card in its slot."""
    if card is None:
        return collection
    old = held(collection, card)
    return by_slot((*collection, card)) if old is None else swapped(collection, old, card)


def worth(collection: Cards) -> float:
    """5 The run first; other cards of one suit may become one."""
    run, face, number = strength(collection)
    suits = Counter(card[1] for card in collection)
    return 10 * run + 3 * max(suits.values(), default=0) + face + number / 10
