"""Problem documents (RFC 9457) for all errors; the document of a crash reveals nothing except that it happened."""

from __future__ import annotations

import structlog
from flask import Flask, Response, g, jsonify, request
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from werkzeug.exceptions import HTTPException

from service.core.database.database import forget_changes, has_changed
from service.core.database.failures import BUSY, SchemaIsNewer, cause_of, is_of_some_rows
from service.core.runtime import problems
from service.core.runtime.log_files import failure
from service.core.runtime.problems import MissingScope, NotSignedIn, Problem
from service.core.words.words import phrases
from service.web.http import held_rows, outages
from service.web.http.caller.context import current_services, preferred_language
from service.web.http.headers.request_ids import id_of

_log = structlog.get_logger("tegami.web")
_BY_STATUS: dict[int | None, type[Problem]] = {
    400: problems.MalformedJson,
    404: problems.UnknownPath,
    405: problems.MethodNotAllowed,
    413: problems.BodyTooLarge,
    415: problems.UnsupportedMediaType,
}


def register(app: Flask) -> None:
    """Have `app` answer every error with a problem document."""
    app.before_request(forget_changes)
    app.register_error_handler(Problem, document)
    app.register_error_handler(HTTPException, from_werkzeug)
    app.register_error_handler(OperationalError, unavailable)
    app.register_error_handler(InterfaceError, unavailable)
    app.register_error_handler(SchemaIsNewer, being_updated)
    app.register_error_handler(Exception, crashed)


def document(problem: Problem) -> Response:
    """The response with the problem document."""
    language = preferred_language()
    words = phrases(language)
    g.problem = problem.slug  # for the audit log
    response = jsonify(
        {
            "type": f"/problems/{problem.slug}",
            "title": words.say(f"problem.{problem.slug}.title"),
            "status": problem.status,
            "detail": words.say(f"problem.{problem.slug}.{problem.detail}", problem.fields),
            **problem.more,
            "request_id": id_of(request.environ),
        }
    )
    response.status_code = problem.status
    response.mimetype = "application/problem+json"
    response.headers["Content-Language"] = language
    response.headers.extend(problem.headers)
    if problem.status == 401 or isinstance(problem, MissingScope):
        response.headers["WWW-Authenticate"] = challenge(problem)
    return response


def challenge(problem: Problem) -> str:
    """The value of `WWW-Authenticate`: the credentials that a program has to send, and what is wrong with those it sent
    (RFC 6750, 3).
    """
    said = ['realm="Tegami"']
    why = problem.more.get("why", "missing") if isinstance(problem, NotSignedIn) else "missing"
    if why != "missing":
        said += ['error="invalid_token"', f'error_description="The token is {why}"']
    if isinstance(problem, MissingScope):
        said.append('error="insufficient_scope"')
        said += [f'scope="{problem.more["scope"]}"'] if problem.more.get("scope") else []
    return f"Bearer {', '.join(said)}"


def from_werkzeug(error: HTTPException) -> Response:
    """The response to an error of routing, or of reading the body."""
    problem = _BY_STATUS.get(error.code)
    if problem is None:
        return crashed(error)
    allow = dict(error.get_headers()).get("Allow") if error.code == 405 else None
    return document(problem({"Allow": allow} if allow else None))


def unavailable(error: DBAPIError) -> Response:
    """The response if the database or a row is locked or out of reach: nothing was changed, and the caller can try
    again.
    """
    if is_of_some_rows(error):
        held_rows.met()
        return _not_done()
    if cause_of(error) == BUSY:
        held_rows.met_whole()
    about = {"error": type(error).__name__, "route": _route()}
    outages.current_outages().met(cause_of(error), current_services().now(), **about)
    return _not_done()


def being_updated(error: SchemaIsNewer) -> Response:
    """The response if a newer release has been installed and this process is about to end: nothing was changed."""
    outages.current_outages().met(error.cause, current_services().now(), route=_route())
    return _not_done("10", "updating")


def _not_done(after: str = "5", detail: str = "detail") -> Response:
    """The response that says that nothing was changed, or of a crash if the failure came after a change, for example
    while the response was made.
    """
    refused = problems.Unavailable({"Retry-After": after}, detail)
    return document(Problem() if has_changed() else refused)


def crashed(error: Exception) -> Response:
    """The response to a defect. The log has the kind of error and its place, never a value, which may be a card."""
    game_id = (request.view_args or {}).get("game_id")
    _log.error("crash", **failure(error, game_id), route=_route())
    return document(Problem())


def _route() -> str | None:
    return str(request.url_rule) if request.url_rule else None
