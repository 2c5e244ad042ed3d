"""Waiting for news: `Prefer: wait=30` (RFC 7240) on requests whose response would report no news.

The application always responds at once. If its response has no news, it contains enough for the server to hold the
response, without a thread, until there is news; then the request is answered again. A server that cannot wait, or has
no room for another request, sends the response as it is, without `Preference-Applied`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import NamedTuple
from wsgiref.types import WSGIEnvironment

from flask import Response, current_app, request
from sqlalchemy import Engine, select

from service.core.models.following import Listener
from service.core.models.games import Game

LONGEST = 60
"""The longest wait in seconds, even for clients that would prefer a longer one."""
WAIT = "tegami.wait"
"""The key in a request's environment for what its response waits for, a `Wait`."""
MAY_WAIT = "tegami.may-wait"
"""The key in a request's environment for a function of the server that says whether it has room to hold a request of
this player.
"""
APPLIED = "Preference-Applied"
"""The header that reports the wait."""
VERSIONS = "tegami.versions"
"""The key under which an application holds its `Versions`."""

_WAIT = re.compile(r"""(?:^|[,;])\s*wait\s*=\s*"?([0-9]{1,9})"?\s*(?=[,;]|$)""", re.IGNORECASE)


class Subject(NamedTuple):
    """What a response waits for: the next revision of a `game`, or the next change of a `player`."""

    kind: str
    id: str


_listener, _game = Listener.metadata.tables["listeners"], Game.metadata.tables["games"]
_VERSIONS = {
    "player": (_listener.c.player_id, _listener.c.last),
    "game": (_game.c.id, _game.c.revision),
}


class Versions:
    """The present versions of subjects; `engine` is the one for polls, and connects at its first use."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def __call__(self, subjects: Collection[Subject]) -> dict[Subject, int]:
        """The present versions of these subjects, read with one statement for each kind; deleted subjects are
        missing.
        """
        found = dict[Subject, int]()
        with self._engine.connect() as connection:
            for kind in {subject.kind for subject in subjects}:
                key, version = _VERSIONS[kind]
                ids = [subject.id for subject in subjects if subject.kind == kind]
                for each in connection.execute(select(key, version).where(key.in_(ids))):
                    found[Subject(kind, each[0])] = each[1]
        return found


class Wait(NamedTuple):
    """A response without news, and the number of seconds for which to hold it while `subject` keeps this version."""

    subject: Subject
    version: int
    seconds: int
    of: str
    """The player who waits."""
    look: Versions


def preferred(prefer: str) -> int:
    """The seconds of the first `wait` in a `Prefer` header; 0 if there is none."""
    found = _WAIT.search(prefer)
    return min(int(found[1]), LONGEST) if found else 0


def applied(
    environ: WSGIEnvironment,
    look: Versions,
    subject: Subject,
    version: int,
    of: str | None,
    usual: int = 0,
) -> list[tuple[str, str]]:
    """Have the server hold a response without news, if the client prefers that; returns the header that says so.

    It does this only for people who are signed in, not for visitors.
    """
    seconds = preferred(environ.get("HTTP_PREFER", "")) or usual
    may_wait: Callable[[str], bool] | None = environ.get(MAY_WAIT)
    if of is None or not seconds or may_wait is None or not may_wait(of):
        return []
    environ[WAIT] = Wait(subject, version, seconds, of, look)
    return [(APPLIED, f"wait={seconds}")]


def wait_for_news(
    response: Response, subject: Subject, version: int, of: str | None, usual: int = 0
) -> Response:
    """The Flask response without news, which the server holds as the client prefers; without a preference, for the
    `usual` seconds.
    """
    versions = current_app.extensions[VERSIONS]
    response.headers.extend(applied(request.environ, versions, subject, version, of, usual))
    return response
