"""The reader's circles, the people they follow, and their followers, without scripts."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.people.accounts import accounts
from service.people.circles import circles, follows
from service.tables.talk.messages import find_other_person
from service.web.api.games.talk import caller_at
from service.web.api.people.circles import summary_json
from service.web.http.caller.caller import caller_id, signed_in_by_cookie
from service.web.http.caller.context import current_services
from service.web.http.limits.rate_limits import limited
from service.web.plain.forms.circle_schemas import OwnPeople
from service.web.plain.forms.form_bodies import limit_of_deed, parse_form
from service.web.plain.plain_pages import plain_blueprint, plain_page, see

bp: Blueprint = plain_blueprint("plain_people")

HERE = "/plain/people"
MOST = 100
"""The most people that are listed."""


@bp.get("/people")
def get_plain_people() -> Response:
    """Show the reader's circles, the people they follow, and their followers. Raises NotSignedIn."""
    me = caller_id()
    return plain_page(
        "people.html",
        verified=accounts.address_of(me) is not None,
        circles=[summary_json(each) for each in circles.of_player(me)],
        followed=follows.followed(me, None, MOST)[0],
        followers=follows.followers(me, None, MOST)[0],
    )


@bp.post("/people")
@limited("follows", other=limit_of_deed({"found": "circles"}))
@signed_in_by_cookie
@parse_form(OwnPeople)
def change_plain_people(body: Json) -> Response:
    """Found a circle, follow somebody, or unfollow somebody.

    Raises NotSignedIn, NotFound, NotForGuests, NotPossible, UnusableName, TooManyRequests.
    """
    return see(_found(body) if body["do"] == "found" else _follow(body))


def _found(body: Json) -> str:
    services, me = current_services(), caller_id()
    made = circles.found(services, services.config.secret_key, me, {"name": body["name"]})
    return f"/plain/circles/{made.circle.id}"


def _follow(body: Json) -> str:
    services, me = current_services(), caller_id()
    if body["do"] == "follow":
        follows.follow(services, me, find_other_person(caller_at(body["game"]), body))
    elif body["do"] == "unfollow":
        follows.unfollow(me, body["follow"])
    else:
        follows.remove_follower(me, body["follow"])
    return HERE
