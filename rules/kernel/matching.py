"""Cards are matched with the places where they may lie."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from rules.kernel.randomness import Random, one_of, shuffled


def matched(possible: list[frozenset[str]], cards: list[str], rng: Random) -> list[str] | None:
    """The cards, each where it can lie: as they come, but misplaced ones change places with others."""
    cards = list(cards)
    for slot, allowed in enumerate(possible):
        if cards[slot] in allowed:
            continue
        path = _path(possible, cards, slot, rng)
        if path is None:
            return None
        for here, there in itertools.pairwise(path):
            cards[here], cards[there] = cards[there], cards[here]
    return cards


def _path(
    possible: list[frozenset[str]], cards: list[str], start: int, rng: Random
) -> list[int] | None:
    """The shortest chain of exchanges that gives `start` a card that can lie there and takes none from its place.

    Each slot of the chain gets the card of the next one, the last one that of `start`.
    """
    before: dict[int, int | None] = {start: None}
    border = [start]
    while border:
        following: list[int] = []
        for slot in border:
            allowed = possible[slot]
            others = [
                other for other, card in enumerate(cards) if card in allowed and other not in before
            ]
            ends = [
                other
                for other in others
                if cards[start] in possible[other] or cards[other] not in possible[other]
            ]
            if ends:
                return _chain(before, slot, one_of(ends, rng))
            before.update(dict.fromkeys(others, slot))
            following += shuffled(others, rng)
        border = following
    return None


def _chain(before: Mapping[int, int | None], slot: int | None, end: int) -> list[int]:
    """The way to `end` by `slot`, from where `before` begins."""
    chain = [end]
    while slot is not None:
        chain.append(slot)
        slot = before[slot]
    return chain[::-1]
