"""Threads of the worker that work beside its loop, and end with it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def beside(
    stop: threading.Event, name: str, run: Callable[[], None], wake: Callable[[], None]
) -> Iterator[None]:
    """Meanwhile `run` runs in a thread of this name.

    At the end `stop` is set, `wake` wakes the thread if it waits, and it finishes what it has.
    """
    thread = threading.Thread(target=run, name=name)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        wake()
        thread.join()
