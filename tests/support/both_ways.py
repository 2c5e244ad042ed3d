"""Every game that any test requests is requested in both ways: the idle poll and the application have to agree.

The idle poll (http/polls/idle_poll.py) may always leave a request to the application. Its own responses have to be the
application's: a 304 for the tag of the present response, with the same headers; never one for another tag, nor for
somebody who is refused, whichever tags they know.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import Any

from flask import Flask

from service.web.http.polls.idle_poll import POLLS, IdlePolls

WATCHED = "tests.watched"
"""The key under which an application says that its statements are counted, so that no others may be run."""
_PATH = re.compile(r"/api/games/g_\w+")
_KNOWN = "tests.known_tags"
_REMEMBERED, _TRIED = 200, 6
"""The number of games whose tags are remembered, and of tags for each game."""
_OTHER = {"Content-Type", "Content-Length", "Content-Language", "Date", "X-Request-Id"}
"""Headers about content (which a 304 lacks), about the request, or added by the server."""


def check(app: Flask, answer: Any) -> None:
    """Repeat the request of this response of Flask's test client with all known tags."""
    asked = answer.request
    if asked.method != "GET" or not _PATH.fullmatch(asked.path) or WATCHED in app.extensions:
        return
    sent = {name: value for name, value in asked.environ.items() if name.isupper()}
    if sent.get("QUERY_STRING") or "HTTP_ORIGIN" in sent:
        return
    tag, tags = answer.headers.get("ETag"), _tags(app, asked.path)
    for other in [each for each in tags if each != tag]:
        assert _polled(app, sent, other) is None, (answer.status, "has another tag")
    if tag is not None:
        tags[tag] = None
        if len(tags) > _TRIED:
            tags.popitem(last=False)
        told = _polled(app, sent, tag)
        assert told is None or _is_304_of(told, answer), (told, answer.headers)


def _tags(app: Flask, path: str) -> OrderedDict[str, None]:
    known: OrderedDict[str, OrderedDict[str, None]] = app.extensions.setdefault(
        _KNOWN, OrderedDict()
    )
    while len(known) > _REMEMBERED:
        known.popitem(last=False)
    return known.setdefault(path, OrderedDict())


def _polled(app: Flask, sent: dict[str, Any], tag: str) -> list[tuple[str, str]] | None:
    polls: IdlePolls = app.extensions[POLLS]
    return polls.unchanged({**sent, "HTTP_IF_NONE_MATCH": tag})


def _is_304_of(told: list[tuple[str, str]], answer: Any) -> bool:
    """Whether these are the headers of the response, apart from the exceptions."""
    usual = {each for each in answer.headers if each[0] not in _OTHER}
    return set(told) == usual - {("Preference-Applied", answer.headers.get("Preference-Applied"))}
