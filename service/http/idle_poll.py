"""Idle polls: a middleware that answers what it has answered before for the price of one indexed SELECT.

A poll that brings the tag of the present answer needs no session, no replay and no Flask: one statement tells who is
asking, at which table, in which revision. The same statement tells whether somebody at the table, who brings no tag,
asks again for an answer that is kept. Whatever is not certainly the same goes on to the application.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from sqlalchemy import Engine, text
from werkzeug.sansio.http import parse_cookie

from service.core.database import QuickQuery
from service.http.accept_language import best_language
from service.http.etags import CACHE_CONTROL, VARY
from service.http.path_ids import LETTERS, pattern
from service.people.credentials import USE_RECORDED_EVERY, digest
from service.shared_services import Services
from service.views.game_view import etag

_PATH = re.compile(rf"/api/games/({pattern(LETTERS['game'])})\Z")
_TAG = re.compile('"[0-9a-f]{20}"')
_QUERY = text("""
SELECT g.revision, g.private, t.id, c.id, c.seen_at, c.scopes FROM games g
LEFT JOIN credentials c ON c.digest = :digest AND c.ended_at IS NULL AND c.kind = :kind
    AND (c.expires_at IS NULL OR c.expires_at > :now)
LEFT JOIN tenures t ON t.player_id = c.player_id AND t.game_key = g.key AND t.ended_at IS NULL
WHERE g.id = :game
""")


class _PollRow(NamedTuple):
    """The columns of `_QUERY`."""

    revision: int
    private: bool
    tenure: str | None
    credential: str | None
    seen_at: int | None
    scopes: str | None


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
    ) -> None:
        self._app, self._services, self._headers = app, services, headers
        self._cookie = services().config.cookie
        self._query = QuickQuery(engine, _QUERY)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] != "GET":
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
        row = self._row(game_id, environ)
        if row:
            language = best_language(environ.get("HTTP_ACCEPT_LANGUAGE", ""))
            tag = etag(row.revision, row.tenure, language, self._services().heads.public_key)
            own = [("ETag", tag), *_CACHING, ("Content-Language", language)]
            if brought == tag:
                start_response("304 Not Modified", own + self._headers)
                return []
            kept = self._services().answers.get(game_id, tag) if row.tenure and again else None
            if kept is not None:
                about = [("Content-Type", "application/json"), ("Content-Length", str(len(kept)))]
                start_response("200 OK", about + own + self._headers)
                return [kept]
        return self._app(environ, start_response)

    def _row(self, game_id: str, environ: WSGIEnvironment) -> _PollRow | None:
        """The row, if this caller may certainly see the game, and nothing is to be noted about the caller."""
        kind, key = self._credential(environ)
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
    asks_more = environ.get("QUERY_STRING") or has_body or not _PLAIN.isdisjoint(environ)
    return not asks_more and (tag is None or _TAG.fullmatch(tag) is not None)
