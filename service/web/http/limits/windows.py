"""Counting within windows of time: each begins with the first count and ends all at once."""

from __future__ import annotations

import threading
from collections.abc import Hashable
from typing import NamedTuple

MOST = 50_000
"""Windows that are kept, some 10 MB; of more, those that began first are forgotten."""


class Window(NamedTuple):
    """How much was counted, and when the count begins anew (ms UTC)."""

    counted: int
    ends_at: int


class Windows:
    """Counts by key. Thread-safe."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._windows: dict[Hashable, Window] = {}

    def add(self, key: Hashable, cost: int, length: int, now: int) -> Window:
        """Count `cost` for `key`; a new window lasts `length` ms."""
        with self._lock:
            known = self._windows.get(key)
            if known is not None and now < known.ends_at:
                window = known._replace(counted=known.counted + cost)
            else:
                self._windows.pop(key, None)  # a new window goes to the end
                window = Window(cost, now + length)
            self._windows[key] = window
            if len(self._windows) > self._most:
                del self._windows[next(iter(self._windows))]
            return window
