"""What the runs of endurance share: what one is given, what it counts, and how it is found by its name.

A run is a module in `runs/`, named after it (`disk-full` is `disk_full.py`). Its docstring says what it does, how long
that takes and what it counts; its `DEFINITION` says how much of it there is. It raises AssertionError for what is
wrong, at the latest when it ends. A fault can be planted, so that it is seen to find it.
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
        """What was counted, in the order in which it is told."""
        self.until_the_end = ExitStack()
        """What is closed when the run has ended, however it does."""
        self.log = folder / "run.log"
        """What the service logs in this process."""
        self._databases = Databases(shared_folder())

    def count(self, what: str, number: int = 1) -> None:
        """Count so many more."""
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
    """How much there is of a run."""

    endure: Callable[[Run], None]
    """Does it. Raises AssertionError for what it has found."""
    rounds: int
    """How many rounds the figures in the documents are of."""
    quick: int
    """How many the short form has."""
    unit: str = "rounds"
    """Of what there are so many."""
    kinds: tuple[str, ...] = KINDS
    """On which databases."""
    faults: tuple[str, ...] = ()
    """What can be planted, to be found …"""
    planted: int = 0
    """… in so many rounds; 0: in as many as the short form has."""
    missing: Callable[[], str] = str
    """Says what of the machine is missing, where it cannot run; empty: nothing."""
    daily: bool = True
    """Whether its short form runs each day, on the first database; else its docstring says what does."""


class Told(NamedTuple):
    """What has come of a run."""

    name: str
    kind: str
    counts: dict[str, int | float | str]
    wrong: str
    """What it has found; empty: nothing."""


def names() -> list[str]:
    """Those of all runs."""
    return sorted(each.stem.replace("_", "-") for each in RUNS.glob("[a-z]*.py"))


def definition(name: str) -> Definition:
    """That of the run of this name."""
    found: Definition = _module(name).DEFINITION
    return found


def described(name: str) -> str:
    """What the run of this name does, how long it takes, and what it counts."""
    return str(_module(name).__doc__)


def _module(name: str) -> Any:
    return importlib.import_module(f"tests.endurance.runs.{name.replace('-', '_')}")


def endure(
    name: str, kind: str = "", rounds: int | None = None, seed: int = 1, fault: str = ""
) -> Told:
    """Do a run on one kind of database, the first unless it is given; without `rounds` it is the short form."""
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
