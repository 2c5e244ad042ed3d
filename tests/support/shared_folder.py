"""The folder that all processes of a test run share, and what only one of them has to make."""

from __future__ import annotations

import fcntl
import os
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

FOLDER = "TEGAMI_TEST_FOLDER"
"""The environment variable that says where it is."""

T = TypeVar("T")


def shared_folder() -> Path:
    """Where it is."""
    return Path(os.environ[FOLDER])


@contextmanager
def one_at_a_time(lock: Path) -> Iterator[None]:
    """Wait until no other process is in the same block."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def made_once(name: str, make: Callable[[], T]) -> T:
    """What `make` returns: the first process of a test run makes it, the others read a copy.

    A process that runs alone makes it for itself: its folder may be one of other runs too, which test other code.
    """
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    if run is None:
        return make()
    file = shared_folder() / f"{name}-{run}.pickle"
    with one_at_a_time(file.with_suffix(".lock")):
        if not file.exists():
            whole = file.with_suffix(".new")
            whole.write_bytes(pickle.dumps(make()))
            whole.replace(file)
    made: T = pickle.loads(file.read_bytes())
    return made
