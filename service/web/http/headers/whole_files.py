"""Files that are answered as they are: documents and examples for programs, compressed, with a tag.

The files of a release are few and do not change while it runs, so each is read once.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
from pathlib import Path

from flask import Response, request

ENCODINGS = ("br", "gzip")
"""The shortest first."""


def whole_file(file: Path, mimetype: str) -> Response:
    """The file, whole, in the shortest form that the caller takes."""
    wished = request.accept_encodings
    encoding = next((each for each in ENCODINGS if wished.quality(each) > 0), "")
    tag = _tag(file)
    response = Response(_form(file, encoding), mimetype=mimetype)
    response.headers["Cache-Control"] = "no-cache"
    response.vary.add("Accept-Encoding")
    response.set_etag(tag)
    response.make_conditional(request)
    if encoding:
        response.set_etag(f"{tag}-{encoding}")
        response.headers["Content-Encoding"] = encoding
    if response.status_code == 304:
        response.headers.pop("Content-Encoding", None)
    return response


@functools.cache  # once, so that all forms and the tag are of the same content
def _read(file: Path) -> bytes:
    return file.read_bytes()


@functools.cache
def _tag(file: Path) -> str:
    return hashlib.sha256(_read(file)).hexdigest()[:20]


@functools.cache
def _form(file: Path, encoding: str) -> bytes:
    body = _read(file)
    if encoding == "gzip":
        return gzip.compress(body, 9, mtime=0)
    if encoding == "br":
        import brotli  # only the first caller of a process needs it

        return bytes(brotli.compress(body, quality=9))
    return body
