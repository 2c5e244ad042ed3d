"""What all pages without scripts share: how they are made, and how problems look there."""

from __future__ import annotations

from flask import Blueprint, Response, g, request

from service.core.runtime.problems import CookieOnly, NotFound
from service.core.words.words import Phrases, phrases
from service.web.http.caller.accept_language import preferred_language
from service.web.http.caller.caller import bearer_token, caller
from service.web.http.problem_answers import document
from service.web.page.not_found import wants_html
from service.web.page.rendering import html_answer
from service.web.plain.forms.form_tokens import form_token, set_visitor_cookie

PROBLEM = "application/problem+json"


def plain_blueprint(name: str) -> Blueprint:
    """A blueprint of pages without scripts."""
    made = Blueprint(name, __name__, url_prefix="/plain")
    made.before_request(know_reader)
    made.register_error_handler(NotFound, document)
    made.after_request(set_visitor_cookie)
    made.after_request(as_page)
    return made


def know_reader() -> None:
    """Answer whoever is signed in in the language of their setting. Raises CookieOnly: programs use the API."""
    if bearer_token() is not None:
        raise CookieOnly
    reader = caller()
    if reader is not None:
        g.language = reader.language


def plain_page(template: str, words: Phrases | None = None, **values: object) -> Response:
    """A page made of a template, in the reader's language, with the words of a game if they are given."""
    language = preferred_language()
    shown = {"form_token": form_token, "reader": caller(), **values}
    response = html_answer(f"plain/{template}", language, words or phrases(language), shown)
    response.headers["Vary"] = "Accept-Language, Cookie"
    return response


def see(path: str) -> Response:
    """Send the browser on to this page with a GET."""
    return Response(status=303, headers={"Location": path})


def as_page(response: Response) -> Response:
    """A problem document as a page, if a browser asks."""
    if response.mimetype != PROBLEM or not wants_html():
        return response
    problem, words = response.get_json(), phrases(preferred_language())
    own = words.get(f"page.problem.{problem['type'].rpartition('/')[2]}")
    values = {
        "title": problem["title"],
        "detail": own or problem["detail"],
        "errors": problem.get("errors", {}),
        "enter": "/plain/enter" if response.status_code == 401 else None,
        "then": request.path,
        "hidden": response.status_code == 404 and request.path.startswith("/plain/games/"),
        "back": request.path if request.method == "GET" else None,
    }
    page = html_answer("plain/problem.html", words.language, words, values)
    response.set_data(page.get_data())
    response.mimetype = "text/html"
    return response
