"""Responses to requests that never reach the application, because they are not proper HTTP, too slow or too long.

Each has an id, like every response; the input of the request is ignored.
"""

from __future__ import annotations

import json
import uuid
from typing import NamedTuple

from service.core.runtime.problems import HeadersTooLarge, Problem, UriTooLong
from service.core.words.words import LANGUAGES, phrases
from service.web.http.headers.request_ids import HEADER

LANGUAGE = LANGUAGES[0]
"""The language of refusals, because the caller's is unknown: it would be in the headers."""


def document(kind: type[Problem]) -> dict[str, object]:
    """The problem document of a refusal."""
    words = phrases(LANGUAGE)
    return {
        "type": f"/problems/{kind.slug}",
        "title": words.say(f"problem.{kind.slug}.title"),
        "status": kind.status,
        "detail": words.say(f"problem.{kind.slug}.detail"),
    }


class Refusal(NamedTuple):
    """The status and the problem of a refusal."""

    status: str
    kind: type[Problem] | None = None

    def answer(self) -> bytes:
        """The complete response in bytes, including its head."""
        request_id, body = uuid.uuid4().hex, b""
        about = list[str]()
        if self.kind is not None:
            body = json.dumps({**document(self.kind), "request_id": request_id}).encode()
            about = ["Content-Type: application/problem+json", f"Content-Language: {LANGUAGE}"]
        lines = [
            f"HTTP/1.1 {self.status}",
            "Connection: close",
            *about,
            f"Content-Length: {len(body)}",
            f"{HEADER}: {request_id}",
        ]
        return "".join(f"{line}\r\n" for line in [*lines, ""]).encode() + body


BAD_REQUEST = Refusal("400 Bad Request")
TIMEOUT = Refusal("408 Request Timeout")
URI_TOO_LONG = Refusal("414 URI Too Long", UriTooLong)
HEADERS_TOO_LARGE = Refusal("431 Request Header Fields Too Large", HeadersTooLarge)
OF_GUNICORN = {
    414: URI_TOO_LONG,
    431: HEADERS_TOO_LARGE,
    500: Refusal("500 Internal Server Error"),
    501: Refusal("501 Not Implemented"),
}
"""The replacements for gunicorn's own refusals, by status; other refusals become `BAD_REQUEST`."""
