"""Headers of every answer: a strict Content-Security-Policy, no referrer, no sniffing, no framing."""

from __future__ import annotations

from wsgiref.headers import Headers

from flask import Flask, Response

from service.http.accept_language import preferred_language

CSP = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
TRANSLATED = {"application/json", "application/problem+json", "text/html"}
"""Types of content that is worded in the caller's language."""
SECURITY_HEADERS = {
    "Content-Security-Policy": CSP,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def register(app: Flask) -> None:
    """Add the headers that an answer of `app` lacks; one that does not mention caching is not cached."""
    app.after_request(add_missing)


def add_missing(response: Response) -> Response:
    """Add the headers that this answer lacks."""
    for name, value in SECURITY_HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
    if response.mimetype in TRANSLATED and response.status_code != 304:
        response.headers.setdefault("Content-Language", preferred_language())
    return response


def add_to_static_file(headers: Headers, path: str, url: str) -> None:
    """The same for the page's files, which whitenoise serves."""
    for name, value in SECURITY_HEADERS.items():
        headers[name] = value
