"""The parts that all pages without scripts share: rendering, and the pages for problems."""

from __future__ import annotations

import functools
import re
from datetime import UTC, datetime, tzinfo
from urllib.parse import urlencode

from babel.dates import format_date
from flask import Blueprint, Response, g, request

from service.core.runtime.problems import CookieOnly, KeptApart, NotFound
from service.core.words.words import Phrases, phrases
from service.notifications.mail_texts.times import local_time
from service.people import players
from service.people.accounts.preferences import time_zone
from service.web.http.caller.caller import bearer_token, caller
from service.web.http.caller.context import preferred_language
from service.web.http.problem_answers import document
from service.web.page.not_found import wants_html
from service.web.page.rendering import html_answer
from service.web.plain.forms.form_bodies import ANYWAY, read_fields
from service.web.plain.forms.form_schemas import PLAIN_PAGE
from service.web.plain.forms.form_tokens import FIELD, form_token, set_visitor_cookie

PROBLEM = "application/problem+json"


def plain_blueprint(name: str, url_prefix: str = "/plain") -> Blueprint:
    """A blueprint of pages without scripts."""
    made = Blueprint(name, __name__, url_prefix=url_prefix)
    made.before_request(know_reader)
    made.register_error_handler(NotFound, document)
    made.after_request(set_visitor_cookie)
    made.after_request(as_page)
    return made


def know_reader() -> None:
    """Have the present request answered in the language that the signed-in player has set.

    Raises CookieOnly for a token, because programs have to use the API.
    """
    if bearer_token() is not None:
        raise CookieOnly
    reader = caller()
    if reader is not None:
        g.language = reader.language


def plain_page(template: str, words: Phrases | None = None, **values: object) -> Response:
    """A page rendered from a template, in the reader's language, with the words of a game if they are given."""
    words = words or phrases(preferred_language())
    times = {"at": functools.partial(at, words), "dated": functools.partial(dated, words)}
    shown = {"form_token": form_token, "reader": caller(), **times}
    response = html_answer(f"plain/{template}", words, **(shown | values))
    response.headers["Vary"] = "Accept-Language, Cookie"
    return response


def zone_of_reader() -> tzinfo:
    """The time zone of the reader; UTC for strangers."""
    reader = caller()
    return time_zone(players.get(reader.id)) if reader else UTC


def at(words: Phrases, time: str) -> str:
    """A time from the API, in the reader's time zone."""
    ms = round(datetime.fromisoformat(time).timestamp() * 1000)
    return local_time(ms, zone_of_reader(), words)


def dated(words: Phrases, time: str) -> tuple[str, str]:
    """The day (as on a postmark) and the year of a time from the API, in the reader's time zone."""
    local = datetime.fromisoformat(time).astimezone(zone_of_reader())
    day = format_date(local, words.say("plain.postmark"), locale=words.language)
    return day, str(local.year)


def see(path: str) -> Response:
    """A response that sends the browser to this page with a GET."""
    return Response(status=303, headers={"Location": path})


def _sent() -> dict[str, str]:
    """The fields of the submitted form, for sending them again."""
    return {name: value for name, value in read_fields().items() if name != FIELD}


def _entrance() -> str:
    """The address of the entrance, which leads back to the requested page if that is one of the pages without
    scripts.
    """
    goes_on = re.fullmatch(PLAIN_PAGE, request.path)
    return f"/plain/enter?{urlencode({'then': request.path})}" if goes_on else "/plain/enter"


def as_page(response: Response) -> Response:
    """A problem document as a page, if a browser asks; the page offers what can still be done. Other responses stay
    unchanged.
    """
    if response.mimetype != PROBLEM or not wants_html():
        return response
    problem, words = response.get_json(), phrases(preferred_language())
    is_kept_apart = problem["type"] == f"/problems/{KeptApart.slug}"
    own = words.get(f"page.problem.{problem['type'].rpartition('/')[2]}")
    shown = html_answer(
        "plain/problem.html",
        words,
        title=problem["title"],
        detail=own or problem["detail"],
        errors=problem.get("errors", {}),
        enter=_entrance() if response.status_code == 401 else None,
        then=request.path,
        hidden=response.status_code == 404 and request.path.startswith("/plain/games/"),
        back=request.method == "GET",
        again={**_sent(), ANYWAY: "yes"} if is_kept_apart else None,
        form_token=form_token,
    )
    response.set_data(shown.get_data())
    response.mimetype = "text/html"
    return response
