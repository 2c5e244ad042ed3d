"""Idle polls: a middleware that answers 304 for the price of one indexed SELECT.

A poll that brings the tag of the present answer needs no session, no replay and no Flask: one statement tells who is
asking, at which table, in which revision. Whatever is not certainly unchanged goes on to the application.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.sansio.http import parse_cookie

from service.http.accept_language import best_language
from service.http.etags import CACHE_CONTROL, VARY
from service.http.path_ids import LETTERS, pattern
from service.people.credentials import USE_RECORDED_EVERY, digest
from service.views.game_view import etag

_PATH = re.compile(rf"/api/games/({pattern(LETTERS['game'])})\Z")
_QUERY = """
SELECT g.revision, g.private, t.id, c.id, c.seen_at, c.scopes FROM games g
LEFT JOIN credentials c ON c.digest = {0} AND c.ended_at IS NULL AND c.kind = {0}
    AND (c.expires_at IS NULL OR c.expires_at > {0})
LEFT JOIN tenures t ON t.player_id = c.player_id AND t.game_key = g.key AND t.ended_at IS NULL
WHERE g.id = {0}
"""


class _PollRow(NamedTuple):
    """The columns of `_QUERY`."""

    revision: int
    private: bool
    tenure: str | None
    credential: str | None
    seen_at: int | None
    scopes: str | None


class IdlePolls:
    """Answers idle polls in front of `app`; `key` is the public key of signed heads.

    `engine` connects only when it is used, which is after the fork.
    """

    def __init__(
        self,
        app: WSGIApplication,
        engine: Engine,
        cookie: str,
        now: Callable[[], int],
        key: bytes,
    ) -> None:
        self._app, self._engine, self._cookie, self._now, self._key = app, engine, cookie, now, key
        self._errors = (SQLAlchemyError, engine.dialect.loaded_dbapi.Error)
        """A database that is locked or out of reach: the application answers that."""
        self._query = _QUERY.format("?" if engine.dialect.name == "sqlite" else "%s")

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        tag = environ.get("HTTP_IF_NONE_MATCH")
        if tag and environ["REQUEST_METHOD"] == "GET":
            path = _PATH.match(environ["PATH_INFO"])
            if path and self._unchanged(path[1], tag, environ):
                start_response("304 Not Modified", _headers(tag, environ))
                return []
        return self._app(environ, start_response)

    def _unchanged(self, game_id: str, tag: str, environ: WSGIEnvironment) -> bool:
        kind, key = self._credential(environ)
        row = self._row((key, kind, self._now(), game_id))
        if row is None:
            return False
        if row.tenure is None and (row.private or kind == "token"):
            return False  # the application decides who may see it, and whether the token is valid
        if kind == "token" and "read" not in (row.scopes or "").split():
            return False  # the application refuses it
        if row.credential and self._now() - (row.seen_at or 0) >= USE_RECORDED_EVERY:
            return False  # the application notes that this person is here
        return tag == etag(row.revision, row.tenure, _language(environ), self._key)

    def _credential(self, environ: WSGIEnvironment) -> tuple[str, bytes]:
        """The kind and the digest of the caller's credential."""
        authorization = environ.get("HTTP_AUTHORIZATION")
        if authorization:
            scheme, _, secret = authorization.partition(" ")
            return "token", digest(secret.strip()) if scheme.lower() == "bearer" else b""
        cookie = parse_cookie(environ.get("HTTP_COOKIE")).get(self._cookie)
        return ("cookie", digest(cookie)) if cookie else ("none", b"")

    def _row(self, parameters: tuple[bytes, str, int, str]) -> _PollRow | None:
        try:
            connection = self._engine.raw_connection()
        except self._errors:
            return None
        try:
            cursor = connection.cursor()
            cursor.execute(self._query, parameters)
            found = cursor.fetchone()
            return None if found is None else _PollRow(*found)
        except self._errors:
            connection.invalidate()
            return None
        finally:
            connection.close()


def _language(environ: WSGIEnvironment) -> str:
    return best_language(environ.get("HTTP_ACCEPT_LANGUAGE", ""))


def _headers(tag: str, environ: WSGIEnvironment) -> list[tuple[str, str]]:
    return [
        ("ETag", tag),
        ("Cache-Control", CACHE_CONTROL),
        ("Vary", VARY),
        ("Content-Language", _language(environ)),
    ]
