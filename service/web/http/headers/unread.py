"""Removing the parts of a request that nothing here reads, before anything can misread them.

* Ranges, and conditions other than `If-None-Match`: all responses are whole, which RFC 9110, 14.2 leaves to the server.
* The changes that proxies make to ETags when they compress: Apache's `"x-gzip"`, Jetty's `"x--gzip"` and nginx's
  `W/"x"` come back with the next request, and mean our own tag.
* The parameters that click counters add to links (`utm_…`, `fbclid`), which say nothing about the request.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote_plus
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

_CONDITIONS = ("RANGE", "IF_RANGE", "IF_MATCH", "IF_MODIFIED_SINCE", "IF_UNMODIFIED_SINCE")
_MARKED = re.compile(r'(?:W/)?"([^"]{0,80}?)(?:(?:--?|;)(?:gzip|br|deflate|zstd)){0,3}"')
"""A tag with the additions that proxies, and this server, make for compression. Tags of this server are short, so
matching is quick.
"""
COUNTED_AS = "utm_"
COUNTERS = {
    *("gclid", "dclid", "gbraid", "wbraid", "_gl", "fbclid", "igsh", "igshid", "msclkid", "twclid"),
    *("ttclid", "yclid", "li_fat_id", "mc_cid", "mc_eid", "_hsenc", "_hsmi"),
}
"""The parameters for counting clicks of Google, Meta, Microsoft, X, TikTok, Yandex, LinkedIn, Mailchimp and HubSpot."""


def remove_unread(environ: WSGIEnvironment) -> None:
    """Remove these parts from the environment of a request; a second call changes nothing."""
    for name in _CONDITIONS:
        environ.pop(f"HTTP_{name}", None)
    tags = environ.get("HTTP_IF_NONE_MATCH")
    if tags:
        environ["HTTP_IF_NONE_MATCH"] = _MARKED.sub(r'"\1"', tags)
    query = environ.get("QUERY_STRING")
    if query:
        kept = (each for each in query.split("&") if not _counts_clicks(each))
        environ["QUERY_STRING"] = "&".join(kept)


def _counts_clicks(parameter: str) -> bool:
    name = unquote_plus(parameter.partition("=")[0]).lower()
    return name.startswith(COUNTED_AS) or name in COUNTERS


class WithoutUnread:
    """A WSGI layer that calls `app` without these parts."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        remove_unread(environ)
        return self._app(environ, start_response)
