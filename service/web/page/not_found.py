"""Pages for addresses that do not exist and for incomplete links; programs get the problem document."""

from __future__ import annotations

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from service.core.runtime.problems import InvalidQuery, NotFound, UnknownPath
from service.web.http.problem_answers import document
from service.web.http.unknown_paths import nearest_paths
from service.web.page.rendering import page

TYPES = ["application/problem+json", "text/html"]


def register(app: Flask) -> None:
    """Have `app` answer requests for anything that does not exist."""
    app.register_error_handler(404, not_found)
    app.register_error_handler(NotFound, not_found)
    app.register_error_handler(InvalidQuery, wrong_query)


def not_found(error: HTTPException | NotFound) -> Response:
    """A page for browsers outside the API, otherwise the problem document."""
    if not request.path.startswith("/api/") and wants_html():
        return page("not_found.html", status=404)
    return document(error if isinstance(error, NotFound) else _of_path())


def wrong_query(error: InvalidQuery) -> Response:
    """A page for browsers after an invalid query, because some mail programs cut off the end of a link; otherwise the
    problem document.
    """
    if not request.path.startswith("/api/") and wants_html():
        return page("link_not_found.html", status=error.status)
    return document(error)


def _of_path() -> NotFound:
    """The problem of a path for which there is no response: either the thing that it names does not exist, or there is
    no such path.
    """
    nearest = nearest_paths(request.path)
    return NotFound() if nearest is None else UnknownPath(nearest=nearest)


def wants_html() -> bool:
    """Whether the caller prefers a page to a problem document."""
    return request.accept_mimetypes.best_match(TYPES) == "text/html"
