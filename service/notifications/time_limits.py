"""Time limits of conversations with other servers, so that a server that sends a byte now and then delays nobody."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import TypeVar

T = TypeVar("T")


def seconds_left(until: float) -> float:
    """The time left until then on the monotonic clock, in seconds; always above 0."""
    return max(0.001, until - time.monotonic())


@contextmanager
def cut_at(until: float, line: socket.socket) -> Iterator[None]:
    """A block during which the connection is cut when the time is up, so that its reader sees its end.

    Raises TimeoutError then. TLS may begin and end in the block: it takes over the first descriptor, so another one is
    cut. The bytes read until then may look like a response, but are only its beginning.
    """
    is_over = threading.Event()

    def cut() -> None:
        is_over.set()
        with suppress(OSError):  # the connection has just ended anyway
            descriptor.shutdown(socket.SHUT_RDWR)  # below TLS, if there is any

    with socket.socket(fileno=socket.dup(line.fileno())) as descriptor:
        timer = threading.Timer(seconds_left(until), cut)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
        if is_over.is_set():
            raise TimeoutError


def within(work: Callable[[], T], until: float) -> T:
    """The result of `work`. Raises TimeoutError when the time is up.

    A resolver cannot be interrupted, but its thread can be abandoned.
    """
    done = Future[T]()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised where it is waited for
            done.set_exception(error)

    threading.Thread(target=run, name="resolver", daemon=True).start()
    return done.result(seconds_left(until))
