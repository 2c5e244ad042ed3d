"""What is under way to one place, such as an address or a domain: so much at a time, in all threads of a process."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Visit = Callable[[str], bool]
"""Begin something at a place, until the visit is over; whether there was room."""


class UnderWay:
    """Counts what is under way; thread-safe."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._at = Counter[str]()

    def full(self) -> list[str]:
        """The places at which there is no room."""
        with self._lock:
            return [place for place, number in self._at.items() if number >= self._most]

    @contextmanager
    def visit(self) -> Iterator[Visit]:
        """Meanwhile what is begun is under way."""
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
