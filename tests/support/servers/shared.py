"""Whole servers shared by all processes of a test run: starting one takes longer than most of its tests.

The first process that needs one starts it, and the last one that used it ends it. So a test that stops part of a
server, or that others would disturb, has its own.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from tests.support.servers import preloaded
from tests.support.servers.preloaded import Running
from tests.support.servers.server import Server
from tests.support.shared_folder import one_at_a_time, shared_folder


class Shared(NamedTuple):
    """A running server, the ids of its process groups, and how many processes of the run use it."""

    server: Server
    groups: list[int]
    users: int


@contextmanager
def shared(name: str, make: Callable[[Path], Server]) -> Iterator[Server]:
    """The server with this name. If there is none yet, `make` makes it, given its folder."""
    file = shared_folder() / f"{name}.server"
    with one_at_a_time(file.with_suffix(".lock")):
        found = _read(file) or _started(make, shared_folder() / name)
        _write(file, found._replace(users=found.users + 1))
    try:
        yield found.server
    finally:
        with one_at_a_time(file.with_suffix(".lock")):
            found = pickle.loads(file.read_bytes())
            if found.users == 1:
                _end(found)
                file.unlink()
            else:
                _write(file, found._replace(users=found.users - 1))


def end_all() -> None:
    """End the servers that an interrupted process has left behind."""
    for file in shared_folder().glob("*.server"):
        _end(pickle.loads(file.read_bytes()))
    preloaded.end()


def _started(make: Callable[[Path], Server], folder: Path) -> Shared:
    folder.mkdir(exist_ok=True)
    server = make(folder)
    server.__enter__()
    begun = [*server._running.values()]
    _begun.extend(begun)
    server._running = {}  # processes cannot be handed on
    return Shared(server, [process.pid for process in begun], 0)


_begun: list[Running] = []
"""The processes started by this one: Python complains about forgotten ones."""


def _read(file: Path) -> Shared | None:
    if not file.exists():
        return None
    found: Shared = pickle.loads(file.read_bytes())
    return found


def _write(file: Path, found: Shared) -> None:
    file.write_bytes(pickle.dumps(found))


def _end(found: Shared) -> None:
    for group in found.groups:
        with suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)
