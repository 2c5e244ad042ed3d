"""The test of Kolmogorov and Smirnov for two samples: whether they can have come from one distribution."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence


def distance(one: Sequence[float], other: Sequence[float]) -> float:
    """The greatest difference between the two empirical distribution functions, from 0 to 1."""
    first, second = sorted(one), sorted(other)
    return max(
        abs(bisect_right(first, at) / len(first) - bisect_right(second, at) / len(second))
        for at in (*first, *second)
    )


def greatest(one: int, other: int, chance: float) -> float:
    """The distance that samples of these sizes from one distribution exceed with this `chance` at most."""
    return math.sqrt(-math.log(chance / 2) / 2 * (one + other) / (one * other))
