"""Randomness: the rules draw no lots themselves; whoever asks for something random hands in a generator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Protocol, TypeVar

T = TypeVar("T")


class Random(Protocol):
    """What is needed of `random.Random`."""

    def choice(self, options: Sequence[T], /) -> T: ...

    def sample(self, population: Sequence[T], k: int, /) -> list[T]: ...

    def random(self) -> float: ...


def shuffled(items: Iterable[T], rng: Random) -> list[T]:
    """The items in an order that is as likely as any other; takes a third of the time of `sample`."""
    draw = rng.random
    return [item for _, item in sorted([(draw(), item) for item in items], key=_KEY)]


def one_of(options: Sequence[T], rng: Random) -> T:
    """One of the options, each as likely; takes a third of the time of `choice`."""
    return options[int(rng.random() * len(options))]


_KEY = itemgetter(0)
