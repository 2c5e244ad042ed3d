"""Request ids, each of which connects a request's response, its problem and its log lines.

Callers that trace requests send an id (`traceparent` of W3C's Trace Context, or `X-Request-Id`); otherwise one is made
here. Nothing depends on it, so callers may choose their own; text that does not look like an id is not repeated
anywhere.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import structlog

HEADER = "X-Request-Id"
_KEY = "tegami.request-id"
_TRACE = re.compile(
    r"[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?", re.ASCII
)
"""The version, trace, span and flags; later versions may have more."""
_OTHER = re.compile(r"[0-9A-Za-z_.-]{8,64}", re.ASCII)


def id_of(environ: WSGIEnvironment) -> str:
    """The id of a request; further calls return the same id."""
    known: str | None = environ.get(_KEY)
    if known is None:
        known = environ[_KEY] = _brought(environ) or uuid.uuid4().hex
    return known


def _brought(environ: WSGIEnvironment) -> str | None:
    traced = _TRACE.fullmatch(environ.get("HTTP_TRACEPARENT", ""))
    if traced:
        return traced[1]
    other: str = environ.get("HTTP_X_REQUEST_ID", "")
    return other if _OTHER.fullmatch(other) else None


class WithRequestId:
    """A WSGI layer that puts the id into every response of `app`, and into every line logged during the request."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        known = id_of(environ)

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            return start_response(status, [*headers, (HEADER, known)], *error)

        with structlog.contextvars.bound_contextvars(request=known):
            return self._app(environ, start)
