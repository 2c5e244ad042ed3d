"""Waiting for news: `Prefer: wait=30` (RFC 7240) on answers that say that there are none.

The application answers at once, always. What it says of an answer without news is enough for the server to keep it,
without a thread, until there are news; then the request is answered anew. A server that cannot wait, or has no room
for another one, gives the answer that it has, without `Preference-Applied`.
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
"""Seconds; whoever prefers to wait longer waits so long."""
WAIT = "tegami.wait"
"""Where the environment of a request tells the server what its answer waits for: `Wait`."""
MAY_WAIT = "tegami.may-wait"
"""Where the server tells whether it has room for a request of this player that waits."""
APPLIED = "Preference-Applied"
"""The header that tells of it."""
VERSIONS = "tegami.versions"
"""Where an application has its `Versions`."""

_WAIT = re.compile(r"""(?:^|[,;])\s*wait\s*=\s*"?([0-9]{1,9})"?\s*(?=[,;]|$)""", re.IGNORECASE)


class Subject(NamedTuple):
    """What is waited for: the next revision of a `game`, or the next change of a `player`."""

    kind: str
    id: str


_listener, _game = Listener.metadata.tables["listeners"], Game.metadata.tables["games"]
_VERSIONS = {
    "player": (_listener.c.player_id, _listener.c.last),
    "game": (_game.c.id, _game.c.revision),
}


class Versions:
    """The present versions of what is waited for; `engine` is that of the polls, and connects when it is used."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def __call__(self, subjects: Collection[Subject]) -> dict[Subject, int]:
        """One statement for each kind; what is gone is left out."""
        found = dict[Subject, int]()
        with self._engine.connect() as connection:
            for kind in {subject.kind for subject in subjects}:
                key, version = _VERSIONS[kind]
                ids = [subject.id for subject in subjects if subject.kind == kind]
                for each in connection.execute(select(key, version).where(key.in_(ids))):
                    found[Subject(kind, each[0])] = each[1]
        return found


class Wait(NamedTuple):
    """An answer that says nothing new: for how many seconds it is kept unless `subject` leaves this version."""

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
    """Let the server wait with an answer that says nothing new, if the client prefers that: the header that tells.

    Only people wait, and not visitors.
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
    """The same for an answer of Flask; without a preference it waits for the `usual` seconds."""
    versions = current_app.extensions[VERSIONS]
    response.headers.extend(applied(request.environ, versions, subject, version, of, usual))
    return response
