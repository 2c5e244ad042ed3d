"""Answers that can be polled: each has a tag, and is 304 for a caller who brings that tag."""

from __future__ import annotations

import hashlib

from flask import Response, jsonify, request

from rules.kernel import Json
from service.web.http.caller.context import preferred_language

CACHE_CONTROL = "private, no-cache"
VARY = "Cookie, Authorization, Accept-Language, Invitation"


def headers_of(tag: str) -> list[tuple[str, str]]:
    """What every answer with this tag says of itself, whether it is 200 or 304."""
    return [("ETag", tag), ("Cache-Control", CACHE_CONTROL), ("Vary", VARY)]


def with_etag(body: Json, tag: str) -> Response:
    """An answer with this tag, quotation marks included."""
    response = jsonify(body)
    response.headers.extend(headers_of(tag))
    response.make_conditional(request)
    return response


def with_content_etag(body: Json) -> Response:
    """An answer with a tag derived from what it says and nothing else, so that the tag gives nothing away."""
    content = repr((body, preferred_language())).encode()
    return with_etag(body, f'"{hashlib.sha256(content).hexdigest()[:20]}"')
