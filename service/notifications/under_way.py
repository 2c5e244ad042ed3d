"""The work under way at each place, such as an address or a domain: limited for all threads of a process."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Visit = Callable[[str], bool]
"""A function that begins something at a place until the visit is over; it returns whether there was room."""


class UnderWay:
    """A count of the work under way at each place. Thread-safe."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._at = Counter[str]()

    def full(self) -> list[str]:
        """The places without room."""
        with self._lock:
            return [place for place, number in self._at.items() if number >= self._most]

    @contextmanager
    def visit(self) -> Iterator[Visit]:
        """A block that ends the work that its Visit has begun."""
        begun = list[str]()

        def begin(place: str) -> bool:
            with self._lock:
                if self._at[place] >= self._most:
                    return False
                self._at[place] += 1
                begun.append(place)
                return True

        try:
            yield begin
        finally:
            with self._lock:
                self._at -= Counter(begun)
