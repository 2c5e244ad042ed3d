"""Responses for polling: each has an ETag, and a caller who sends that tag gets a 304."""

from __future__ import annotations

import hashlib

from flask import Response, jsonify, request

from rules.kernel import Json
from service.web.http.caller.context import preferred_language

CACHE_CONTROL = "private, no-cache"
VARY = "Cookie, Authorization, Accept-Language, Invitation"


def headers_of(tag: str) -> list[tuple[str, str]]:
    """The headers of every response with this tag, whether it is 200 or 304."""
    return [("ETag", tag), ("Cache-Control", CACHE_CONTROL), ("Vary", VARY)]


def with_etag(body: Json, tag: str) -> Response:
    """A response with this tag, which has to include its quotation marks."""
    response = jsonify(body)
    response.headers.extend(headers_of(tag))
    response.make_conditional(request)
    return response


def with_content_etag(body: Json) -> Response:
    """A response with a tag derived only from its content, so that the tag reveals nothing."""
    content = repr((body, preferred_language())).encode()
    return with_etag(body, f'"{hashlib.sha256(content).hexdigest()[:20]}"')
