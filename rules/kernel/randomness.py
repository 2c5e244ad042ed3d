"""Randomness: the rules draw no lots themselves; whoever asks for something random hands in a generator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Random(Protocol):
    """What is needed of `random.Random`."""

    def choice(self, options: Sequence[T], /) -> T: ...

    def sample(self, population: Sequence[T], k: int, /) -> list[T]: ...

    def random(self) -> float: ...
