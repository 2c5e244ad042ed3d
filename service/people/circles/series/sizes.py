"""The number of seats at each table of a round."""

from __future__ import annotations

from collections.abc import Collection

FEWEST = 2
"""The smallest number of seats at a table where people meet."""


def table_sizes(people: int, wished: int, allowed: Collection[int]) -> tuple[int, ...]:
    """The number of seats at each table for this number of people, the largest tables first; the remaining people sit
    out.

    As few people as possible sit out. Tables then have the `wished` number of seats, or one more or less where that is
    `allowed` and lets more people play. Empty if there are too few people for a table.
    """
    fewest = min(wished, 3)
    near = sorted(
        {size for size in allowed if abs(size - wished) <= (wished > 2) and size >= fewest}
    )
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for number in range(FEWEST, people + 1):
        found = [
            (best[number - size][0] + abs(size - wished), (*best[number - size][1], size))
            for size in near
            if number - size in best
        ]
        if found:
            best[number] = min(found)
    return tuple(sorted(best[max(best)][1], reverse=True))
