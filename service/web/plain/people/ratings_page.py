"""Ratings without scripts: the reader's own, their meaning, and leaderboards."""

from __future__ import annotations

from flask import Blueprint, Response

import rules
from rules.kernel import Json
from service.core.words.words import phrases
from service.people.accounts import accounts
from service.people.ratings import leaderboards, visibility
from service.people.ratings.estimates import SCALE
from service.people.ratings.leaderboards import Entry, Known, Own
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.bodies.cursors import seal
from service.web.http.bodies.path_ids import known_version
from service.web.http.caller.caller import caller
from service.web.http.caller.context import preferred_language
from service.web.plain.forms.form_schemas import FinishedQuery
from service.web.plain.plain_pages import plain_blueprint, plain_page

bp: Blueprint = plain_blueprint("plain_ratings")

PAGE = 50
"""The number of entries on one page."""


@bp.get("/ratings")
def get_plain_ratings() -> Response:
    """Show the reader's ratings, with a link to each game's leaderboard, and explain ratings."""
    reader, language = caller(), preferred_language()
    known = {each.ruleset: each for each in leaderboards.of_player(reader.id)} if reader else {}
    games = [
        {"slug": slug, "name": phrases(language, slug).say("name")}
        | ({"own": _points(known[slug])} if slug in known else {})
        for slug in rules.slugs()
    ]
    return plain_page("ratings.html", games=games, rated=bool(known), registered=_is_registered())


@bp.get("/ratings/<slug>")
@parse_query(FinishedQuery)
def get_plain_leaderboard(query: Json, slug: str) -> Response:
    """Show a page of the leaderboard of a game. Raises NotFound."""
    known_version(slug, None)
    reader, words = caller(), phrases(preferred_language(), slug)
    entries, before, following = leaderboards.leaderboard(slug, query.get("cursor"), PAGE)
    mine = leaderboards.own(slug, reader) if reader else None
    return plain_page(
        "leaderboard.html",
        words,
        slug=slug,
        entries=[
            {"rank": rank, "entry": each, **_points(each)}
            for rank, each in enumerate(entries, before + 1)
        ],
        handles=visibility.handles_of_pages([each.who for each in entries], reader and reader.id),
        own=mine,
        registered=_is_registered(),
        own_points=mine and {"rank": mine.rank, **_points(mine)},
        most_deviation=leaderboards.MOST_DEVIATION,
        most_ranked=leaderboards.MOST_RANKED,
        next=seal(following),
    )


def _is_registered() -> bool:
    reader = caller()
    return reader is not None and accounts.find(reader.id) is not None


def _points(rated: Known | Entry | Own) -> Json:
    """A rating in points."""
    return {
        "rating": round(rated.mean / SCALE),
        "deviation": round(rated.deviation / SCALE),
    }
