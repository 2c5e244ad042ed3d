"""Circles: founding, changing and ending one, its link and its members."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.time_and_random import rfc3339
from service.core.words.words import Phrases, phrases
from service.people.circles import circle_members, circle_talk, circles, weeklies
from service.people.circles.circle_members import MemberRow
from service.people.circles.circles import Membership
from service.people.circles.weeklies import WeeklyRow
from service.tables.views.people_names import name_of
from service.web.api.people.circle_schemas import ChangedCircle, NewCircle, NewHost
from service.web.http.bodies.body_and_query import parse_body
from service.web.http.caller.caller import caller, caller_id, open_to_visitors, signed_in
from service.web.http.caller.context import current_services, preferred_language
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.etags import with_content_etag
from service.web.http.polls.game_answers import sent_key

bp = Blueprint("circles", __name__, url_prefix="/api")
CIRCLE = "/circles/<circle:circle_id>"


@bp.get("/me/circles")
@signed_in("read")
def list_circles() -> Response:
    """List the circles of the caller."""
    mine = circles.of_player(caller_id())
    return with_content_etag({"circles": [summary_json(each) for each in mine]})


@bp.post("/circles")
@limited("circles")
@signed_in("account")
@parse_body(NewCircle)
def found_circle(body: Json) -> tuple[Json, int, dict[str, str]]:
    """Found a circle."""
    services = current_services()
    made = circles.found(services, services.config.secret_key, caller_id(), body)
    return circle_json(made), 201, {"Location": f"/api/circles/{made.circle.id}"}


@bp.get(CIRCLE)
@signed_in("read")
def get_circle(circle_id: str) -> Response:
    """Show a circle to one of its members."""
    return with_content_etag(circle_json(circles.membership(circle_id, caller_id())))


@bp.patch(CIRCLE)
@limited("circles")
@signed_in("account")
@parse_body(ChangedCircle)
def change_circle(body: Json, circle_id: str) -> Json:
    """Change a circle, as its host."""
    return circle_json(circles.change(circle_id, caller_id(), body))


@bp.delete(CIRCLE)
@signed_in("account")
def end_circle(circle_id: str) -> tuple[str, int]:
    """End a circle, as its host."""
    circles.end(current_services(), circle_id, caller_id())
    return "", 204


@bp.post(f"{CIRCLE}/link")
@limited("circles")
@signed_in("account")
def change_circle_link(circle_id: str) -> tuple[Json, int]:
    """Change the link of a circle, as its host."""
    return circle_json(circles.change_link(circle_id, caller_id())), 201


@bp.put(f"{CIRCLE}/host")
@limited("circles")
@signed_in("account")
@parse_body(NewHost)
def hand_circle_over(body: Json, circle_id: str) -> Json:
    """Make another member the host."""
    return circle_json(circles.hand_over(circle_id, caller_id(), body["member"]))


@bp.get(f"{CIRCLE}/invitation")
@open_to_visitors("read")
def get_circle_invitation(circle_id: str) -> Response:
    """Show a circle to anybody who has its link."""
    return with_content_etag(invitation_json(circle_id))


def invitation_json(circle_id: str, key: str | None = None) -> Json:
    """A circle as people who have its link see it; `key` is that of the link, by default the one that was sent. Raises
    NotFound.
    """
    player, secret = caller(), current_services().config.secret_key
    shown = circle_members.look(circle_id, player and player.id, key or sent_key(), secret)
    words = phrases(preferred_language())
    return {
        "id": shown.circle.id,
        "name": shown.circle.name,
        "about": shown.circle.about,
        "host": name_of(shown.host, shown.program, words),
        "members": shown.members,
        "yours": shown.is_member,
    }


@bp.post(f"{CIRCLE}/members")
@limited("circles")
@signed_in("account")
def join_circle(circle_id: str) -> tuple[Json, int]:
    """Join a circle with its link."""
    services = current_services()
    secret, key = services.config.secret_key, sent_key()
    joined, new = circle_members.join(services, secret, circle_id, caller_id(), key)
    return circle_json(joined), 201 if new else 200


@bp.delete(f"{CIRCLE}/members/<member:member_id>")
@signed_in("account")
def leave_circle(circle_id: str, member_id: str) -> tuple[str, int]:
    """Leave a circle or, as its host, remove somebody."""
    circle_members.leave(current_services(), circle_id, caller_id(), member_id)
    return "", 204


@bp.delete(f"{CIRCLE}/removals/<member:member_id>")
@signed_in("account")
def let_member_return(circle_id: str, member_id: str) -> tuple[str, int]:
    """As the host, let somebody who was removed join again."""
    circle_members.let_return(circle_id, caller_id(), member_id)
    return "", 204


def summary_json(mine: Membership) -> Json:
    """A circle in the list of one of its members."""
    return {
        "id": mine.circle.id,
        "name": mine.circle.name,
        "host": mine.is_host,
        "unread": circle_talk.unread(mine),
    }


def circle_json(mine: Membership) -> Json:
    """A circle as one of its members sees it; only the host sees who was removed."""
    circle, services, words = mine.circle, current_services(), phrases(preferred_language())
    removed = circle_members.removed(circle) if mine.is_host else []
    return {
        "id": circle.id,
        "name": circle.name,
        "about": circle.about,
        "created_at": rfc3339(circle.created_at),
        "host": mine.is_host,
        "member": mine.id,
        "link": circles.link_of(circle, services.config),
        "members": [member_json(each, mine, words) for each in circle_members.members(circle)],
        "removed": [member_json(each, mine, words) for each in removed],
        "weeklies": [weekly_json(each, mine.player_id) for each in weeklies.of_circle(circle.key)],
        "unread": circle_talk.unread(mine),
        "poll_after": services.config.poll_after,
    }


def weekly_json(row: WeeklyRow, reader_id: str) -> Json:
    """A weekly table as the member with this id sees it."""
    slug = row.wish["ruleset"]
    return {
        "id": row.id,
        "weekday": row.weekday,
        "time": row.at,
        "time_zone": row.time_zone,
        "ruleset": slug,
        "name": phrases(preferred_language(), slug).say("name"),
        "players": row.wish.get("players"),
        "yours": row.player_id == reader_id,
        "next_at": rfc3339(row.next_at),
    }


def member_json(row: MemberRow, reader: Membership, words: Phrases) -> Json:
    """A member as other members see them: nothing shows when they are online."""
    return {
        "id": row.id,
        "name": name_of(row.name, row.program, words),
        "you": row.player_id == reader.player_id,
        "host": row.player_id == reader.circle.host_id,
    }
