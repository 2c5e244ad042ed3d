"""The measured cost of each kind of work, stored in a file (costs.json)."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import orjson

FILE = Path(__file__).with_name("costs.json")
PARTS = 20
"""The number of means in a shape: those of equal parts of all measurements, the smallest first."""


class Cost(NamedTuple):
    """The cost of one kind of work: the median of several rounds, with the lowest and the highest result."""

    name: str
    database: str | None
    """The kind of database, if it was measured on each."""
    unit: str
    value: float
    low: float
    high: float
    shape: Sequence[float] = ()
    """The costs of single pieces of work, as multiples of their mean; empty if they were not measured one by one."""

    def drawn(self, chance: float) -> float:
        """The cost of one piece of work, for a probability of at least 0 and less than 1."""
        return self.value * (self.shape[int(chance * len(self.shape))] if self.shape else 1.0)


class Costs:
    """All measured costs, found by name and database."""

    def __init__(self, costs: Iterable[Cost], about: str = "") -> None:
        self.all, self.about = list(costs), about
        """All costs. `about` says when and where they were measured, and which other programs were running."""
        self._found = {(each.name, each.database): each for each in self.all}

    def of(self, name: str, database: str | None = None) -> Cost:
        """The cost of this work with this database. Raises KeyError."""
        found = self._found.get((name, database)) or self._found.get((name, None))
        if found is None:
            raise KeyError(name, database)
        return found


def cost(
    name: str, database: str | None, unit: str, rounds: Sequence[float], each: Sequence[float] = ()
) -> Cost:
    """The cost shown by these rounds; `each` has the single pieces of work, if they were measured one by one."""
    return Cost(
        name, database, unit, statistics.median(rounds), min(rounds), max(rounds), shape(each)
    )


def shape(each: Sequence[float]) -> list[float]:
    """The means of equal parts, as multiples of the overall mean; empty if there are too few measurements."""
    if len(each) < PARTS:
        return []
    ordered, mean = sorted(each), statistics.fmean(each)
    size = len(ordered) / PARTS
    parts = [ordered[int(n * size) : int((n + 1) * size)] for n in range(PARTS)]
    return [round(statistics.fmean(part) / mean, 4) for part in parts]


def load(file: Path = FILE) -> Costs:
    """The stored costs."""
    told = orjson.loads(file.read_bytes())
    return Costs((Cost(**each) for each in told["costs"]), told["about"])


def keep(costs: Costs, file: Path = FILE) -> None:
    """Store these costs; they replace stored costs of the same name and database."""
    old = load(file).all if file.exists() else []
    known = {(each.name, each.database): each for each in [*old, *costs.all]}
    told = {"about": costs.about, "costs": [each._asdict() for each in known.values()]}
    file.write_bytes(orjson.dumps(told, option=orjson.OPT_INDENT_2) + b"\n")
