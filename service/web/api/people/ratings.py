"""Ratings: the caller's own, those of somebody at a table, and leaderboards."""

from __future__ import annotations

from flask import Blueprint, Response

import rules
from rules.kernel import Json
from service.core.runtime.problems import NotFound
from service.core.runtime.time_and_random import rfc3339
from service.core.words.words import Phrases, phrases
from service.people.ratings import leaderboards, visibility
from service.people.ratings.estimates import SCALE
from service.people.ratings.leaderboards import Entry, Known, Own, Point
from service.tables.views import game_lists
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.bodies.cursors import PageQuery, seal
from service.web.http.bodies.path_ids import known_version
from service.web.http.caller.caller import caller, caller_id, open_to_visitors, signed_in
from service.web.http.caller.context import preferred_language
from service.web.http.polls.etags import with_content_etag
from service.web.http.polls.game_answers import visible_table

bp = Blueprint("ratings", __name__, url_prefix="/api")


@bp.get("/me/ratings")
@signed_in("read")
def list_ratings() -> Response:
    """List the caller's ratings."""
    return with_content_etag(_shown(leaderboards.of_player(caller_id())))


@bp.get("/me/ratings/<slug>")
@signed_in("read")
@parse_query(PageQuery)
def list_rated_games(query: Json, slug: str) -> Response:
    """List the caller's rated games of a ruleset."""
    known_version(slug, None)
    found = leaderboards.points(caller_id(), slug, query.get("cursor"), query["limit"])
    games, following = found
    return with_content_etag({"games": list(map(point_json, games)), "next": seal(following)})


@bp.get("/games/<game:game_id>/seats/<tenure:tenure_id>/ratings")
@open_to_visitors("read")
def list_ratings_of_player(game_id: str, tenure_id: str) -> Response:
    """List the ratings of somebody who holds or held a seat. Raises NotFound if the caller may not see them."""
    visible_table(game_id)
    player = caller()
    at, owner_id = game_lists.holder_of(tenure_id)
    if at != game_id or not visibility.may_see(owner_id, player and player.id):
        raise NotFound
    if player and player.id == owner_id:
        return with_content_etag(_shown(leaderboards.of_player(owner_id)))
    return with_content_etag(_shown(leaderboards.seen_by_others(owner_id)))


@bp.get("/rulesets/<slug>/leaderboard")
@open_to_visitors("read")
@parse_query(PageQuery)
def get_leaderboard(query: Json, slug: str) -> Response:
    """Get a page of the leaderboard of a ruleset."""
    known_version(slug, None)
    player, words = caller(), phrases(preferred_language())
    found = leaderboards.leaderboard(slug, query.get("cursor"), query["limit"])
    entries, before, following = found
    handles = visibility.handles_of_pages([each.who for each in entries], player and player.id)
    shown = [
        _entry(each, rank, player and player.id, words) | {"handle": handles.get(each.who)}
        for rank, each in enumerate(entries, before + 1)
    ]
    mine = leaderboards.own(slug, player) if player else None
    return with_content_etag(
        {
            "entries": shown,
            "own": mine and _own(mine),
            "most_deviation": leaderboards.MOST_DEVIATION,
            "next": seal(following),
        }
    )


def _shown(ratings: list[Known]) -> Json:
    return {"ratings": [_known(each) for each in ratings if rules.versions(each.ruleset)]}


def _known(known: Known) -> Json:
    name = phrases(preferred_language(), known.ruleset).say("name")
    about = {"ruleset": known.ruleset, "name": name, "ended_at": rfc3339(known.ended_at)}
    return {**about, **_points(known)}


def point_json(point: Point) -> Json:
    """A rated game, with the rating after it."""
    rated = point.mean is not None and point.deviation is not None
    return {
        "game": point.id,
        "players": point.players,
        "ended_at": rfc3339(point.ended_at),
        "place": point.place,
        "rating": round((point.mean or 0) / SCALE) if rated else None,
        "deviation": round((point.deviation or 0) / SCALE) if rated else None,
    }


def _entry(entry: Entry, rank: int, player_id: str | None, words: Phrases) -> Json:
    level = entry.level
    name = words.say("rating.house", {"level": level}) if level else entry.name
    return {
        "rank": rank,
        "name": name,
        "house": level is not None,
        "program": bool(entry.program),
        "you": entry.who == player_id,
        **_points(entry),
    }


def _own(own: Own) -> Json:
    return {"rank": own.rank, "listed": own.listed, "sure": own.sure, **_points(own)}


def _points(rated: Known | Entry | Own) -> Json:
    return {
        "rating": round(rated.mean / SCALE),
        "deviation": round(rated.deviation / SCALE),
        "games": rated.games,
    }
