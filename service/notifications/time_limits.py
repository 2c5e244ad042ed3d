"""Time limits of conversations with other servers: whoever says a letter now and then holds up nobody."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress


def seconds_left(until: float) -> float:
    """Seconds until then on the monotonic clock, but not none."""
    return max(0.001, until - time.monotonic())


@contextmanager
def cut_at(until: float, line: Callable[[], socket.socket | None]) -> Iterator[None]:
    """Meanwhile the line is cut when the time is over: whoever reads from it, reads its end."""

    def cut() -> None:
        with suppress(OSError):  # it has just ended by itself
            if open_line := line():
                socket.socket.shutdown(open_line, socket.SHUT_RDWR)  # below TLS, if there is any

    timer = threading.Timer(seconds_left(until), cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
