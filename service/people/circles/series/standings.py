"""The standings of a series: points, and the order of people with equal points.

For a game, a person gets the share of the other people at the table whom they finished ahead of: 1 for the winner, 0
for the last, and half a share for each person with whom they share a place. So games at larger tables count neither
more nor less. A round that a person could not play gives half a point, as much as an average game.

Between people with equal points, these decide, one after the other: how they have done against each other; the points
of the people whom they have met; how many games they have won. People who are equal even then share a place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

HALF = Fraction(1, 2)


class Played(NamedTuple):
    """A table of a series that counts."""

    people: tuple[int, ...]
    places: tuple[int, ...]
    """The place of each person: 1 for the best, the same for equals."""


class Standing(NamedTuple):
    """A person's place in the standings, and what it follows from."""

    who: int
    place: int
    """The place: 1 for the best, the same for equals."""
    points: Fraction
    games: int
    won: int
    out: int
    """The number of rounds that this person could not play."""
    against: Fraction
    """The share of the meetings with people of equal points in which this person was ahead; half for a shared place."""
    opposition: Fraction
    """The mean of the points of the people whom this person has met, weighted by the number of meetings."""


def shares(places: Sequence[int]) -> list[Fraction]:
    """The points of each person at a table, from their places."""
    others = len(places) - 1
    return [
        Fraction(sum(2 * (place < other) + (place == other) for other in places) - 1, 2 * others)
        for place in places
    ]


def standings(
    people: Collection[int], played: Iterable[Played], outs: Mapping[int, int]
) -> list[Standing]:
    """The standings after the games that people have `played`, and the number of rounds that each sat out.

    The best person is first; equal people are in the order of `people`.
    """
    sums = _Sums(people, list(played), outs)
    rows = sorted(map(sums.standing, people), key=_worth, reverse=True)
    return [row._replace(place=_place(row, rows)) for row in rows]


def _worth(row: Standing) -> tuple[Fraction, Fraction, Fraction, int]:
    return row.points, row.against, row.opposition, row.won


def _place(row: Standing, rows: Sequence[Standing]) -> int:
    return 1 + sum(_worth(other) > _worth(row) for other in rows)


class _Sums:
    """The games and points of each person, and the people whom they met."""

    def __init__(
        self, people: Collection[int], played: Sequence[Played], outs: Mapping[int, int]
    ) -> None:
        self._outs = outs
        self._points = {who: HALF * outs.get(who, 0) for who in people}
        self._won, self._games = dict.fromkeys(people, 0), dict.fromkeys(people, 0)
        self._ahead: dict[int, list[tuple[int, Fraction]]] = {who: [] for who in people}
        """Whom each has met, with 1 for having been ahead, ½ for a shared place, and 0."""
        for table in played:
            self._add(table)
        self._equal = self._groups()

    def _add(self, table: Played) -> None:
        for who, place, points in zip(
            table.people, table.places, shares(table.places), strict=True
        ):
            self._points[who] += points
            self._games[who] += 1
            self._won[who] += place == 1
            for other, theirs in zip(table.people, table.places, strict=True):
                if other != who:
                    ahead = Fraction(2 * (place < theirs) + (place == theirs), 2)
                    self._ahead[who].append((other, ahead))

    def _groups(self) -> dict[int, set[int]]:
        """The people with the same points as each person, including that person."""
        found: dict[int, set[int]] = {}
        for _, group in groupby(
            sorted(self._points, key=self._points.__getitem__), self._points.get
        ):
            equal = set(group)
            found |= dict.fromkeys(equal, equal)
        return found

    def standing(self, who: int) -> Standing:
        """A person's entry in the standings, without the place."""
        met = self._ahead[who]
        direct = [ahead for other, ahead in met if other in self._equal[who]]
        return Standing(
            who,
            0,
            self._points[who],
            self._games[who],
            self._won[who],
            self._outs.get(who, 0),
            sum(direct, Fraction(0)) / len(direct) if direct else HALF,
            _mean([self._points[other] for other, _ in met]),
        )


def _mean(numbers: Sequence[Fraction]) -> Fraction:
    return sum(numbers, Fraction(0)) / len(numbers) if numbers else Fraction(0)
