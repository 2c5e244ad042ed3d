"""The worth of a collection, and its card for a slot."""

from __future__ import annotations

from itertools import pairwise

from rules.common.cards import Card, Cards
from rules.games.n2459.components import FACES, SLOT, SLOTS
from rules.kernel import Json


def held(collection: Cards, card: Card) -> Card | None:
    """The collection's card for the slot of `card`; None if there is none."""
    slot = SLOT.get(card)
    for each in collection:
        if SLOT[each] == slot:
            return each
    return None


def swapped(collection: Cards, old: Card, new: Card) -> Cards:
    """The collection with `new` in place of `old`, a card of the same slot."""
    return tuple(new if card == old else card for card in collection)


def complete(collection: Cards) -> bool:
    """2 Whether all five slots are filled in one suit."""
    return len(collection) == len(SLOTS) and len({card[1] for card in collection}) == 1


def run(collection: Cards) -> int:
    """5 The length of the longest run of neighbouring slots filled in one suit; 0 for single cards, which are no
    run.
    """
    best = length = 1
    for before, card in pairwise(collection):
        neighbours = SLOT[card] == SLOT[before] + 1 and card[1] == before[1]
        length = length + 1 if neighbours else 1
        best = max(best, length)
    return best if best > 1 else 0


def longest(collection: Cards) -> Cards:
    """5 The cards of the longest run; those of the first one if several are equally long."""
    runs = [(collection[at : at + run(collection)]) for at in range(len(collection))]
    return next(cards for cards in runs if run(cards) == len(cards) == run(collection))


def decisive(collection: Cards) -> Json:
    """5 The tie-breaker between equal runs, as a fact: the face card or, without one, the highest number."""
    if not collection:
        return {}
    last = collection[-1][0]
    return {"face": last} if last in FACES else {"number": int(last)}


def strength(collection: Cards) -> tuple[int, int, int]:
    """5 The key for comparing collections: run, face card, number."""
    decides = decisive(collection)
    face = FACES.index(decides["face"]) + 1 if "face" in decides else 0
    return run(collection), face, decides.get("number", 0)
