"""Idle polls: a middleware that answers what it has answered before for the price of one indexed SELECT.

A poll that brings the tag of the present answer needs no session, no replay and no Flask: one statement tells who is
asking, at which table, in which revision. The same statement tells whether somebody at the table, who brings no tag,
asks again for an answer that is kept. Whatever is not certainly the same goes on to the application.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import orjson
from sqlalchemy import Engine, text
from werkzeug.sansio.http import parse_cookie

from service.core.database.quick_queries import QuickQuery
from service.people.credentials.credentials import USE_RECORDED_EVERY, digest
from service.tables.services import Services
from service.tables.views.game_view import etag
from service.tables.views.polling import quietness
from service.web.http.bodies.path_ids import LETTERS, pattern
from service.web.http.caller.accept_language import best_language
from service.web.http.polls.etags import CACHE_CONTROL, VARY
from service.web.http.polls.first_looks import FirstLooks
from service.web.http.polls.waiting import Subject, Versions, applied
from service.web.http.problem_answers import DEFECT
from service.web.http.routes import ROUTE

_PATH = re.compile(rf"/api/games/({pattern(LETTERS['game'])})\Z")
_TAG = re.compile('"[0-9a-f]{20}"')
_QUERY = text("""
SELECT g.revision, g.logged_at, g.private, t.id, c.id, c.seen_at, c.scopes, c.player_id FROM games g
LEFT JOIN credentials c ON c.digest = :digest AND c.ended_at IS NULL AND c.kind = :kind
    AND (c.expires_at IS NULL OR c.expires_at > :now)
LEFT JOIN tenures t ON t.player_id = c.player_id AND t.game_key = g.key AND t.ended_at IS NULL
WHERE g.id = :game
""")


GAME = "/api/games/{game_id}"
"""The route of all that is answered here."""
UNCHANGED = "tegami.unchanged"
"""Where the environment of a request tells the server how long its answer stays the same: `Unchanged`."""


class Unchanged(NamedTuple):
    """The very same request, to the last byte, has the very same answer for as long as `holds`."""

    holds: Callable[[], bool]
    at_once: bool
    """Whether that takes some microseconds: the database is a file, and nobody is waited for."""


class _Question(NamedTuple):
    """What a request for a game asks: which game, with which credential, in which language."""

    game: str
    kind: str
    digest: bytes
    language: str


class _PollRow(NamedTuple):
    """The columns of `_QUERY`."""

    revision: int
    logged_at: int | None
    private: bool
    tenure: str | None
    credential: str | None
    seen_at: int | None
    scopes: str | None
    player: str | None


_CACHING = (("Cache-Control", CACHE_CONTROL), ("Vary", VARY))
_PLAIN = {
    "HTTP_IF_MATCH",
    "HTTP_RANGE",
    "HTTP_TRANSFER_ENCODING",
    "HTTP_INVITATION",
}
"""Headers that a request for a kept answer lacks, for the application looks at them."""


class IdlePolls:
    """Answers idle polls in front of `app`, with these `headers` besides their own.

    `engine` connects only when it is used, which is after the fork.
    """

    def __init__(
        self,
        app: WSGIApplication,
        engine: Engine,
        services: Callable[[], Services],
        headers: list[tuple[str, str]],
        versions: Versions,
    ) -> None:
        self._app, self._services, self._headers = app, services, headers
        self._cookie = services().config.cookie
        self._query = QuickQuery(engine, _QUERY)
        self._looks = FirstLooks(engine, services)
        self._versions = versions
        self._at_once = engine.dialect.name == "sqlite"

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] != "GET" or environ.get("QUERY_STRING"):
            return self._app(environ, start_response)
        path = _PATH.match(environ["PATH_INFO"])
        if path is None:
            return self._app(environ, start_response)
        return self._game(path[1], environ, start_response)

    def _game(
        self, game_id: str, environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes]:
        brought, again = environ.get("HTTP_IF_NONE_MATCH"), _is_plain(environ)
        if not (brought or again):
            return self._app(environ, start_response)
        language = best_language(environ.get("HTTP_ACCEPT_LANGUAGE", ""))
        question = _Question(game_id, *self._credential(environ), language)
        row = self._row(question)
        environ[ROUTE] = GAME
        if row:
            tag = self._tag(row, language)
            own = [("ETag", tag), *_CACHING, ("Content-Language", language)]
            if brought == tag:
                waits = self._waits(environ, game_id, row)
                if not waits:
                    still = Unchanged(partial(self._holds, question, tag), self._at_once)
                    environ[UNCHANGED] = still
                start_response("304 Not Modified", own + waits + self._headers)
                return []
            try:
                shown = self._shown(question, tag) if row.tenure and again else None
            except Exception as defect:  # noqa: BLE001 - the application tells of it
                environ[DEFECT], shown = defect, None
            if shown is not None:
                about = [("Content-Type", "application/json"), ("Content-Length", str(len(shown)))]
                start_response("200 OK", about + own + self._headers)
                return [shown]
        return self._app(environ, start_response)

    def _waits(
        self, environ: WSGIEnvironment, game_id: str, row: _PollRow
    ) -> list[tuple[str, str]]:
        """Let whoever is signed in and prefers it wait for the next revision."""
        if row.player is None or "HTTP_PREFER" not in environ:
            return []
        return applied(environ, self._versions, Subject("game", game_id), row.revision, row.player)

    def _shown(self, question: _Question, tag: str) -> bytes | None:
        """The answer with this tag to somebody who sits at the table; None: the application makes it."""
        answers = self._services().answers
        kept = answers.get(question.game, tag)
        if kept is not None:
            return kept
        try:
            found = self._looks.answer(*question)
        except self._query.errors:
            return None  # a database that is locked or out of reach: the application answers that
        if found is None or found.etag != tag:
            return None
        shown = orjson.dumps(found.whole())
        answers.put(question.game, tag, shown)
        return shown

    def _holds(self, question: _Question, tag: str) -> bool:
        """Whether what this asks for still has this tag."""
        row = self._row(question)
        return row is not None and self._tag(row, question.language) == tag

    def _tag(self, row: _PollRow, language: str) -> str:
        services = self._services()
        quiet = quietness(services.runtime.now(), row.logged_at)
        return etag(row.revision, row.tenure, language, services.heads.public_key, quiet)

    def _row(self, question: _Question) -> _PollRow | None:
        """The row, if this caller may certainly see the game, and nothing is to be noted about the caller."""
        game_id, kind, key, _ = question
        now = self._services().runtime.now()
        values = {"digest": key, "kind": kind, "now": now, "game": game_id}
        try:
            found = self._query.first(values)
        except self._query.errors:
            return None  # a database that is locked or out of reach: the application answers that
        if found is None:
            return None
        row = _PollRow(*found)
        if row.tenure is None and (row.private or kind == "token"):
            return None  # the application decides who may see it, and whether the token is valid
        if kind == "token" and "read" not in (row.scopes or "").split():
            return None  # the application refuses it
        if row.credential and now - (row.seen_at or 0) >= USE_RECORDED_EVERY:
            return None  # the application notes that this person is here
        return row

    def _credential(self, environ: WSGIEnvironment) -> tuple[str, bytes]:
        """The kind and the digest of the caller's credential."""
        authorization = environ.get("HTTP_AUTHORIZATION")
        if authorization:
            scheme, _, secret = authorization.partition(" ")
            return "token", digest(secret.strip()) if scheme.lower() == "bearer" else b""
        cookie = parse_cookie(environ.get("HTTP_COOKIE")).get(self._cookie)
        return ("cookie", digest(cookie)) if cookie else ("none", b"")


def _is_plain(environ: WSGIEnvironment) -> bool:
    """Whether this asks for a game and for nothing else."""
    tag = environ.get("HTTP_IF_NONE_MATCH")
    has_body = environ.get("CONTENT_LENGTH") not in (None, "", "0")
    asks_more = has_body or not _PLAIN.isdisjoint(environ)
    return not asks_more and (tag is None or _TAG.fullmatch(tag) is not None)
