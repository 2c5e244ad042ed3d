"""Follows: people whom the caller wants to meet again, and people who follow the caller."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.time_and_random import rfc3339
from service.core.words.words import Phrases, phrases
from service.people.circles import follows
from service.people.circles.follows import FollowRow
from service.people.ratings.played import pages
from service.tables.talk.messages import find_other_person
from service.tables.views.people_names import name_of
from service.web.api.games.talk import caller_at
from service.web.api.people.circle_schemas import NewFollow
from service.web.http.bodies.body_and_query import parse_body, parse_query
from service.web.http.bodies.cursors import PageQuery, seal
from service.web.http.caller.caller import caller_id, signed_in
from service.web.http.caller.context import current_services, preferred_language
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.etags import with_content_etag

bp = Blueprint("follows", __name__, url_prefix="/api/me")


@bp.get("/follows")
@signed_in("account")
@parse_query(PageQuery)
def list_follows(query: Json) -> Response:
    """List the people whom the caller follows."""
    found, following = follows.followed(caller_id(), query.get("cursor"), query["limit"])
    return _listed("follows", found, following)


@bp.post("/follows")
@limited("follows")
@signed_in("account")
@parse_body(NewFollow)
def make_follow(body: Json) -> tuple[Json, int]:
    """Follow a person."""
    if "handle" in body:
        person = pages.by_handle(body["handle"], caller_id()).owner.id
    else:
        person = find_other_person(caller_at(body["game"]), body)
    row, new = follows.follow(current_services(), caller_id(), person)
    return follow_json(row, phrases(preferred_language())), 201 if new else 200


@bp.delete("/follows/<follow:follow_id>")
@signed_in("account")
def end_follow(follow_id: str) -> tuple[str, int]:
    """Stop following a person."""
    follows.unfollow(caller_id(), follow_id)
    return "", 204


@bp.get("/followers")
@signed_in("account")
@parse_query(PageQuery)
def list_followers(query: Json) -> Response:
    """List the people who follow the caller."""
    found, following = follows.followers(caller_id(), query.get("cursor"), query["limit"])
    return _listed("followers", found, following)


@bp.delete("/followers/<follow:follow_id>")
@signed_in("account")
def remove_follower(follow_id: str) -> tuple[str, int]:
    """Remove somebody who follows the caller."""
    follows.remove_follower(caller_id(), follow_id)
    return "", 204


def _listed(name: str, found: list[FollowRow], following: str | None) -> Response:
    words = phrases(preferred_language())
    shown = [follow_json(row, words) for row in found]
    return with_content_etag({name: shown, "next": seal(following)})


def follow_json(row: FollowRow, words: Phrases) -> Json:
    """A follow, with the name of the other person."""
    return {
        "id": row.id,
        "name": name_of(row.name, row.program, words),
        "mutual": row.mutual,
        "created_at": rfc3339(row.created_at),
    }
