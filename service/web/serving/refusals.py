"""Answers to requests that never reach the application, because they are no proper HTTP, too slow or too long."""

from __future__ import annotations

import json

from service.core.runtime.problems import HeadersTooLarge, Problem, UriTooLong
from service.core.words.words import LANGUAGES, phrases

LANGUAGE = LANGUAGES[0]
"""The caller's is not known: it stands in the headers."""


def document(kind: type[Problem]) -> dict[str, object]:
    """The problem document."""
    words = phrases(LANGUAGE)
    return {
        "type": f"/problems/{kind.slug}",
        "title": words.say(f"problem.{kind.slug}.title"),
        "status": kind.status,
        "detail": words.say(f"problem.{kind.slug}.detail"),
    }


def _refusal(status: str, kind: type[Problem] | None = None) -> bytes:
    body = json.dumps(document(kind)).encode() if kind else b""
    about = ["Content-Type: application/problem+json", f"Content-Language: {LANGUAGE}"]
    lines = [
        f"HTTP/1.1 {status}",
        "Connection: close",
        *(about if kind else ()),
        f"Content-Length: {len(body)}",
    ]
    return "".join(f"{line}\r\n" for line in [*lines, ""]).encode() + body


BAD_REQUEST = _refusal("400 Bad Request")
TIMEOUT = _refusal("408 Request Timeout")
URI_TOO_LONG = _refusal("414 URI Too Long", UriTooLong)
HEADERS_TOO_LARGE = _refusal("431 Request Header Fields Too Large", HeadersTooLarge)
OF_GUNICORN = {
    414: URI_TOO_LONG,
    431: HEADERS_TOO_LARGE,
    500: _refusal("500 Internal Server Error"),
    501: _refusal("501 Not Implemented"),
}
"""What is said in place of gunicorn's own refusal with this status; any other is `BAD_REQUEST`."""
