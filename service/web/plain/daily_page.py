"""A day's deal without scripts: the reader's only try and, afterwards, everybody's results and the best line next to
the reader's.
"""

from __future__ import annotations

import re

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.words.words import Phrases, phrases
from service.tables.play.daily_deals import deals, tries
from service.tables.views.daily_deals import deal_view, lines_view
from service.web.api import daily_deals
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.caller.caller import caller, signed_in_by_cookie
from service.web.http.caller.context import current_services, preferred_language
from service.web.http.limits.rate_limits import limited
from service.web.plain.forms.daily_schemas import DailyQuery, PlainTry
from service.web.plain.forms.form_bodies import parse_form
from service.web.plain.plain_pages import plain_blueprint, plain_page, see

bp: Blueprint = plain_blueprint("plain_daily")

DAYS = 30
"""The number of days in the calendar."""
FRIEND = re.compile(r"(-?[0-9]{1,6})(w?)", re.ASCII)
"""A friend's result, as in the link that the friend sent."""


@bp.get("/daily", endpoint="get_plain_daily", defaults={"day": deals.TODAY})
@bp.get("/daily/<day>", endpoint="get_plain_day")
@limited("deals")
@parse_query(DailyQuery)
def get_plain_day(query: Json, day: str) -> Response:
    """Show a day's deal. Raises NotFound, TooManyRequests."""
    services, reader, language = current_services(), caller(), preferred_language()
    deal, now, words = deals.known(services, day), services.now(), phrases(language)
    reader_id = reader and reader.id
    following = deals.following(services, deal)
    shown = deal_view.whole(deal, following, reader_id, language, now)
    friend = FRIEND.fullmatch(query.get("friend", ""))
    own = tries.find(deal.day, reader_id)
    best = tries.best_line(deal.day) if shown["results"] else None
    finished = own if own is not None and own.is_over else None
    found, _ = deals.until(services, deal.day, None, DAYS)
    before = tries.of_days(reader_id, [each.day for each in found])
    return plain_page(
        "daily.html",
        deal=shown,
        own=finished and reached(words, "daily.own", finished.score, finished.won),
        friend=friend and reached(words, "daily.friend", int(friend[1]), friend[2] == "w"),
        best=best and reached(words, "daily.best", best.score, best.won),
        lines=lines_view.beside(services, finished, best, language)["steps"] if best else [],
        calendar=[(each, _day(words, before.get(each.day))) for each in found],
        link=finished and finished.counts and _link(deal.day, finished),
    )


@bp.post("/daily/<day>")
@limited("games")
@signed_in_by_cookie
@parse_form(PlainTry)
def begin_plain_day(_body: Json, day: str) -> Response:
    """Begin the reader's only try, or return to it. Raises NotSignedIn, NotFound, TooManyRequests."""
    table, _ = daily_deals.begun(day)
    return see(f"/plain/games/{table.game.id}")


def reached(words: Phrases, key: str, score: int | None, won: bool | None) -> str:
    """A result in words."""
    return words.say(f"page.{key}.won" if won else f"page.{key}", {"n": score or 0})


def _day(words: Phrases, own: tries.Try | None) -> str | None:
    return (
        None if own is None or not own.is_over else reached(words, "daily.day", own.score, own.won)
    )


def _link(day: str, own: tries.Try) -> str:
    """The address that shows friends the reader's result, and nothing about the cards."""
    won = "w" if own.won else ""
    return f"{current_services().config.public_url}/daily/{day}?friend={own.score or 0}{won}"
