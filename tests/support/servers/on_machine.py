"""A launcher of programs on a machine of a test (machines.py): in its network, with its name and its clock.

`python -m tests.support.servers.on_machine NETWORK NAME MODULE …` runs `python -m MODULE …` there, or the worker if no
module is named. `AHEAD` states how many ms its clock is ahead of the system's.
"""

from __future__ import annotations

import ctypes
import os
import runpy
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flask import Flask

from service.core.runtime.judged_clock import OF_WEB, OF_WORKER, BelievedAfter
from service.core.runtime.time_and_random import Runtime, steady_clock, system_clock
from service.operations.worker.loop import stop_on_signals, work
from service.web.app import create_app

_NETWORK, _NAME = 0x40000000, 0x04000000
"""Linux's CLONE_NEWNET and CLONE_NEWUTS, for which Python has names only since 3.12."""
_libc = ctypes.CDLL(None, use_errno=True)


def enter(network: Path) -> None:
    """Move this thread, and whatever it starts, into a network. Raises OSError."""
    with network.open("rb") as file:
        _done(_libc.setns(file.fileno(), _NETWORK))


@contextmanager
def inside(network: Path) -> Iterator[None]:
    """A block in which this thread is in that network; threads and sockets made in the block stay in it."""
    outside = Path(f"/proc/self/task/{thread_id()}/ns/net")
    with outside.open("rb") as back:
        enter(network)
        try:
            yield
        finally:
            _done(_libc.setns(back.fileno(), _NETWORK))


def thread_id() -> int:
    """The kernel's number of this thread."""
    return int(_libc.gettid())


def _done(result: int) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def app(believed_after: BelievedAfter = OF_WEB) -> Flask:
    """The application on a machine whose clock is ahead."""
    ahead = int(os.environ["AHEAD"])
    return create_app(
        runtime=Runtime(
            now=lambda: system_clock() + ahead, steady=steady_clock, believed_after=believed_after
        )
    )


def main(network: str, name: str, *words: str) -> None:
    """Move there, and run the given program."""
    enter(Path(network))
    _done(_libc.unshare(_NAME))
    socket.sethostname(name)
    if words:
        sys.argv = [*words]
        runpy.run_module(words[0], run_name="__main__", alter_sys=True)
    else:
        sys.exit(work(app(OF_WORKER), stop_on_signals()))


if __name__ == "__main__":
    main(*sys.argv[1:])
