"""Feeds at secret addresses, for news readers and calendars, which cannot sign in."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request

from service.core.runtime.problems import NotFound, NotSignedIn
from service.core.runtime.time_and_random import rfc3339
from service.core.words.words import phrases
from service.people.circles.series import series
from service.people.credentials import credentials
from service.people.credentials.credentials import Caller
from service.tables.views import feeds, game_lists
from service.tables.views.feeds import FeedEntry
from service.tables.views.series import series_feed
from service.web.http.caller.context import current_services
from service.web.http.limits.rate_limits import limited

bp = Blueprint("feeds", __name__, url_prefix="/feeds/<secret:secret>")


@bp.get("/turns.atom")
@limited("feeds")
def get_turns_feed(secret: str) -> Response:
    """Return the games that wait for the owner of this address, as an Atom feed (RFC 4287)."""
    owner, config = _owner(secret), current_services().config
    found = _entries(owner)
    xml = render_template(
        "turns.xml",
        language=owner.language,
        id=f"{config.public_url}/feeds/{owner.credential}",
        words=phrases(owner.language),
        updated=max((each.since for each in found), default=rfc3339(owner.created_at)),
        url=f"{config.public_url}/",
        own_url=f"{config.public_url}{request.path}",
        entries=found,
    )
    return _answer(xml, "application/atom+xml", owner.language)


@bp.get("/series/<series:series_id>/news.atom")
@limited("feeds")
def get_series_feed(secret: str, series_id: str) -> Response:
    """Return what has happened in a series that the owner of this address may see, as an Atom feed."""
    owner, config = _owner(secret), current_services().config
    row = series.seen(series_id, owner.id)
    found = series_feed.entries(config, owner.language, row)
    xml = render_template(
        "series.xml",
        language=owner.language,
        id=f"{config.public_url}/series/{row.id}#{owner.credential}",
        title=series_feed.title(row, owner.language),
        updated=found[0].at if found else rfc3339(row.created_at),
        url=f"{config.public_url}/series/{row.id}",
        own_url=f"{config.public_url}{request.path}",
        entries=found,
    )
    return _answer(xml, "application/atom+xml", owner.language)


@bp.get("/deadlines.ics")
@limited("feeds")
def get_deadlines(secret: str) -> Response:
    """Return the deadlines of the owner of this address, as a calendar."""
    owner = _owner(secret)
    name = phrases(owner.language).say("feed.deadlines")
    calendar = feeds.calendar(_entries(owner), name)
    return _answer(calendar, "text/calendar", owner.language)


def _owner(secret: str) -> Caller:
    """The owner of a feed address. Raises NotFound for an address that was never issued, or has been revoked."""
    try:
        return credentials.authenticate(current_services(), secret, credentials.FEED)
    except NotSignedIn:
        raise NotFound from None


def _entries(owner: Caller) -> list[FeedEntry]:
    """The entries of the feed, in the language of the owner and not of the program that fetches it."""
    turns = game_lists.turns(owner.id, owner.language)
    return feeds.entries(current_services().config, owner.language, turns)


def _answer(body: str | bytes, mimetype: str, language: str) -> Response:
    response = Response(body, mimetype=mimetype, headers={"Content-Language": language})
    response.headers["Cache-Control"] = "private, no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response
