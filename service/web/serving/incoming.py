"""Where a request ends in what a connection has received so far, without waiting for more.

Only the length is found here; gunicorn parses the request afterwards, and judges it. A request whose length is unclear
is handed over as not whole: its connection ends with the answer, so nothing that follows is taken for another request.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from gunicorn.http.body import CHUNK_EXT_RE

from service.web.http.bodies.body_and_query import LARGEST_BODY

MOST_HEAD = 32 * 1024
"""Bytes of the request line and the headers."""
MOST_LINE = 4094
"""Bytes of the request line, by gunicorn's own measure."""
MOST_CHUNK_LINE = 4096
"""Bytes of a chunk's size with its extensions, or of the trailers behind the last chunk."""
MOST_FRAMING = LARGEST_BODY
"""Bytes of a body in chunks that are not content."""

_END_OR_BARE_LF = re.compile(rb"\r\n\r\n|(?<!\r)\n")
_FRAMING = re.compile(
    rb"\r\n(content-length|transfer-encoding|expect):[ \t]*([^\r\n]*?)[ \t]*(?=\r\n)", re.IGNORECASE
)
_CHUNK_SIZE = re.compile(rb"[0-9A-Fa-f]{1,16}")


class Malformed(ValueError):
    """No proper HTTP."""


class HeadTooLong(ValueError):
    """More than MOST_HEAD without an end."""


class LineTooLong(HeadTooLong):
    """The request line alone takes more than MOST_LINE of it."""


class Received(NamedTuple):
    """A request that can be answered."""

    data: bytes
    whole: bool
    """False: more may belong to it, which is not read."""


class Sized:
    """A body whose length is known, perhaps 0."""

    def __init__(self, start: int, length: int) -> None:
        self._end, self.is_too_large = start + length, length > LARGEST_BODY

    def find_end(self, data: bytearray) -> tuple[int, bool] | None:
        """Where the request ends, and whether it is whole; None: not yet."""
        if self.is_too_large:
            return len(data), False
        return (self._end, True) if len(data) >= self._end else None


class Chunked:
    """A body in chunks; remembers how far it was read, so that no byte is looked at often."""

    is_too_large = False

    def __init__(self, start: int) -> None:
        self._at, self._framing, self._content = start, 0, 0

    def find_end(self, data: bytearray) -> tuple[int, bool] | None:
        """Where the request ends, and whether it is whole; None: not yet. Raises Malformed."""
        while (line := data.find(b"\r\n", self._at)) >= 0:
            size, start = _chunk_size(bytes(data[self._at : line])), line + 2
            if size == 0:
                return _drop_trailers(data, start)
            if self._content + min(size, len(data) - start) > LARGEST_BODY:
                self._end_after(data, start, LARGEST_BODY + 1 - self._content)
                return len(data), False
            if len(data) < start + size + 2:
                return None
            self._pass_chunk(data, start, size)
        if len(data) - self._at > MOST_CHUNK_LINE:
            raise Malformed
        return None

    def _end_after(self, data: bytearray, start: int, size: int) -> None:
        """Let the body end with the first byte too many: gunicorn takes what is cut off for a lost connection."""
        data[self._at :] = b"%x\r\n%s\r\n0\r\n\r\n" % (size, data[start : start + size])

    def _pass_chunk(self, data: bytearray, start: int, size: int) -> None:
        end = start + size
        self._framing += start - self._at + 2
        if data[end : end + 2] != b"\r\n" or self._framing > MOST_FRAMING:
            raise Malformed
        self._at, self._content = end + 2, self._content + size


class Head(NamedTuple):
    """What the headers say about the body."""

    body: Sized | Chunked
    expects_continue: bool
    """Whether the client sends the body only after it was told to."""


class Incoming:
    """The bytes of a connection that no request has taken yet."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._searched = 0
        self._head: Head | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing has come of the next request."""
        return not self._data

    @property
    def head(self) -> Head | None:
        """The head of the next request, once `take` has found it."""
        return self._head

    def add(self, data: bytes) -> None:
        """Put what has come behind the rest."""
        self._data += data

    def take(self) -> Received | None:
        """The next request if it has come. Raises Malformed, HeadTooLong, LineTooLong."""
        self._head = self._head or self._find_head()
        found = self._head and self._head.body.find_end(self._data)
        if not found:
            return None
        end, whole = found
        request = Received(bytes(self._data[:end]), whole)
        del self._data[:end]
        self._head, self._searched = None, 0
        return request

    def _find_head(self) -> Head | None:
        """The head if it has come; one empty line may stand before it (RFC 9112, 2.2)."""
        skipped = 2 if self._data[:2] == b"\r\n" else 0
        found = _END_OR_BARE_LF.search(self._data, max(skipped, self._searched - 3))
        self._searched = len(self._data)
        if found and found[0] == b"\n":
            raise Malformed
        if (found.end() if found else self._searched) > MOST_HEAD:
            line = self._data.find(b"\r\n", skipped, skipped + MOST_LINE + 2)
            raise HeadTooLong if line >= 0 else LineTooLong
        return _head(bytes(self._data[skipped : found.end()]), found.end()) if found else None


def _head(head: bytes, end: int) -> Head:
    """What a complete head says; `end` is where it ends in the data."""
    found = [(name.lower(), value.lower()) for name, value in _FRAMING.findall(head)]
    fields = [each for each in found if each[0] != b"expect"]
    is_1_1 = head.partition(b"\r\n")[0].endswith(b" HTTP/1.1")
    return Head(_body(fields, end), is_1_1 and (b"expect", b"100-continue") in found)


def _body(fields: list[tuple[bytes, bytes]], start: int) -> Sized | Chunked:
    """The body that these headers announce; one of unclear length counts as too large."""
    match fields:
        case []:
            return Sized(start, 0)
        case [(b"content-length", digits)] if digits.isdigit() and len(digits) < 20:
            return Sized(start, int(digits))
        case [(b"transfer-encoding", b"chunked")]:
            return Chunked(start)
        case _:
            return Sized(start, LARGEST_BODY + 1)


def _chunk_size(line: bytes) -> int:
    """The size in a chunk's first line. Raises Malformed."""
    digits = _CHUNK_SIZE.match(line)
    if not digits or not CHUNK_EXT_RE.fullmatch(line, digits.end()):
        raise Malformed
    return int(digits[0], 16)


def _drop_trailers(data: bytearray, start: int) -> tuple[int, bool] | None:
    """The end of a body whose last chunk was read up to `start`; nobody asks for trailers. Raises Malformed."""
    if data[start : start + 2] == b"\r\n":
        return start + 2, True
    end = data.find(b"\r\n\r\n", start)
    if end >= 0:
        del data[start : end + 2]
        return start + 2, True
    if len(data) - start > MOST_CHUNK_LINE:
        raise Malformed
    return None
