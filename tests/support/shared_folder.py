"""The folder that all processes of a test run share, and things in it that only one of them has to make."""

from __future__ import annotations

import fcntl
import os
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

FOLDER = "TEGAMI_TEST_FOLDER"
"""The environment variable with its path."""

T = TypeVar("T")


def shared_folder() -> Path:
    """The path of the folder."""
    return Path(os.environ[FOLDER])


@contextmanager
def one_at_a_time(lock: Path) -> Iterator[None]:
    """A block that only one process enters at a time."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def made_once(name: str, make: Callable[[], T]) -> T:
    """The result of `make`: the first process of a test run makes it, the others read a copy.

    A process that runs alone makes it for itself, since its folder may also belong to other runs, which test other
    code.
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
