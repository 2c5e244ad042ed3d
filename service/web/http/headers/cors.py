"""Pages of other sites may use the API with a bearer token (CORS): they send no cookie, so they can do nothing unasked.

Without a token they may read what depends on nobody, and become a player with a token of their own. Whatever else a
browser can reach without one is nothing for other sites.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

METHODS = "GET, POST, PUT, PATCH, DELETE"
SENT = (
    *("Authorization", "Content-Type", "Accept-Language", "If-None-Match", "Invitation"),
    *("Idempotency-Key", "Prefer", "Last-Event-ID", "X-Request-Id", "traceparent"),
)
"""Headers that a page of another site may send."""
TOLD = (
    *("ETag", "Location", "RateLimit", "RateLimit-Policy", "Retry-After", "Content-Language"),
    *("Allow", "WWW-Authenticate", "Content-Disposition", "Preference-Applied", "Link"),
    *("Deprecation", "Sunset", "X-Request-Id"),
)
"""Headers that such a page may read besides those that every page may."""
OPEN = re.compile(
    r"/api/(?:rulesets(?:/[^/]+(?:/picture|/example)?)?|paces|key|words/[^/]+|records/schema)",
    re.ASCII,
)
"""The paths of what is the same for everybody."""
BECOMING = "/api/players"
"""Where somebody becomes a player; the endpoint refuses other sites that do not ask for a token."""
REMEMBERED = 7200
"""Seconds for which a browser need not ask again; the most that Chromium allows."""
_ANSWER = [
    ("Cross-Origin-Resource-Policy", "cross-origin"),
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Expose-Headers", ", ".join(TOLD)),
]
_PREFLIGHT = [
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Allow-Methods", METHODS),
    ("Access-Control-Allow-Headers", ", ".join(SENT)),
    ("Access-Control-Max-Age", str(REMEMBERED)),
    ("Vary", "Access-Control-Request-Headers"),
]


class OtherSites:
    """Answers the questions of browsers in front of `app`, with these `headers` besides its own."""

    def __init__(self, app: WSGIApplication, headers: list[tuple[str, str]]) -> None:
        self._app, self._headers = app, headers

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if "HTTP_ORIGIN" not in environ or not environ["PATH_INFO"].startswith("/api/"):
            return self._app(environ, start_response)
        if _asks_first(environ):
            start_response("204 No Content", _PREFLIGHT + self._headers)
            return []
        has_token = environ.get("HTTP_AUTHORIZATION", "").lower().startswith("bearer ")
        if not has_token and not _is_open(environ["PATH_INFO"], environ["REQUEST_METHOD"]):
            return self._app(environ, start_response)

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            kept = [each for each in headers if each[0] != "Cross-Origin-Resource-Policy"]
            return start_response(status, kept + _ANSWER, *error)

        return self._app(environ, start)


def _is_open(path: str, method: str) -> bool:
    """Whether a page of another site may do this without a token."""
    if method == "POST":
        return path == BECOMING
    return method in {"GET", "HEAD"} and OPEN.fullmatch(path) is not None


def _asks_first(environ: WSGIEnvironment) -> bool:
    """Whether a browser asks if a page of another site may do what it may: with a token, or without."""
    wanted = environ.get("HTTP_ACCESS_CONTROL_REQUEST_HEADERS", "").lower()
    method = environ.get("HTTP_ACCESS_CONTROL_REQUEST_METHOD")
    if environ["REQUEST_METHOD"] != "OPTIONS" or method is None:
        return False
    has_token = "authorization" in (each.strip() for each in wanted.split(","))
    return has_token or _is_open(environ["PATH_INFO"], method)
