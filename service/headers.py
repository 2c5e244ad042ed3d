"""Headers of every answer: a strict Content-Security-Policy, no referrer, no sniffing, no framing."""

from __future__ import annotations

from typing import Any

from flask import Flask, Response

from service.api.common import language

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
WORDED = {"application/json", "application/problem+json", "text/html"}
SAFE = {
    "Content-Security-Policy": CSP,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def register(app: Flask) -> None:
    """Give every answer of `app` the headers that it lacks; one that says nothing of caching is not kept."""

    @app.after_request
    def add(response: Response) -> Response:
        for name, value in SAFE.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "no-store")
        if response.mimetype in WORDED and response.status_code != 304:
            response.headers.setdefault("Content-Language", language())
        return response


def for_static(headers: Any, path: str, url: str) -> None:
    """The same for the page's files, which whitenoise serves."""
    for name, value in SAFE.items():
        headers[name] = value
