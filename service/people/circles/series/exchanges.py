"""Improving the rounds of a series by exchanging people, within a round, between its tables."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

_STEPS = 30_000
"""The number of exchanges that are tried."""
_HOT, _COLD = 1.5, 0.12
"""The heat at the beginning and at the end: an exchange that raises the cost by the heat is accepted with a probability
of 1/e.
"""
_OUT = 4
"""The number of uneven meetings that are as bad as one round that somebody unevenly sits out."""


def spread(people: int, rounds: Sequence[Sequence[Sequence[int]]]) -> int:
    """The difference between the largest and the smallest number of meetings of any two people."""
    met = Counter(
        pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2)
    )
    numbers = [met[pair] for pair in combinations(range(people), 2)]
    return max(numbers) - min(numbers)


class Rounds:
    """Rounds that are changed in place by simulated annealing."""

    def __init__(self, people: int, rounds: Sequence[Sequence[tuple[int, ...]]]) -> None:
        self._people = people
        self._rounds = [[list(table) for table in tables] for tables in rounds]
        for tables in self._rounds:  # the last table has the people who sit out
            tables.append(sorted(set(range(people)).difference(*tables)))
        self._met = [[0] * people for _ in range(people)]
        self._outs = [0] * people
        for tables in self._rounds:
            for table in tables[:-1]:
                for one, other in combinations(table, 2):
                    self._meet(one, other, 1)
            for who in tables[-1]:
                self._outs[who] += 1

    def improved(self, rng: random.Random) -> list[list[tuple[int, ...]]]:
        """The best rounds that were found; always the same for the same `rng`."""
        cost = best = 0
        kept = self._copied()
        for step in range(_STEPS):
            heat = _HOT * (_COLD / _HOT) ** (step / _STEPS)
            change = self._try(rng, heat)
            cost += change
            if cost < best:
                best, kept = cost, self._copied()
        return kept

    def _copied(self) -> list[list[tuple[int, ...]]]:
        return [[tuple(table) for table in tables[:-1]] for tables in self._rounds]

    def _meet(self, one: int, other: int, times: int) -> None:
        self._met[one][other] += times
        self._met[other][one] += times

    def _try(self, rng: random.Random, heat: float) -> int:
        """Exchange two people at different tables of a round, unless that is much worse; return the change in cost."""
        tables = self._rounds[rng.randrange(len(self._rounds))]
        first, second = rng.sample(range(len(tables)), 2)
        here, there = tables[first], tables[second]
        if not here or not there:
            return 0
        one, other = rng.randrange(len(here)), rng.randrange(len(there))
        change = self._leave(here, one, there[other], out=first == len(tables) - 1)
        change += self._leave(there, other, here[one], out=second == len(tables) - 1)
        here[one], there[other] = there[other], here[one]
        if change > 0 and rng.random() >= math.exp(-change / heat):
            here[one], there[other] = there[other], here[one]
            self._leave(here, one, there[other], out=first == len(tables) - 1, back=True)
            self._leave(there, other, here[one], out=second == len(tables) - 1, back=True)
            return 0
        return change

    def _leave(
        self, table: list[int], place: int, newcomer: int, *, out: bool, back: bool = False
    ) -> int:
        """Note that a person leaves a table to a newcomer, or undo that (`back`); return the change in cost."""
        person, times = table[place], -1 if back else 1
        if out:
            change = 2 * (self._outs[newcomer] - self._outs[person] + 1) * _OUT
            self._outs[person] -= times
            self._outs[newcomer] += times
            return change
        change = 0
        for number, each in enumerate(table):
            if number != place:
                change += 2 * (self._met[newcomer][each] - self._met[person][each] + 1)
                self._meet(person, each, -times)
                self._meet(newcomer, each, times)
        return change
