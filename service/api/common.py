"""What endpoints share: who is calling, what they sent, and the tools of the application."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

import orjson
from flask import Response, current_app, g, jsonify, request
from marshmallow import ValidationError

from rules.kernel import Json
from service import people, seats
from service.answers import GameAnswer, Viewer
from service.config import Config
from service.database import db
from service.log import States
from service.outside import Outside
from service.passwords import Passwords
from service.problems import (
    CookieOnly,
    CrossSite,
    InvalidBody,
    InvalidQuery,
    MalformedJson,
    NotSignedIn,
    UnsupportedMediaType,
)
from service.schemas import Body
from service.table import Table, find_visible, invitation
from service.words import preferred

F = TypeVar("F", bound=Callable[..., Any])
SAFE = {"GET", "HEAD", "OPTIONS"}
BY_LINK = {
    "mail.unsubscribe",
    "moves.play_move",
    "votes.cast_ballot",
    "invitations.refuse_invitation",
}
"""Endpoints that look at a signed link and at no cookie: mail programs send it from anywhere (RFC 8058)."""
PRIVATE = "private, no-cache"
VARY = "Cookie, Authorization, Accept-Language, Invitation"


class Tools(NamedTuple):
    """What an application was made with."""

    config: Config
    outside: Outside
    states: States
    passwords: Passwords


def tools() -> Tools:
    """The tools of the present application."""
    found: Tools = current_app.extensions["tegami"]
    return found


def language() -> str:
    """The language that the caller likes best."""
    return preferred(request.headers.get("Accept-Language", ""))


def bearer() -> str | None:
    """The bearer token of this request, if it has one."""
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if kind.lower() == "bearer" else None


def caller() -> Any | None:
    """The player who calls, or None. Raises NotSignedIn for a token that is not (or no longer) one."""
    if "caller" not in g:
        g.caller = _caller()
    return g.caller


def _caller() -> Any | None:
    token = bearer()
    if token is not None:
        return people.who(token, "token")
    secret = request.cookies.get(tools().config.cookie)
    try:
        return people.who(secret, "cookie") if secret else None
    except NotSignedIn:
        return None  # a sign-in that has ended: a visitor again


def player_id() -> str:
    """The id of the player who calls. Raises NotSignedIn."""
    player = caller()
    if player is None:
        raise NotSignedIn
    found: str = player.id
    return found


def signed_in(endpoint: F) -> F:
    """Only for people who are signed in."""

    @functools.wraps(endpoint)
    def checked(*args: Any, **kwargs: Any) -> Any:
        player_id()
        return endpoint(*args, **kwargs)

    return checked  # type: ignore[return-value]


def by_cookie(endpoint: F) -> F:
    """Only for people who are signed in by cookie: a token may not change how its player signs in."""

    @functools.wraps(endpoint)
    def checked(*args: Any, **kwargs: Any) -> Any:
        player_id()
        if bearer() is not None:
            raise CookieOnly
        return endpoint(*args, **kwargs)

    return checked  # type: ignore[return-value]


def takes(schema: type[Body]) -> Callable[[F], F]:
    """Hand the parsed body to the endpoint as its first argument.

    Raises UnsupportedMediaType, MalformedJson, InvalidBody.
    """

    def decorated(endpoint: F) -> F:
        @functools.wraps(endpoint)
        def checked(*args: Any, **kwargs: Any) -> Any:
            try:
                return endpoint(schema().load(sent()), *args, **kwargs)
            except ValidationError as error:
                raise InvalidBody(errors=flat(error)) from None

        return checked  # type: ignore[return-value]

    return decorated


def asks(schema: type[Body]) -> Callable[[F], F]:
    """Hand the parsed query to the endpoint as its first argument. Raises InvalidQuery."""

    def decorated(endpoint: F) -> F:
        @functools.wraps(endpoint)
        def checked(*args: Any, **kwargs: Any) -> Any:
            try:
                return endpoint(schema().load(request.args.to_dict()), *args, **kwargs)
            except ValidationError as error:
                raise InvalidQuery(errors=flat(error)) from None

        return checked  # type: ignore[return-value]

    return decorated


def sent() -> Json:
    """The JSON object that was sent; an empty body is an empty object."""
    data = request.get_data()
    if not data:
        return {}
    if request.mimetype != "application/json":
        raise UnsupportedMediaType
    try:
        body = orjson.loads(data)
        json.loads(data, object_pairs_hook=each_once)
    except (ValueError, RecursionError):
        raise MalformedJson from None
    if not isinstance(body, dict):
        raise InvalidBody(errors={"body": ["An object is expected."]})
    return body


def each_once(pairs: list[tuple[str, Any]]) -> None:
    """Raises ValueError for a member that occurs twice: readers differ in which of them they take."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a member occurs twice")


def flat(error: ValidationError) -> dict[str, list[str]]:
    """What is wrong, by member; `body` is the whole of it."""
    found = error.normalized_messages().items()  # type: ignore[no-untyped-call]
    return {"body" if name == "_schema" else str(name): _messages(told) for name, told in found}


def _messages(told: Any) -> list[str]:
    if isinstance(told, dict):
        return [message for each in told.values() for message in _messages(each)]
    return [str(each) for each in told]


def refuse_other_sites() -> None:
    """A browser without a token may change things from our own pages alone. Raises CrossSite."""
    if request.method in SAFE or bearer() or request.endpoint in BY_LINK:
        return
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    if site is not None:
        allowed = site in {"same-origin", "none"}
    else:
        ours = {request.host, urlsplit(tools().config.public_url).netloc}
        allowed = origin is None or origin.partition("://")[2] in ours
    if not allowed:
        raise CrossSite


def visible(game_id: str) -> Table:
    """The table, if the caller may see it. Raises NotFound."""
    player, key = caller(), request.headers.get("Invitation")
    return find_visible(game_id, player and player.id, key, tools().config.secret_key)


def game_answer(table: Table, state: Any = None) -> GameAnswer:
    """The table as the caller may see it; the state is loaded if there is one and it is not given."""
    if state is None and table.game.number:
        state = tools().states.load(db.session, table.game)
    player, config, asked_for = caller(), tools().config, None
    if table.game.private:
        key = invitation(table.game.id, config.secret_key)
        link = f"{config.public_url}/#/games/{table.game.id}?invitation={key}"
        asked_for = {"url": link, "key": key}
    held = seats.held_by(table, player and player.id)
    viewer = Viewer(player and player.id, language(), config.poll_after, asked_for, held)
    return GameAnswer(table, state, viewer)


def tagged(body: Json, tag: str) -> Response:
    """An answer that can be polled: 304 if the caller has it already."""
    response = jsonify(body)
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = PRIVATE
    response.headers["Vary"] = VARY
    response.make_conditional(request)
    return response
