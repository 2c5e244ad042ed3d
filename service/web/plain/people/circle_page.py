"""A circle without scripts: its tables, talk, members and results."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response

import rules
from rules.kernel import Json
from service.core.words.words import phrases
from service.people.circles import circle_members, circle_results, circle_talk, circles
from service.people.circles.circles import Membership
from service.people.circles.series import series
from service.tables.before_start import weekly_tables
from service.tables.talk import reported_messages
from service.tables.views import game_lists
from service.tables.views.series import series_view
from service.web.api.people.circle_talk import message_json
from service.web.api.people.circles import circle_json
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.bodies.cursors import seal
from service.web.http.caller.caller import caller_id, signed_in_by_cookie
from service.web.http.caller.context import current_services, preferred_language
from service.web.http.limits.rate_limits import limited
from service.web.plain.forms.circle_schemas import CircleQuery, InCircle
from service.web.plain.forms.form_bodies import limit_of_deed, parse_form
from service.web.plain.forms.sent_once import new_key
from service.web.plain.plain_pages import plain_blueprint, plain_page, see

bp: Blueprint = plain_blueprint("plain_circle")

PAGE = 30
"""The number of messages, and of tables of each status, on one page."""

_LIMITS = {"report": "reports"} | dict.fromkeys(
    ("change", "new-link", "hand-over", "remove", "let-return", "remove-weekly", "leave", "end"),
    "circles",
)
"""The limits that actions other than messages count for, as in the API."""


@bp.get("/circles/<circle:circle_id>")
@parse_query(CircleQuery)
def get_plain_circle(query: Json, circle_id: str) -> Response:
    """Show a circle to one of its members. Raises NotSignedIn, NotFound."""
    me, language = caller_id(), preferred_language()
    mine = circles.membership(circle_id, me)
    words = phrases(language)
    said, following = circle_talk.page(mine, query.get("cursor"), PAGE)
    return plain_page(
        "circle.html",
        circle=circle_json(mine),
        here=f"/plain/circles/{circle_id}",
        tables={each: _tables(mine, each) for each in ("open", "running", "over")},
        series=series_view.summaries(
            [each for each in series.of_circle(mine.circle.key) if each.status != "over"], language
        ),
        results=circle_results.results(mine.circle, None),
        said=[message_json(row, me, words) for row in said],
        next=seal(following),
        games=[
            {"slug": each, "name": phrases(language, each).say("name")} for each in rules.slugs()
        ],
        new_key=new_key,
    )


def _tables(mine: Membership, status: str) -> list[Json]:
    wish = {"circle": mine.circle.key, "mine": False, "status": status, "limit": PAGE}
    return game_lists.games(mine.player_id, preferred_language(), wish)[0]


@bp.post("/circles/<circle:circle_id>")
@limited("messages", other=limit_of_deed(_LIMITS))
@signed_in_by_cookie
@parse_form(InCircle)
def change_plain_circle(body: Json, circle_id: str) -> Response:
    """Say something, or do what members and hosts can do. Raises whatever the use cases raise."""
    here = f"/plain/circles/{circle_id}"
    return see(_DONE[body["do"]](circle_id, caller_id(), body) or here)


def _say(circle_id: str, me: str, body: Json) -> None:
    """Post a message, and store that everything before it has been read, as at tables."""
    row, _ = circle_talk.post(current_services(), circle_id, me, body)
    circle_talk.mark_read(circle_id, me, row.number)


def _hide(circle_id: str, me: str, body: Json) -> None:
    circle_talk.hide(current_services(), circle_id, me, body["message"])


def _report(circle_id: str, me: str, body: Json) -> None:
    reported_messages.report(current_services(), circle_id, me, body["message"], body.get("why"))


def _remove(circle_id: str, me: str, body: Json) -> None:
    circle_members.leave(current_services(), circle_id, me, body["member"])


def _let_return(circle_id: str, me: str, body: Json) -> None:
    circle_members.let_return(circle_id, me, body["member"])


def _hand_over(circle_id: str, me: str, body: Json) -> None:
    circles.hand_over(circle_id, me, body["member"])


def _change(circle_id: str, me: str, body: Json) -> None:
    circles.change(circle_id, me, {"name": body["name"], "about": body.get("about")})


def _remove_weekly(circle_id: str, me: str, body: Json) -> None:
    weekly_tables.remove(current_services(), circle_id, me, body["weekly"])


def _new_link(circle_id: str, me: str, _body: Json) -> None:
    circles.change_link(circle_id, me)


def _leave(circle_id: str, me: str, _body: Json) -> str:
    mine = circles.membership(circle_id, me)
    circle_members.leave(current_services(), circle_id, me, mine.id)
    return "/plain/people"


def _end(circle_id: str, me: str, _body: Json) -> str:
    circles.end(current_services(), circle_id, me)
    return "/plain/people"


_DONE: dict[str, Callable[[str, str, Json], str | None]] = {
    "say": _say,
    "hide": _hide,
    "report": _report,
    "remove": _remove,
    "let-return": _let_return,
    "hand-over": _hand_over,
    "change": _change,
    "remove-weekly": _remove_weekly,
    "new-link": _new_link,
    "leave": _leave,
    "end": _end,
}
"""The functions for the actions, by name. Each returns the page to which to send the browser; None means the circle's
page.
"""
