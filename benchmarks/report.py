"""The measurements, next to their targets."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import NamedTuple, TypeVar

import orjson

from benchmarks.databases import SHOWN
from service.core.release import release

T = TypeVar("T")
Item = TypeVar("Item")


class Measure(NamedTuple):
    """One line of the table. Without a target it is only information."""

    what: str
    value: float
    unit: str = "×"
    most: float | None = None
    least: float | None = None
    database: str | None = None
    """The kind of the database, if the part was run on each."""

    @property
    def kept(self) -> bool:
        """Whether the target is met."""
        low = self.least is None or self.value >= self.least
        return low and (self.most is None or self.value <= self.most)

    def cells(self) -> tuple[str, str, str, str, str]:
        """The cells of the line."""
        target = ""
        if self.most is not None:
            target = f"{'=' if self.most == self.least else '≤'} {self.most:g}"
        elif self.least is not None:
            target = f"≥ {self.least:g}"
        verdict = ("ok" if self.kept else "MISSED") if target else ""
        database = SHOWN[self.database] if self.database else ""
        return self.what, database, f"{self.value:,.4g} {self.unit}".strip(), target, verdict


HEAD = ("what", "database", "measured", "target", "")


def printed(measures: Iterable[Measure]) -> str:
    """The measures as a text table."""
    rows = [HEAD, *(measure.cells() for measure in measures)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell + " " * (width - len(cell)) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )


def as_markdown(measures: Iterable[Measure], command: str) -> str:
    """The same as a page of Markdown, with the command that measured it."""
    rows = [HEAD, ("---",) * len(HEAD), *(measure.cells() for measure in measures)]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(
        [
            "# Benchmarks",
            "",
            f"`{command}` on {_day()}, {_machine()}.",
            "Ratios were measured side by side in one run; CONTRIBUTING.md says how.",
            "",
            *lines,
            "",
        ]
    )


def as_json(measures: Iterable[Measure], command: str) -> bytes:
    """The same as JSON."""
    rows = [{**measure._asdict(), "kept": measure.kept} for measure in measures]
    told = {"command": command, "day": _day(), "machine": _machine(), "release": release()}
    return orjson.dumps({**told, "measures": rows}, option=orjson.OPT_INDENT_2) + b"\n"


def _day() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d")


def _machine() -> str:
    python = platform.python_version()
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {python}"


def in_turns(
    ours: Callable[[Item], T], bare: Callable[[Item], T], rounds: Iterable[Item]
) -> list[tuple[T, T]]:
    """The results of both in each round; they take turns in going first."""
    found = []
    for number, item in enumerate(rounds):
        if number % 2:
            under, over = bare(item), ours(item)
        else:
            over, under = ours(item), bare(item)
        found.append((over, under))
    return found


def ratio(rounds: list[tuple[T, T]], of: Callable[[T], float]) -> float:
    """The median of ours / bare."""
    return statistics.median(of(over) / of(under) for over, under in rounds)
