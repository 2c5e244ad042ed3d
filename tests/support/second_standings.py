"""A second implementation of the standings of a series, from nothing but the duels of each two people at a table."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple


class Numbers(NamedTuple):
    """How somebody stands; those with greater numbers are ahead."""

    points: Fraction
    against: Fraction
    opposition: Fraction
    won: int


def by_duels(
    people: Collection[int],
    tables: Sequence[tuple[Sequence[int], Sequence[int]]],
    outs: Mapping[int, int],
) -> dict[int, Numbers]:
    """Each person's numbers, from the people at each table with their scores there, of which the greatest is the best.

    `outs` says in how many rounds somebody could not play.
    """
    duels = [
        (a, b, Fraction((x > y) + (x >= y), 2), len(seated) - 1)
        for seated, scores in tables
        for a, x in zip(seated, scores, strict=True)
        for b, y in zip(seated, scores, strict=True)
        if a != b
    ]
    points = {
        who: Fraction(outs.get(who, 0), 2)
        + sum((won / size for a, _, won, size in duels if a == who), Fraction(0))
        for who in people
    }
    found = {}
    for who in people:
        mine = [(b, won) for a, b, won, _ in duels if a == who]
        equal = [won for b, won in mine if points[b] == points[who]]
        firsts = sum(
            who in seated and scores[list(seated).index(who)] == max(scores)
            for seated, scores in tables
        )
        against = _mean(equal, Fraction(1, 2))
        met = _mean([points[b] for b, _ in mine], Fraction(0))
        found[who] = Numbers(points[who], against, met, firsts)
    return found


def _mean(numbers: Sequence[Fraction], otherwise: Fraction) -> Fraction:
    return sum(numbers, Fraction(0)) / len(numbers) if numbers else otherwise
