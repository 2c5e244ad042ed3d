"""Results that are stored in files: a run replaces those of the parts that it has measured, and keeps the others."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import orjson

from benchmarks.databases import KINDS, versions
from benchmarks.report import HEAD, Measure
from service.core.settings.release import release

_ABOUT = """# Benchmarks

Ratios were measured side by side, both sides taking turns, and are medians of the rounds. "Bare" is the least that an
application can do: one route, one row, the same JSON library, behind gunicorn's own threads
(`benchmarks/bare_app.py`). "Before" is how it was in November 2026, before moves were made cheaper, where that had been
measured. Times by the clock depend on the disk: a durable commit waits for it.
"""


class Run(NamedTuple):
    """The origin of a row: the command line, the day, the machine, and the release (core/settings/release.py)."""

    command: str
    day: str
    machine: str
    release: str


class Row(NamedTuple):
    """A stored measure of one of the parts."""

    part: str
    measure: Measure
    run: Run


def this_run(command: str) -> Run:
    """The description of the present run."""
    python = platform.python_version()
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {python}"
    machine += f" that counts to five million in {_counting():.2f} s"
    day = datetime.now(UTC).strftime("%Y-%m-%d")
    return Run(command, day, f"{machine}, {versions()}", release())


def _counting() -> float:
    """The speed of the machine, on which results in seconds or fractions of a core depend."""
    began, n = time.process_time(), 0
    while n < 5_000_000:
        n += 1
    return time.process_time() - began


def kept(file: Path) -> list[Row]:
    """The rows in a file written by `as_json`; none if there is no file."""
    if not file.exists():
        return []
    return [
        Row(
            row["part"],
            Measure(**{name: row[name] for name in Measure._fields}),
            Run(**{name: row[name] for name in Run._fields}),
        )
        for row in orjson.loads(file.read_bytes())["measures"]
    ]


def merged(old: Iterable[Row], new: Sequence[Row], parts: Sequence[str]) -> list[Row]:
    """The new rows and the old ones of other parts and databases, in the order of `parts`."""
    again = {(row.part, row.measure.database) for row in new}
    left = [row for row in old if (row.part, row.measure.database) not in again]
    known = [row for row in [*left, *new] if row.part in parts]
    return sorted(known, key=lambda row: (parts.index(row.part), _number(row.measure.database)))


def _number(database: str | None) -> int:
    return KINDS.index(database) if database else 0


def as_json(rows: Iterable[Row]) -> bytes:
    """The rows as JSON."""
    told = [
        {"part": part, **measure._asdict(), "kept": measure.kept, **run._asdict()}
        for part, measure, run in rows
    ]
    return orjson.dumps({"measures": told}, option=orjson.OPT_INDENT_2) + b"\n"


def as_markdown(rows: Sequence[Row]) -> str:
    """The rows as a page of Markdown: first those with a target, then the others."""
    runs = dict.fromkeys(row.run for row in rows)
    told = (
        f"* `{run.command}` on {run.day}: {run.machine}; release {run.release}." for run in runs
    )
    asked = [row for row in rows if row.measure.has_target]
    others = [row for row in rows if not row.measure.has_target]
    return "\n".join(
        [
            _ABOUT,
            *told,
            *("", "## Targets", "", *_table(asked)),
            *("", "## What else was measured", "", *_table(others), ""),
        ]
    )


def _table(rows: Iterable[Row]) -> list[str]:
    head = (*HEAD, "day")
    cells = ((*row.measure.cells(), row.run.day) for row in rows)
    return [f"| {' | '.join(row)} |" for row in (head, ("---",) * len(head), *cells)]
