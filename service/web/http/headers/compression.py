"""Compression of responses: pages, files, and responses that are the same for everybody.

The length of text that is compressed together reveals whether two parts are alike: an eavesdropper who controls one
part can guess the other (BREACH). So responses that contain a secret next to somebody else's text, such as forms with
their tokens, are not compressed. Parts about a person are compressed separately, as if they were sent one by one, so
other people's names at a table help nobody to guess an address.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable

from flask import Response, request
from werkzeug.datastructures import Accept

_GZIP = 31
"""zlib's number for gzip."""
_LEVEL = 6


IDENTITY = "identity"
ENCODINGS = ("br", "gzip")
"""The content codings of files that are the same for everybody, the most compact first."""


def in_form(body: bytes, encoding: str, quality: int = 11) -> bytes:
    """The body of a file in one of ENCODINGS, or uncompressed. `quality` (up to 11) is for Brotli; a higher quality
    takes longer.
    """
    if encoding == "gzip":
        return gzip.compress(body, 9, mtime=0)
    return _brotli(body, quality) if encoding == "br" else body


def _brotli(body: bytes, quality: int) -> bytes:
    import brotli  # a server that keeps what it has compressed does not need it

    return bytes(brotli.compress(body, quality=quality))


def accepted(wished: Accept, offered: Iterable[str]) -> str:
    """The first of the offered encodings that the caller accepts."""
    return next((each for each in offered if wished.quality(each) > 0), IDENTITY)


def packed(parts: Iterable[bytes]) -> bytes:
    """The parts as one gzip file, in which no part refers to another one."""
    packer = zlib.compressobj(_LEVEL, wbits=_GZIP)
    each = [packer.compress(part) + packer.flush(zlib.Z_FULL_FLUSH) for part in parts]
    return b"".join((*each, packer.flush()))


def compressed(response: Response, parts: Iterable[str] | None = None) -> Response:
    """The response, compressed as gzip if the caller accepts that; `parts` are parts of it that must not be compressed
    together.
    """
    response.vary.add("Accept-Encoding")
    if request.accept_encodings.quality("gzip") > 0:
        whole = [response.get_data()] if parts is None else [part.encode() for part in parts]
        response.set_data(packed(whole))
        response.headers["Content-Encoding"] = "gzip"
    return response
