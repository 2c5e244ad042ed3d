"""The seats of people: each takes every seat of a table, also the first, which leads, as often as the others.

At tables of one size this is always possible (D. König, 1916; D. de Werra, 1971). Let each person's games be divided,
in their order, into parts of as many games as a table has seats. Parts and tables are then the two sides of a bipartite
graph in which nothing has more neighbours than there are seats, so its edges can be coloured with that many colours; a
colour is a seat. So nobody has a seat twice within a part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations

_MOST_ORDERS = 6
"""The largest number of seats for which all orders of a table's people are compared."""


def balanced_seats(rounds: Sequence[Sequence[tuple[int, ...]]]) -> list[list[tuple[int, ...]]]:
    """The same tables, with their people in the order of their seats."""
    sizes = {len(table) for tables in rounds for table in tables}
    if len(sizes) == 1:
        return _coloured(rounds, sizes.pop())
    taken, seated = Counter[tuple[int, int]](), list[list[tuple[int, ...]]]()
    for tables in rounds:
        seated.append([in_fair_order(table, taken) for table in tables])
        taken.update(seats_of(seated[-1]))
    return seated


def seats_of(tables: Iterable[Sequence[int]]) -> Iterable[tuple[int, int]]:
    """Each person with the seat that they take, as (person, seat)."""
    return ((who, seat) for table in tables for seat, who in enumerate(table))


def in_fair_order(table: Sequence[int], taken: Counter[tuple[int, int]]) -> tuple[int, ...]:
    """The people of a table in the order of their seats, chosen so that they have seldom `taken` these seats."""
    if len(table) <= _MOST_ORDERS:
        return min(permutations(table), key=lambda order: (_unfair(order, taken), order))
    order, better = list(table), True
    while better:
        better = False
        for one in range(len(order)):
            for other in range(one):
                changed = order.copy()
                changed[one], changed[other] = order[other], order[one]
                if _unfair(changed, taken) < _unfair(order, taken):
                    order, better = changed, True
    return tuple(order)


def _unfair(order: Sequence[int], taken: Counter[tuple[int, int]]) -> int:
    """The unfairness of these seats: how often these people have sat there. The first counts as all others together."""
    return sum(
        (2 * taken[who, seat] + 1) * (len(order) if seat == 0 else 1)
        for seat, who in enumerate(order)
    )


Part = tuple[int, int]
"""A person and the number of a part of their games."""


def _coloured(
    rounds: Sequence[Sequence[tuple[int, ...]]], seats: int
) -> list[list[tuple[int, ...]]]:
    tables = [table for each in rounds for table in each]
    of_part = dict[Part, dict[int, int]]()
    """The table at which a part has each seat."""
    of_table: list[dict[int, Part]] = [{} for _ in tables]
    """The part that has each seat of a table."""
    played = Counter[int]()
    for number, table in enumerate(tables):
        for who in table:
            part = who, played[who] // seats
            played[who] += 1
            _colour(part, number, of_part, of_table, range(seats))
    ordered = iter([tuple(held[seat][0] for seat in range(seats)) for held in of_table])
    return [[next(ordered) for _ in each] for each in rounds]


def _colour(
    part: Part,
    table: int,
    of_part: dict[Part, dict[int, int]],
    of_table: list[dict[int, Part]],
    seats: range,
) -> None:
    """Give a part a seat at a table. If no seat is free for both, two seats are exchanged along a path."""
    mine, there = of_part.setdefault(part, {}), of_table[table]
    free = next(seat for seat in seats if seat not in mine)
    wanted = next(seat for seat in seats if seat not in there)
    path, here, seat = list[tuple[Part, int, int]](), table, free
    while seat in of_table[here]:  # from the table along `free` and `wanted`, alternately
        other = of_table[here][seat]
        path.append((other, here, seat))
        if wanted not in of_part[other]:
            break
        here = of_part[other][wanted]
        path.append((other, here, wanted))
    _exchange(path, of_part, of_table, free, wanted)
    mine[free], there[free] = table, part


def _exchange(
    path: list[tuple[Part, int, int]],
    of_part: dict[Part, dict[int, int]],
    of_table: list[dict[int, Part]],
    free: int,
    wanted: int,
) -> None:
    """Exchange the two seats `free` and `wanted` on all edges of a path."""
    for other, here, seat in path:
        del of_part[other][seat], of_table[here][seat]
    for other, here, seat in path:
        new = wanted if seat == free else free
        of_part[other][new], of_table[here][new] = here, other
