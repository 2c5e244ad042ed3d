"""Answers to requests that come again: byte for byte the same, as a page or a program polls.

The application says of an answer how to find out that it is still the same. Then nothing is parsed, and nothing is
worked out but that.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from typing import NamedTuple

from gunicorn.util import http_date

from service.web.http.polls.idle_poll import Unchanged

MOST = 4096
"""Answers that a process keeps, each with its request."""
LARGEST = 3072
"""Bytes of a request and its answer; longer ones are not kept, so all take 12 MB at most."""

_DATE = re.compile(rb"\r\nDate: ([^\r\n]+)\r\n")


class Repeat(NamedTuple):
    """An answer in two parts, between which the date stands."""

    before: bytes
    after: bytes
    unchanged: Unchanged

    def answer(self) -> bytes:
        """The answer of today."""
        return b"%b%b%b" % (self.before, http_date().encode(), self.after)


class Repeats:
    """The latest answers that may be given again, by request. Thread-safe."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[bytes, Repeat] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, request: bytes) -> Repeat | None:
        """The answer that this request had before."""
        return self._kept.get(request)

    def keep(self, request: bytes, answer: bytes, unchanged: Unchanged) -> None:
        """Keep the answer to a request, in place of the one that was kept longest if there are too many."""
        date = _DATE.search(answer)
        if date is None or len(request) + len(answer) > LARGEST:
            return
        repeat = Repeat(answer[: date.start(1)], answer[date.end(1) :], unchanged)
        with self._lock:
            self._kept[request] = repeat
            self._kept.move_to_end(request)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
