"""Headers of every response: a strict Content-Security-Policy, no referrer, no sniffing, no framing, only https.

They follow the OWASP Secure Headers Project, except those that it calls deprecated.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Response

from service.web.http.caller.context import preferred_language

CSP = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
TRANSLATED = {"application/json", "application/problem+json", "text/html"}
"""The types of content whose words are in the caller's language."""
SECURITY_HEADERS = {
    "Content-Security-Policy": CSP,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Permitted-Cross-Domain-Policies": "none",
    "X-DNS-Prefetch-Control": "off",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
HTTPS_FOR_GOOD = "max-age=31536000; includeSubDomains"
"""A header that demands https for a year from the last visit; sent only by servers that people reach by https."""


class SecurityHeaders:
    """A WSGI layer that adds to every response of `app` the security headers that it lacks, whichever part made the
    response.
    """

    def __init__(self, app: WSGIApplication, *, secure: bool) -> None:
        self._app = app
        self.headers = [*SECURITY_HEADERS.items()]
        if secure:
            self.headers.append(("Strict-Transport-Security", HTTPS_FOR_GOOD))

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            present = {name.lower() for name, _ in headers}
            missing = [each for each in self.headers if each[0].lower() not in present]
            return start_response(status, headers + missing, *error)

        return self._app(environ, start)


def add_missing(response: Response) -> Response:
    """`response`, with headers that say that it is not cached, and its language.

    A response without content has neither language nor type.
    """
    response.headers.setdefault("Cache-Control", "no-store")
    if not response.is_streamed and response.calculate_content_length() == 0:
        response.headers.pop("Content-Type", None)  # Flask would declare an empty response as HTML
        response.headers.pop("Content-Language", None)
    elif response.mimetype in TRANSLATED and response.status_code != 304:
        response.headers.setdefault("Content-Language", preferred_language())
    return response
