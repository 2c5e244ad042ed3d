"""Access for pages of other sites (CORS), with a bearer token. They send no cookie, so they can do nothing that nobody
wants.

Without a token, they can read what is the same for everybody, and create a player with a token of its own. Nothing else
that a browser can reach without a token is open to other sites.
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
"""The headers that a page of another site may send."""
TOLD = (
    *("ETag", "Location", "RateLimit", "RateLimit-Policy", "Retry-After", "Content-Language"),
    *("Allow", "WWW-Authenticate", "Content-Disposition", "Preference-Applied", "Link"),
    *("Deprecation", "Sunset", "X-Request-Id"),
)
"""The headers that a page of another site may read, in addition to those that every page may read."""
OPEN = re.compile(
    r"/api/(?:rulesets(?:/[^/]+(?:/picture|/example)?)?|paces|key|words/[^/]+|records/schema)",
    re.ASCII,
)
"""The paths whose responses are the same for everybody."""
BECOMING = "/api/players"
"""The path at which players are created; the endpoint refuses other sites that do not ask for a token."""
GETTING_TOKENS = {"/oauth/token", "/oauth/revoke"}
"""The paths at which clients exchange codes for tokens and end tokens; cookies have no effect there."""
METADATA = "/.well-known/oauth-authorization-server"
"""The path at which clients read about both."""
REMEMBERED = 7200
"""How long (seconds) a browser need not ask again: the longest time that Chromium allows."""
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
    """Answers CORS preflights in front of `app`, with these `headers` in addition to its own."""

    def __init__(self, app: WSGIApplication, headers: list[tuple[str, str]]) -> None:
        self._app, self._headers = app, headers

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if "HTTP_ORIGIN" not in environ or not _is_for_programs(environ["PATH_INFO"]):
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


def _is_for_programs(path: str) -> bool:
    return path.startswith("/api/") or path in GETTING_TOKENS or path == METADATA


def _is_open(path: str, method: str) -> bool:
    """Whether a page of another site may send this without a token."""
    if method == "POST":
        return path == BECOMING or path in GETTING_TOKENS
    is_same_for_all = path == METADATA or OPEN.fullmatch(path) is not None
    return method in {"GET", "HEAD"} and is_same_for_all


def _asks_first(environ: WSGIEnvironment) -> bool:
    """Whether this is a preflight for something that is allowed, with or without a token."""
    wanted = environ.get("HTTP_ACCESS_CONTROL_REQUEST_HEADERS", "").lower()
    method = environ.get("HTTP_ACCESS_CONTROL_REQUEST_METHOD")
    if environ["REQUEST_METHOD"] != "OPTIONS" or method is None:
        return False
    has_token = "authorization" in (each.strip() for each in wanted.split(","))
    return has_token or _is_open(environ["PATH_INFO"], method)
