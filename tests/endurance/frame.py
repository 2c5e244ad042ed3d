"""The shared frame of endurance runs: what a run is given, what it counts, and how it is found by name.

A run is a module in `runs/`, named after it (`disk-full` is `disk_full.py`). Its docstring says what it does, how long
that takes and what it counts; its `DEFINITION` has its dimensions. It raises AssertionError if it finds something
wrong, at the latest when it ends. A fault can be planted, to see that the run finds it.
"""

from __future__ import annotations

import importlib
import random
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tests.support.servers.databases import KINDS, Databases
from tests.support.shared_folder import shared_folder

RUNS = Path(__file__).with_name("runs")


class Run:
    """One run: what it is given, and what it counts."""

    def __init__(self, folder: Path, kind: str, rounds: int, seed: int, fault: str) -> None:
        self.folder, self.kind, self.rounds, self.seed = folder, kind, rounds, seed
        self.fault = fault
        """The fault that is planted; empty: none."""
        self.rng = random.Random(seed)
        self.counts: dict[str, int | float | str] = {}
        """The counts, in the order in which they are printed."""
        self.until_the_end = ExitStack()
        """Everything that is closed when the run ends, however it ends."""
        self.log = folder / "run.log"
        """The service's log lines in this process."""
        self._databases = Databases(shared_folder())

    def count(self, what: str, number: int = 1) -> None:
        """Add to a count."""
        self.counts[what] = int(self.counts.get(what, 0)) + number

    def most(self, what: str, value: float) -> None:
        """Keep the greatest of all values."""
        self.counts[what] = max(float(self.counts.get(what, 0)), round(value, 3))

    def database(self) -> str:
        """The address of an empty, migrated database of this kind, until the end."""
        url = self._databases.fresh(self.kind, self.folder)
        self.until_the_end.callback(self._databases.drop, url)
        return url


class Definition(NamedTuple):
    """The dimensions of a run."""

    endure: Callable[[Run], None]
    """Do the run. Raises AssertionError if it finds something wrong."""
    rounds: int
    """The number of rounds for which the documents give figures."""
    quick: int
    """The number of rounds of the short form."""
    unit: str = "rounds"
    """The unit of the rounds."""
    kinds: tuple[str, ...] = KINDS
    """The kinds of databases on which it can run."""
    faults: tuple[str, ...] = ()
    """The faults that can be planted, which the run has to find …"""
    planted: int = 0
    """… within this number of rounds; 0: within those of the short form."""
    missing: Callable[[], str] = str
    """Says what the machine lacks for the run; empty if it lacks nothing."""
    daily: bool = True
    """Whether the short form runs each day, on the first database; if not, the docstring names the test that replaces
    it.
    """


class Told(NamedTuple):
    """The outcome of a run."""

    name: str
    kind: str
    counts: dict[str, int | float | str]
    wrong: str
    """The faults that the run found; empty if there are none."""


def names() -> list[str]:
    """The names of all runs."""
    return sorted(each.stem.replace("_", "-") for each in RUNS.glob("[a-z]*.py"))


def definition(name: str) -> Definition:
    """The definition of the run with this name."""
    found: Definition = _module(name).DEFINITION
    return found


def described(name: str) -> str:
    """What the run with this name does, how long it takes, and what it counts."""
    return str(_module(name).__doc__)


def _module(name: str) -> Any:
    return importlib.import_module(f"tests.endurance.runs.{name.replace('-', '_')}")


def endure(
    name: str, kind: str = "", rounds: int | None = None, seed: int = 1, fault: str = ""
) -> Told:
    """Do a run on one kind of database, by default the first; without `rounds`, do the short form."""
    known = definition(name)
    assert fault in ("", *known.faults), f"{name} plants {known.faults}"
    kind = kind or known.kinds[0]
    if rounds is None:
        rounds = known.planted if fault and known.planted else known.quick
    begun = time.monotonic()
    with _begun(kind, rounds, seed, fault) as run:
        run.counts[known.unit] = run.rounds
        wrong = ""
        try:
            with run.log.open("w") as log, redirect_stderr(log):
                known.endure(run)
        except AssertionError as found:
            wrong = str(found) or repr(found)
        run.counts["seconds"] = round(time.monotonic() - begun)
        return Told(name, kind, run.counts, wrong)


@contextmanager
def _begun(kind: str, rounds: int, seed: int, fault: str) -> Iterator[Run]:
    with TemporaryDirectory(prefix="endurance-") as folder:
        run = Run(Path(folder), kind, rounds, seed, fault)
        with run.until_the_end:
            yield run
