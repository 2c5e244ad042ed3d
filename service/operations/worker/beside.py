"""Threads of the worker that work beside its loop, and end with it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def beside(stop: threading.Event, name: str, run: Callable[[], None] | None) -> Iterator[None]:
    """Meanwhile `run`, if it is given, runs in a thread of this name, which waits for `stop` if it waits.

    At the end `stop` is set, and the thread finishes what it has.
    """
    if run is None:
        yield
        return
    thread = threading.Thread(target=run, name=name)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
