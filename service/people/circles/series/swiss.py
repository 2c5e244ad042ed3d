"""A Swiss round at tables of any number of seats: people meet others who are near them in the standings, if they have
not met yet.

Neighbours in the standings sit together; then people are exchanged between tables as long as that makes the round
better. Meeting again is worse than any distance in the standings, and each further time is worse than the previous one.
Where the distance is small, people who have led often meet others who have seldom led.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

from service.people.circles.series.seats import in_fair_order

Pair = tuple[int, int]
_NEAR = 12
"""The distance in the standings within which people are exchanged at first."""
_LEADING = 4
"""The cost of a meeting of two people who have both led more, or both less, than their share."""
_APART = 1000
"""The number of repeated meetings that are as bad as one meeting of two people who are to be kept apart."""


def pair_round(
    order: Sequence[int],
    sizes: Sequence[int],
    met: Mapping[Pair, int],
    outs: Mapping[int, int],
    taken: Counter[tuple[int, int]],
    apart: Collection[Pair] = (),
) -> list[tuple[int, ...]]:
    """The tables of the next round, the best people first, with the people in the order of their seats.

    `order` has the people, the best first; `met` has the number of meetings of two people (the lower number first),
    `outs` the number of rounds that each has sat out, and `taken` how often each had a seat. If the `sizes` are not
    enough for all, the people who have sat out least often do so, and among these the lowest in the standings. Pairs
    that are `apart` meet only if there is no other way.
    """
    playing = _without_those_who_sit_out(order, sum(sizes), outs)
    repeats = Counter(met) + Counter(dict.fromkeys(apart, _APART))
    led = {who: taken[who, 0] for who in playing}
    games = {who: sum(taken[who, seat] for seat in range(max(sizes))) for who in playing}
    leads = [max(sizes) * led[who] - games[who] for who in playing]
    tables = _Exchanges(playing, sizes, repeats, leads).tables()
    return [in_fair_order(table, taken) for table in tables]


def _without_those_who_sit_out(
    order: Sequence[int], playing: int, outs: Mapping[int, int]
) -> list[int]:
    lowest = {who: -place for place, who in enumerate(order)}
    lowest_first = sorted(order, key=lambda who: (outs.get(who, 0), lowest[who]))
    out = set(lowest_first[: len(order) - playing])
    return [who for who in order if who not in out]


class _Exchanges:
    """A round that improves with each exchange of two people."""

    def __init__(
        self,
        playing: Sequence[int],
        sizes: Sequence[int],
        repeats: Mapping[Pair, int],
        leads: Sequence[int],
    ) -> None:
        self._people, self._repeats, self._leads = playing, repeats, leads
        self._meeting = len(playing) ** 2
        self._table_of = [number for number, size in enumerate(sizes) for _ in range(size)]
        """The table at which each place of the standings sits."""
        self._at: list[list[int]] = [[] for _ in sizes]
        for place, table in enumerate(self._table_of):
            self._at[table].append(place)

    def tables(self) -> list[tuple[int, ...]]:
        """The people of each table."""
        while self._exchange_all(_NEAR):
            pass
        if any(self._repeated(table) for table in self._at):
            while self._exchange_all(len(self._people)):
                pass
        return [tuple(self._people[place] for place in sorted(table)) for table in self._at]

    def _repeated(self, table: Sequence[int]) -> bool:
        return any(self._times(*pair) for pair in combinations(table, 2))

    def _exchange_all(self, near: int) -> bool:
        """Try every exchange of people who are at most `near` places apart; return whether one was better."""
        better = False
        for one in range(len(self._people)):
            for other in range(one + 1, min(one + near + 1, len(self._people))):
                if self._table_of[one] != self._table_of[other]:
                    better |= self._exchange(one, other)
        return better

    def _exchange(self, one: int, other: int) -> bool:
        here, there = self._at[self._table_of[one]], self._at[self._table_of[other]]
        beside_one = [place for place in here if place != one]
        beside_other = [place for place in there if place != other]
        now = self._cost(one, beside_one) + self._cost(other, beside_other)
        if self._cost(other, beside_one) + self._cost(one, beside_other) >= now:
            return False
        here[:], there[:] = [*beside_one, other], [*beside_other, one]
        tables = self._table_of
        tables[one], tables[other] = tables[other], tables[one]
        return True

    def _times(self, one: int, other: int) -> int:
        people = self._people[one], self._people[other]
        return self._repeats.get((min(people), max(people)), 0)

    def _cost(self, place: int, beside: Sequence[int]) -> int:
        """The cost of a person's sitting at a table with these people; each further meeting of two people costs
        more.
        """
        return sum(
            (place - other) ** 2
            + self._meeting * self._times(place, other) ** 2
            + _LEADING * max(0, self._leads[place] * self._leads[other])
            for other in beside
        )
