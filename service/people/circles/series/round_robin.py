"""A round-robin at tables of any number of seats: everybody meets everybody equally often, or once more or less.

Results do not matter here, so all rounds are known before the first. They come from turning one round: all people but
one move on by the same number of places in a circle. At tables of two that gives the Berger tables of chess; at larger
ones, where a round with suitable distances exists, it gives the resolvable designs that whist tournaments use. Where a
season is shorter than a whole turn, people are exchanged between tables until the meetings are as equal as possible.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from service.people.circles.series.exchanges import Rounds, spread
from service.people.circles.series.seats import balanced_seats

MOST_PEOPLE = 12
"""The largest number of people in a round-robin; with more, a series is Swiss."""
_TRIES = 40
"""The number of rounds that are tried as the one to be turned, each improved as far as possible."""

Tables = list[tuple[int, ...]]
"""The tables of a round: the numbers of the people there, from 0, in the order of their seats."""


def cycle_length(people: int, sizes: Sequence[int]) -> int:
    """The number of rounds in a whole turn, after which everybody has met everybody as equally as possible."""
    return people - 1 if _has_centre(people, sizes) else people


@lru_cache(maxsize=64)
def schedule(people: int, sizes: tuple[int, ...], rounds: int) -> list[Tables]:
    """The tables of each round for people 0 … `people` − 1; the same at every call.

    People who are at no table sit out. At tables of one size, a person's games take all seats equally often, or once
    more or less; at tables of several sizes, as nearly so as possible.
    """
    turned = _turned(people, sizes, rounds)
    if spread(people, turned) > 1:
        improved = Rounds(people, turned).improved(random.Random(people * 1000 + rounds))
        turned = min(turned, improved, key=lambda tables: _unevenness(people, tables))
    return balanced_seats(turned)


def _unevenness(people: int, rounds: list[Tables]) -> tuple[int, int]:
    met = meetings(rounds)
    return spread(people, rounds), sum(number**2 for number in met.values())


def meetings(rounds: Sequence[Tables]) -> Counter[tuple[int, int]]:
    """The number of meetings of every two people, by their numbers, the lower number first."""
    return Counter(
        pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2)
    )


def _has_centre(people: int, sizes: Sequence[int]) -> bool:
    """Whether one person stays in place while the others turn."""
    return people % 2 == 0 and sum(sizes) == people


def _turned(people: int, sizes: tuple[int, ...], rounds: int) -> list[Tables]:
    """The rounds that result from turning the best round that was found."""
    turning = cycle_length(people, sizes)
    first = _paired(people, turning) if set(sizes) == {2} else _first_round(people, sizes, turning)
    step = people // 2 if turning % 2 and turning < people else (turning + 1) // 2
    if turning % 2 == 0:
        step = 1  # half a turn would meet the same people again
    return [[_moved(table, turning, step * number) for table in first] for number in range(rounds)]


def _moved(table: tuple[int, ...], turning: int, by: int) -> tuple[int, ...]:
    """A table whose people have moved on, except for the one in the centre."""
    return tuple((who + by) % turning if who < turning else who for who in table)


def _paired(people: int, turning: int) -> Tables:
    """The first round of the Berger tables: the person in the centre plays 0, 1 plays the last, and so on."""
    centre: Tables = [(0, turning)] if turning < people else []
    return centre + [(who, turning - who) for who in range(1, (turning + 1) // 2)]


def _first_round(people: int, sizes: tuple[int, ...], turning: int) -> Tables:
    """The round, among those that were tried, whose turning makes the meetings most equal."""
    rng, found = random.Random(people), list[tuple[int, Tables]]()
    for _ in range(_TRIES):
        order = list(range(people))
        rng.shuffle(order)
        found.append(_descended(order, sizes, turning))
    return min(found)[1]


def _descended(order: list[int], sizes: tuple[int, ...], turning: int) -> tuple[int, Tables]:
    """The cost of a round that no exchange of two people improves, and that round."""
    best, better = _cost(_divided(order, sizes), turning), True
    while better:
        better = False
        for one, other in combinations(range(len(order)), 2):
            order[one], order[other] = order[other], order[one]
            cost = _cost(_divided(order, sizes), turning)
            if cost < best:
                best, better = cost, True
            else:
                order[one], order[other] = order[other], order[one]
    return best, _divided(order, sizes)


def _divided(order: Sequence[int], sizes: Sequence[int]) -> Tables:
    """People at tables of these sizes, in this order; the last ones sit out."""
    ends = [sum(sizes[: number + 1]) for number in range(len(sizes))]
    return [tuple(order[end - size : end]) for size, end in zip(sizes, ends, strict=True)]


def _cost(tables: Tables, turning: int) -> int:
    """The cost of turning a round, which is higher the more unequal the meetings are.

    It is twice the sum of the squares of the numbers of meetings of one person in the circle with each other person.
    """
    distances = Counter[int]()
    for table in tables:
        for one, other in combinations(table, 2):
            apart = abs(one - other) if max(one, other) < turning else 0
            distances[min(apart, turning - apart) if apart else 0] += 1
    half = turning / 2
    return sum(
        4 * number**2 if distance == half else 2 * number**2
        for distance, number in distances.items()
    )
