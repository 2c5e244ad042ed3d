"""Idle polls: a middleware that answers 304 for the price of one indexed SELECT.

A poll that brings the tag of the present answer needs no session, no replay and no Flask: who is asking, at which
table, in which revision is one statement. Whatever is not certainly unchanged goes on to the application.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.http import parse_cookie

from service.answers import etag
from service.people import SEEN_EVERY, digest
from service.words import preferred

_PATH = re.compile(r"/api/games/(g_[0-9A-Za-z]{22})\Z")
_QUERY = """
SELECT g.revision, g.private, t.id, c.id, c.seen_at FROM games g
LEFT JOIN credentials c ON c.digest = {0} AND c.ended_at IS NULL AND c.kind = {0}
LEFT JOIN tenures t ON t.player_id = c.player_id AND t.game_key = g.key AND t.ended_at IS NULL
WHERE g.id = {0}
"""
_NOBODY = ("none", b"")


class IdlePolls:
    """`app` behind a door that turns away whoever has seen everything. `engine` is made late: after the fork."""

    def __init__(self, app: Any, engine: Engine, cookie: str, now: Callable[[], int]) -> None:
        self._app, self._engine, self._cookie, self._now = app, engine, cookie, now
        self._errors = (SQLAlchemyError, engine.dialect.loaded_dbapi.Error)
        """A database that is locked or out of reach: the application says so."""
        self._query = _QUERY.format("?" if engine.dialect.name == "sqlite" else "%s")

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        tag = environ.get("HTTP_IF_NONE_MATCH")
        if tag and environ["REQUEST_METHOD"] == "GET":
            path = _PATH.match(environ["PATH_INFO"])
            if path and self._unchanged(path[1], tag, environ):
                start_response("304 Not Modified", _headers(tag, environ))
                return []
        return self._app(environ, start_response)  # type: ignore[no-any-return]

    def _unchanged(self, game_id: str, tag: str, environ: dict[str, Any]) -> bool:
        kind, key = self._credential(environ)
        row = self._row((key, kind, game_id))
        if row is None:
            return False
        revision, private, tenure, credential, seen_at = row
        if tenure is None and (private or kind == "token"):
            return False  # who may see it, and whether the token is one, the application says
        if credential and self._now() - (seen_at or 0) >= SEEN_EVERY:
            return False  # the application notes that this person is here
        return tag == etag(revision, tenure, _language(environ))

    def _credential(self, environ: dict[str, Any]) -> tuple[str, bytes]:
        authorization = environ.get("HTTP_AUTHORIZATION")
        if authorization:
            scheme, _, secret = authorization.partition(" ")
            return "token", digest(secret.strip()) if scheme.lower() == "bearer" else b""
        cookie = parse_cookie(environ.get("HTTP_COOKIE")).get(self._cookie)
        return ("cookie", digest(cookie)) if cookie else _NOBODY

    def _row(self, parameters: tuple[bytes, str, str]) -> Any:
        try:
            connection = self._engine.raw_connection()
        except self._errors:
            return None
        try:
            cursor = connection.cursor()
            cursor.execute(self._query, parameters)
            return cursor.fetchone()
        except self._errors:
            connection.invalidate()
            return None
        finally:
            connection.close()


def _language(environ: dict[str, Any]) -> str:
    return preferred(environ.get("HTTP_ACCEPT_LANGUAGE", ""))


def _headers(tag: str, environ: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        ("ETag", tag),
        ("Cache-Control", "private, no-cache"),
        ("Vary", "Cookie, Authorization, Accept-Language, Invitation"),
        ("Content-Language", _language(environ)),
    ]
