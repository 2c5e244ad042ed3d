"""Every error leaves as a problem document (RFC 9457); a crash tells nobody anything but that it happened."""

from __future__ import annotations

from typing import Any

import structlog
from flask import Flask, Response, jsonify, request
from flask_limiter import RateLimitExceeded
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from werkzeug.exceptions import HTTPException

from service.api.common import language
from service.database import db
from service.problems import (
    BodyTooLarge,
    MalformedJson,
    MethodNotAllowed,
    NotFound,
    Problem,
    TooManyRequests,
    Unavailable,
    UnsupportedMediaType,
)
from service.words import phrases

_log = structlog.get_logger("tegami.web")
_BY_STATUS: dict[int | None, type[Problem]] = {
    400: MalformedJson,
    404: NotFound,
    405: MethodNotAllowed,
    413: BodyTooLarge,
    415: UnsupportedMediaType,
}


def register(app: Flask) -> None:
    """Answer every error of `app` with a problem document."""
    app.register_error_handler(Problem, document)
    app.register_error_handler(RateLimitExceeded, too_many)
    app.register_error_handler(HTTPException, from_werkzeug)
    app.register_error_handler(OperationalError, unavailable)
    app.register_error_handler(InterfaceError, unavailable)
    app.register_error_handler(Exception, crashed)


def document(problem: Problem) -> Response:
    """The problem document."""
    chosen = language()
    words = phrases(chosen)
    body: dict[str, Any] = {
        "type": f"/problems/{problem.slug}",
        "title": words.say(f"problem.{problem.slug}.title"),
        "status": problem.status,
        "detail": words.say(f"problem.{problem.slug}.detail"),
        **problem.more,
    }
    response = jsonify(body)
    response.status_code = problem.status
    response.mimetype = "application/problem+json"
    response.headers["Content-Language"] = chosen
    response.headers.extend(problem.headers)
    if problem.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def from_werkzeug(error: HTTPException) -> Response:
    """What routing and reading the body refuse."""
    problem = _BY_STATUS.get(error.code)
    if problem is None:
        return crashed(error)
    allow = dict(error.get_headers()).get("Allow") if error.code == 405 else None
    return document(problem({"Allow": allow} if allow else None))


def too_many(error: RateLimitExceeded) -> Response:
    """Over a limit; the limiter adds `Retry-After`."""
    return document(TooManyRequests())


def unavailable(error: DBAPIError) -> Response:
    """The database is locked or out of reach: nothing was changed, try again."""
    db.session.rollback()
    _log.error("database", error=type(error).__name__, route=_route())
    return document(Unavailable({"Retry-After": "5"}))


def crashed(error: Exception) -> Response:
    """A defect. The log names the kind of error and where it was raised, never a value: values hold cards."""
    db.session.rollback()
    _log.error("crash", error=type(error).__name__, at=places(error), route=_route())
    return document(Problem())


def places(error: BaseException) -> list[str]:
    """File and line of every frame, without the line's text and values."""
    found, trace = [], error.__traceback__
    while trace is not None:
        found.append(f"{trace.tb_frame.f_code.co_qualname}:{trace.tb_lineno}")
        trace = trace.tb_next
    return found


def refuse_large_bodies() -> None:
    """A body that says it is too large is refused unread, one in chunks as soon as it is. Raises BodyTooLarge."""
    too_many = request.max_content_length
    if too_many is None:
        return
    if (request.content_length or 0) >= too_many or len(request.get_data()) >= too_many:
        raise BodyTooLarge


def _route() -> str | None:
    return str(request.url_rule) if request.url_rule else None
