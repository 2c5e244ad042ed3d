"""Measurements, next to their targets."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from benchmarks.databases import SHOWN

T = TypeVar("T")
Item = TypeVar("Item")


class Measure(NamedTuple):
    """A line of the table of results. Without a target, it is only for information."""

    what: str
    value: float
    unit: str = "×"
    most: float | None = None
    least: float | None = None
    database: str | None = None
    """The kind of database, if the part was run on each."""
    before: str = ""
    """An earlier result, as text."""

    @property
    def has_target(self) -> bool:
        """Whether this measure has a target."""
        return self.most is not None or self.least is not None

    @property
    def kept(self) -> bool:
        """Whether the target is met."""
        low = self.least is None or self.value >= self.least
        return low and (self.most is None or self.value <= self.most)

    def cells(self) -> tuple[str, ...]:
        """The cells of the line in the table, in the order of HEAD."""
        target = ""
        if self.most is not None:
            target = f"{'=' if self.most == self.least else '≤'} {self.most:g}"
        elif self.least is not None:
            target = f"≥ {self.least:g}"
        verdict = ("ok" if self.kept else "MISSED") if self.has_target else ""
        database = SHOWN[self.database] if self.database else ""
        number = f"{self.value:,.0f}" if self.value >= 10_000 else f"{self.value:.4g}"
        measured = f"{number} {self.unit}".strip()
        return self.what, database, self.before, measured, target, verdict


HEAD = ("what", "database", "before", "measured", "target", "")


def printed(measures: Iterable[Measure]) -> str:
    """The measures as a text table."""
    rows = [HEAD, *(measure.cells() for measure in measures)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell + " " * (width - len(cell)) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )


def in_turns(
    ours: Callable[[Item], T], bare: Callable[[Item], T], rounds: Iterable[Item]
) -> list[tuple[T, T]]:
    """The results of both functions in each round; they take turns in going first."""
    found = []
    for number, item in enumerate(rounds):
        if number % 2:
            under, over = bare(item), ours(item)
        else:
            over, under = ours(item), bare(item)
        found.append((over, under))
    return found


def ratio(rounds: list[tuple[T, T]], of: Callable[[T], float]) -> float:
    """The median ratio of our results to the bare ones, of the quantity `of`."""
    return statistics.median(of(over) / of(under) for over, under in rounds)
