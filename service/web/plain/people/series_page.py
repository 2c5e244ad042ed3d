"""Series without scripts: the list, their standings and rounds, joining and leaving one, setting one up."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from flask import Blueprint, Response

import rules
from rules.kernel import Json
from service.core.runtime.problems import InvalidBody
from service.core.runtime.units import DAY
from service.core.words.words import Phrases, phrases
from service.people.accounts import accounts
from service.people.circles import circles
from service.people.circles.series import series
from service.people.circles.series.entries import MOST_AT_ONCE
from service.tables.before_start import series_rounds
from service.tables.clocks import paces
from service.tables.clocks.arithmetic import PRESETS
from service.tables.views.series import series_view
from service.web.api.series_schemas import NewSeries
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.bodies.wrong_members import Wrong
from service.web.http.caller.caller import caller, caller_id, signed_in_by_cookie
from service.web.http.caller.context import current_services, preferred_language
from service.web.http.limits.rate_limits import limited
from service.web.plain.forms.form_bodies import parse_form
from service.web.plain.forms.sent_once import new_key, once
from service.web.plain.forms.series_schemas import (
    PACES,
    CircleSeriesQuery,
    InSeries,
    PlainNewSeries,
)
from service.web.plain.lobby import kinds, words_of
from service.web.plain.plain_pages import plain_blueprint, plain_page, see

bp: Blueprint = plain_blueprint("plain_series")

HERE = "/series/<series:series_id>"
OF_CIRCLE = "/circles/<circle:circle_id>/series"


@bp.get("/series")
def get_plain_series_list() -> Response:
    """Show the series that the reader may see."""
    reader, language = caller(), preferred_language()
    found = series_view.summaries(series.listed(reader and reader.id), language)
    return plain_page("series_list.html", series=found, circle=None)


@bp.get(OF_CIRCLE)
@parse_query(CircleSeriesQuery)
def get_plain_circle_series(query: Json, circle_id: str) -> Response:
    """Show the series of a circle to one of its members; with a ruleset, the form for setting one up.

    Raises NotSignedIn, NotFound.
    """
    circle, language = circles.membership(circle_id, caller_id()).circle, preferred_language()
    if "ruleset" in query:
        return _form(circle_id, query["ruleset"])
    return plain_page(
        "series_list.html",
        series=series_view.summaries(series.of_circle(circle.key), language),
        circle={"id": circle_id, "name": circle.name},
        games=[
            {"slug": each, "name": phrases(language, each).say("name")} for each in rules.slugs()
        ],
    )


def _form(circle_id: str, slug: str) -> Response:
    words = words_of(slug)
    offered = kinds(slug, words).items()
    return plain_page(
        "new_series.html",
        words,
        slug=slug,
        here=f"/plain/circles/{circle_id}/series",
        kinds=[(name, words.say("plain.table.kind", each)) for name, each in offered],
        paces=[(name, paces.shown(PRESETS[name], words)["words"]) for name in PACES],
        new_key=new_key,
    )


@bp.post(OF_CIRCLE)
@limited("circles")
@signed_in_by_cookie
@parse_form(PlainNewSeries)
def open_plain_series(body: Json, circle_id: str) -> Response:
    """Set up a series. Raises NotSignedIn, NotFound, and whatever the use case raises."""
    slug, services, me = body["ruleset"], current_services(), caller_id()
    words = words_of(slug)
    kind = kinds(slug, words).get(body["table"])
    if kind is None:
        raise InvalidBody(errors={"table": [Wrong("value").worded(words)]})
    table = {
        "ruleset": slug,
        "players": kind["n"],
        "options": kind["options"],
        "pace": body["pace"],
    }
    terms = {name: body[name] for name in ("name", "starts_in", "round_days", "rounds")}
    repeats = body["repeats"] == "yes"
    wish = NewSeries().load({**terms, "table": table, "repeats": repeats})
    wish["starts_at"] = services.now() + wish["starts_in"] * DAY

    def opened() -> str:
        return f"/plain/series/{series_rounds.set_up(services, circle_id, me, wish).id}"

    return see(once(body["once"], opened))


@bp.get(HERE)
def get_plain_series(series_id: str) -> Response:
    """Show a series. Raises NotFound for strangers to its circle."""
    reader, language = caller(), preferred_language()
    row = series.seen(series_id, reader and reader.id)
    shown, words = series_view.whole(row, reader and reader.id, language), phrases(language)
    return plain_page(
        "series.html",
        series=shown,
        rounds=_rounds(shown, words),
        here=f"/plain/series/{series_id}",
        at_once=[(each, each) for each in range(1, MOST_AT_ONCE + 1)],
        verified=reader is not None and accounts.address_of(reader.id) is not None,
    )


def _rounds(shown: Json, words: Phrases) -> list[tuple[int, list[Json]]]:
    """The tables of each round, the latest round first, with the names of the people who meet, and their places if
    known.
    """
    names = {each["id"]: each["name"] for each in shown["standings"]}

    def table(each: Json) -> Json:
        met = [
            (place or len(names) + 1, name if not place else _at(place, name, words))
            for place, name in zip(
                each["places"] or [None] * len(each["people"]),
                (names[person] for person in each["people"]),
                strict=True,
            )
        ]
        ordered = sorted(met, key=lambda pair: pair[0])  # stable: those without a place as they sit
        return {**each, "people": [name for _, name in ordered]}

    grouped = groupby(shown["tables"], key=lambda each: int(each["round"]))
    return [(number, [table(each) for each in found]) for number, found in grouped][::-1]


def _at(place: int, name: str, words: Phrases) -> str:
    return words.say("page.series.at", {"place": place, "name": name})


@bp.post(HERE)
@limited("circles")
@signed_in_by_cookie
@parse_form(InSeries)
def change_plain_series(body: Json, series_id: str) -> Response:
    """Join a series, change how many games to play at the same time, leave it, or end it. Raises whatever the use cases
    raise.
    """
    here = f"/plain/series/{series_id}"
    return see(_DONE[body["do"]](series_id, caller_id(), body) or here)


def _join(series_id: str, me: str, body: Json) -> None:
    wish: Json = {name: body[name] for name in ("at_once", "anyway") if name in body}
    series_rounds.join(current_services(), series_id, me, wish)


def _leave(series_id: str, me: str, _body: Json) -> None:
    series_rounds.leave(series_id, me)


def _end(series_id: str, me: str, _body: Json) -> str | None:
    """End a series; returns the page to show instead if it had not begun, because then it has no page any more."""
    row = series.seen(series_id, me)
    series_rounds.end(current_services(), series_id, me)
    is_gone = row.status == "open"
    return f"/plain/circles/{series.circle_id_of(row)}/series" if is_gone else None


_DONE: dict[str, Callable[[str, str, Json], str | None]] = {
    "join": _join,
    "leave": _leave,
    "end": _end,
}
"""The functions for the actions, by name. Each returns the page to which to send the browser; None means that of the
series.
"""
