"""A random generator that follows from a text: it is the same on every machine and in every version of Python."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

BLOCK = 4096
"""The number of random numbers that are made at a time."""


class Generator:
    """A generator (`Random`) whose numbers follow from a seed by SHAKE-128."""

    def __init__(self, seed: str) -> None:
        self.random = _numbers(seed).__next__
        """The next number, from 0 up to but not including 1."""

    def choice(self, options: Sequence[T], /) -> T:
        """One of the options, all equally likely."""
        return options[int(self.random() * len(options))]

    def sample(self, population: Sequence[T], k: int, /) -> list[T]:
        """A list of `k` different members of a population, in random order."""
        left = list(population)
        return [left.pop(int(self.random() * len(left))) for _ in range(k)]


def _numbers(seed: str) -> Iterator[float]:
    block = 0
    while True:
        drawn = hashlib.shake_128(f"{seed} {block}".encode()).digest(6 * BLOCK)
        for at in range(0, 6 * BLOCK, 6):
            yield int.from_bytes(drawn[at : at + 6], "big") / 2**48
        block += 1
