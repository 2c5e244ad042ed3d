"""Files that are sent as they are, compressed and with an ETag: documents and examples for programs.

A release has few such files, and they do not change while it runs, so each is read once.
"""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

from flask import Response, request

from service.web.http.headers.compression import ENCODINGS, IDENTITY, accepted, in_form

QUALITY = 9
"""The quality of Brotli, limited because the first caller of a process waits for it."""


def whole_file(file: Path, mimetype: str) -> Response:
    """The response with this file, in the most compact form that the caller accepts."""
    encoding = accepted(request.accept_encodings, ENCODINGS)
    tag = _tag(file)
    response = Response(_form(file, encoding), mimetype=mimetype)
    response.headers["Cache-Control"] = "no-cache"
    response.vary.add("Accept-Encoding")
    response.set_etag(tag)
    response.make_conditional(request)
    if encoding != IDENTITY:
        response.set_etag(f"{tag}-{encoding}")
        response.headers["Content-Encoding"] = encoding
    if response.status_code == 304:
        response.headers.pop("Content-Encoding", None)
    return response


@functools.cache  # read once, so that all forms and the tag belong to the same content
def _read(file: Path) -> bytes:
    return file.read_bytes()


@functools.cache
def _tag(file: Path) -> str:
    return hashlib.sha256(_read(file)).hexdigest()[:20]


@functools.cache
def _form(file: Path, encoding: str) -> bytes:
    return in_form(_read(file), encoding, QUALITY)
