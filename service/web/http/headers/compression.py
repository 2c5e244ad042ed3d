"""Compressing answers: pages, files, and what is the same for everybody.

The length of what is compressed together tells whether two parts of it are alike: whoever sees it on the line, and has
a say in one part, can guess at another (BREACH). So answers that hold a secret beside what somebody else has written,
as forms do with their token, stay as they are. Parts that are about a person are compressed each by itself, as if they
were sent one by one: then what others call themselves at a table helps nobody to guess at an address.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable

from flask import Response, request
from werkzeug.datastructures import Accept

_GZIP = 31
"""What zlib calls gzip."""
_LEVEL = 6


IDENTITY = "identity"
ENCODINGS = ("br", "gzip")
"""Of files that are the same for everybody, the shortest first."""


def in_form(body: bytes, encoding: str, quality: int = 11) -> bytes:
    """A file in one of ENCODINGS, or as it is; `quality` (to 11) is that of Brotli, which takes its time."""
    if encoding == "gzip":
        return gzip.compress(body, 9, mtime=0)
    return _brotli(body, quality) if encoding == "br" else body


def _brotli(body: bytes, quality: int) -> bytes:
    import brotli  # a server that has kept what it compressed does without it

    return bytes(brotli.compress(body, quality=quality))


def accepted(wished: Accept, offered: Iterable[str]) -> str:
    """The first of the encodings that are offered which the caller takes."""
    return next((each for each in offered if wished.quality(each) > 0), IDENTITY)


def packed(parts: Iterable[bytes]) -> bytes:
    """The parts as one gzip file, in which none refers to another."""
    packer = zlib.compressobj(_LEVEL, wbits=_GZIP)
    each = [packer.compress(part) + packer.flush(zlib.Z_FULL_FLUSH) for part in parts]
    return b"".join((*each, packer.flush()))


def compressed(response: Response, parts: Iterable[str] | None = None) -> Response:
    """The answer as gzip if the caller takes that; `parts` are what it consists of, if they are not to be mixed."""
    response.vary.add("Accept-Encoding")
    if request.accept_encodings.quality("gzip") > 0:
        whole = [response.get_data()] if parts is None else [part.encode() for part in parts]
        response.set_data(packed(whole))
        response.headers["Content-Encoding"] = "gzip"
    return response
