"""Links in emails with which a player plans a vacation, or cancels it. A GET shows it, and a POST changes it."""

from __future__ import annotations

from urllib.parse import urlencode

from flask import Blueprint, Response
from marshmallow import ValidationError

from rules.kernel import Json
from service.core.runtime.problems import InvalidVacation, Problem
from service.core.words.words import Phrases, phrases
from service.notifications.mail_texts.mail_links import LinkedSeat, read_purpose_link
from service.people import players
from service.people.accounts.preferences import time_zone
from service.tables.clocks import vacations
from service.tables.clocks.vacations import Days
from service.web.api.people.people_schemas import day
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.caller.context import current_services
from service.web.http.headers.cross_site import from_anywhere
from service.web.links.link_schemas import DatesQuery, VacationQuery
from service.web.links.questions import Button, Question, ask, attempted, speak_to
from service.web.page.game_page import html_not_found

bp = Blueprint("vacation_link", __name__, url_prefix="/vacations")


@bp.get("/<token>")
@html_not_found
@parse_query(DatesQuery)
def get_vacation(query: Json, token: str) -> Response:
    """Show a planned vacation, or ask for its days; if the days are given, ask whether to plan them. Nothing is
    changed.
    """
    seat = read(token)
    if not (query.get("first") and query.get("last")):
        return form(seat.player_id)
    _, problem = attempted(lambda: check(seat.player_id, days_of(query)))
    return form(seat.player_id, query, problem)


@bp.post("/<token>")
@from_anywhere
@html_not_found
@parse_query(VacationQuery)
def change_vacation(query: Json, token: str) -> Response:
    """Plan these days, or cancel the vacation in the query. The body is not read."""
    seat, services = read(token), current_services()
    if "end" in query:
        vacations.end(services, seat.player_id, query["end"])
    elif query.get("first") and query.get("last"):
        _, problem = attempted(lambda: plan(seat.player_id, query))
        if problem is not None:
            return form(seat.player_id, query, problem)
    return form(seat.player_id)


def read(token: str) -> LinkedSeat:
    """The seat of this link; the page is about its player's vacations. Raises NotFound, HandedOver."""
    seat = read_purpose_link(current_services(), "vacations", token)
    speak_to(seat.player_id)
    return seat


def days_of(query: Json) -> Days:
    """The days in a query, as they were typed. Raises InvalidVacation if they are not dates."""
    try:
        return Days(day(query["first"]), day(query["last"]))
    except ValidationError:
        raise InvalidVacation(why="backwards") from None


def plan(player_id: str, query: Json) -> None:
    """Plan these days. Raises InvalidVacation."""
    vacations.plan(current_services(), player_id, days_of(query), query["answers"])


def check(player_id: str, days: Days) -> None:
    """Raise InvalidVacation for days that cannot be planned."""
    now = current_services().now()
    vacations.span_of(days, time_zone(players.get(player_id)), now)
    vacations.check(vacations.of_player(player_id), days, now)


def form(player_id: str, query: Json | None = None, problem: Problem | None = None) -> Response:
    """The page with the planned vacation and a button to cancel it.

    Without one, it has the possible days and, if days are given, a button to plan them.
    """
    player, now = players.get(player_id), current_services().now()
    words, taken = phrases(player.language), vacations.of_player(player_id)
    planned = [row for row in taken if row.ends_at > now]
    wish = {name: each for name, each in (query or {}).items() if name != "end"}
    this_year = vacations.today(now, time_zone(player)).year
    left = {"days": vacations.days_left(taken, this_year), "year": this_year}
    said = [words.say("page.vacation.why"), words.say("page.vacation.left", left)]
    if planned:
        said = [about(words, row.first, row.last, row.allows) for row in planned]
        buttons = [Button(words.say("page.vacation.end"), f"?end={row.id}") for row in planned]
    elif wish and problem is None:
        said.append(about(words, **wish))
        buttons = [Button(words.say("page.vacation.plan"), f"?{urlencode(wish)}", main=True)]
    else:
        buttons = []
        said += [words.say("wrong.day")] if problem else []
    question = Question(words.say("page.vacation.title"), said, buttons)
    asks = not planned and not buttons
    filled = {"first": wish.get("first", ""), "last": wish.get("last", ""), "asks": asks}
    answers = {"answers": [*vacations.ANSWERS], "answer": wish.get("answers")}
    return ask(words, question, problem, "link_vacation.html", **filled, **answers)


def about(words: Phrases, first: str, last: str, answers: str) -> str:
    """The words for the days from the first to the last, and for the answers during the vacation."""
    days = words.say("link.vacation.days", {"first": first, "last": last})
    return f"{days}: {words.say(f'page.vacation.answers.{answers}')}"
