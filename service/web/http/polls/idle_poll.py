"""Idle polls: a poll of a game with the tag of the present response is a 304, for the price of one indexed SELECT.

It needs no session, no replay and no Flask: one statement says who is asking, at which table, and in which revision.
The application's own functions then decide what follows from that. Anything that may have changed goes to the
application.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from sqlalchemy import Engine, bindparam, select
from werkzeug.sansio.http import parse_cookie

from rules.kernel import Json
from service.core.database.quick_queries import QuickQuery
from service.core.models.games import Game, Tenure
from service.log.table_rows import private_tables
from service.people.credentials import credentials
from service.tables.services import Services
from service.tables.views.game_view import Version, etag
from service.web.http.bodies.path_ids import LETTERS, pattern
from service.web.http.caller.caller import Presented, presented
from service.web.http.caller.context import best_language
from service.web.http.caller.left_behind import is_untold
from service.web.http.polls import etags
from service.web.http.polls.game_answers import SCOPE
from service.web.http.polls.waiting import Subject, Versions, applied
from service.web.http.routes import ROUTE

POLLS = "tegami.polls"
"""The key under which an application holds its `IdlePolls`."""
GAME = "/api/games/{game_id}"
"""The route of all requests that are answered here."""
_LOOKED = "tegami.looked"
"""The key that marks, in the environment of a request, that it was found not to be an idle poll."""
_PATH = re.compile(rf"/api/games/{pattern(LETTERS['game'])}\Z")
_game, _tenure = Game.metadata.tables["games"], Tenure.metadata.tables["tenures"]
_CALLING = credentials.CALLING.c
_QUERY = (
    select(
        *(_game.c.revision, _game.c.head, _game.c.logged_at, _game.c.rest, _game.c.private),
        *(_CALLING.id, _CALLING.seen_at, _CALLING.scopes, _CALLING.player_id),
        *(_tenure.c.id.label("tenure"), _tenure.c.ended_at.label("left_at")),
    )
    .select_from(_game)
    .outerjoin(credentials.CALLING, credentials.VALID)
    .outerjoin(
        _tenure,
        (_tenure.c.player_id == _CALLING.player_id) & (_tenure.c.game_key == _game.c.key),
    )
    .where(_game.c.id == bindparam("game"))
)
"""The query: one row for each tenure that the caller has had at the table, or a single row without any."""


class _PollRow(NamedTuple):
    """A row of `_QUERY`."""

    revision: int
    head: bytes | None
    logged_at: int | None
    rest: Json | None
    private: bool
    credential: str | None
    seen_at: int | None
    scopes: str | None
    player: str | None
    tenure: str | None
    left_at: int | None


class IdlePolls:
    """Answers idle polls in front of `app`, with these `headers` in addition to their own.

    `engine` connects at its first use, which is after the fork.
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
        self._query = QuickQuery(engine, _QUERY)
        self._versions = versions
        self.takes_no_time = engine.dialect.name == "sqlite"
        """Whether the statement takes only microseconds, because the database is a file in which no reader waits."""

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        told = None if _LOOKED in environ else self.unchanged(environ)
        if told is None:
            return self._app(environ, start_response)
        start_response("304 Not Modified", told)
        return []

    def may_be(self, environ: WSGIEnvironment) -> bool:
        """Whether this may be an idle poll.

        A request with a query may have to be refused, and pages of other sites get more headers.
        """
        return (
            "HTTP_IF_NONE_MATCH" in environ
            and environ["REQUEST_METHOD"] == "GET"
            and not environ.get("QUERY_STRING")
            and "HTTP_ORIGIN" not in environ
            and _PATH.match(environ["PATH_INFO"]) is not None
        )

    def unchanged(self, environ: WSGIEnvironment) -> list[tuple[str, str]] | None:
        """The headers of the 304; None if the application has to answer, which then need not come back here."""
        environ[_LOOKED] = True
        if not self.may_be(environ):
            return None
        services, subject = self._services(), Subject("game", environ["PATH_INFO"].split("/")[3])
        now, brought = services.now(), environ["HTTP_IF_NONE_MATCH"]
        cookies = parse_cookie(environ.get("HTTP_COOKIE"))
        who = presented(environ.get("HTTP_AUTHORIZATION", ""), cookies.get(services.config.cookie))
        row = self._row(subject.id, who, now)
        language = best_language(environ.get("HTTP_ACCEPT_LANGUAGE", ""))
        key = services.heads.public_key
        if row is None:
            return None
        if row.credential is None and is_untold(services.config, cookies, by_script=True):
            return None  # the application tells the browser that its sign-in has ended
        version = Version(row.revision, row.head, row.logged_at, row.rest)
        if etag(version, row.tenure, language, key, now) != brought:
            return None
        environ[ROUTE] = GAME
        waits = applied(environ, self._versions, subject, row.revision, row.player)
        return [*etags.headers_of(brought), *waits, *self._headers]

    def _row(self, game_id: str, who: Presented | None, now: int) -> _PollRow | None:
        """The row, if this caller certainly may see the game and nothing has to be recorded about the caller; otherwise
        None.
        """
        secret, kind = (who.secret, who.kind) if who else (None, None)
        try:
            found = self._query.all({**credentials.values_of(secret, kind, now), "game": game_id})
        except self._query.errors:
            return None  # the database is locked or out of reach: the application answers that
        row = next((row for row in map(_PollRow._make, found) if row.left_at is None), None)
        if row is None or not private_tables.is_open_to(row.private, row.tenure):
            return None  # no such game, or it depends: people who have left are shown more than strangers
        if kind == "token" and not credentials.may(row.scopes, SCOPE):
            return None  # nor has an unknown token any scopes
        if row.credential and credentials.is_use_due(row.seen_at, now):
            return None
        return row
