"""Coming to a table through a link: a mailed invitation, or any pasted link."""

from __future__ import annotations

import re
from urllib.parse import unquote

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.problems import NotFound, NotSignedIn, WrongKey
from service.log.table_rows import invitation_queries, private_tables
from service.log.table_rows.table import find
from service.people.circles import circle_members
from service.tables.before_start import table_setup
from service.web.api.people.circles import invitation_json
from service.web.http.caller.caller import caller, caller_id
from service.web.http.caller.context import current_services
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.game_answers import game_answer
from service.web.plain.forms.form_bodies import parse_form
from service.web.plain.forms.pasted_links import Invited, page_of
from service.web.plain.plain_pages import plain_blueprint, plain_page, see

bp: Blueprint = plain_blueprint("plain_invitation")

_LINK = re.compile(
    r".*/games/(g_[0-9A-Za-z]{22})(?:[?][^#]*)?(?:#invitation=([0-9A-Za-z_.]{1,100}))?", re.DOTALL
)
"""The address of a table, with the key of an invitation if it has one."""


_CIRCLE = re.compile(
    r".*/circles/(c_[0-9A-Za-z]{22})(?:[?][^#]*)?#join=([0-9A-Za-z]{1,100})", re.DOTALL
)
"""The link of a circle."""


@bp.get("/invited")
def get_plain_invitation() -> Response:
    """Show a form into which the reader can paste a link that somebody has sent."""
    return plain_page("invited.html", table=None)


@bp.get("/invited/<game:game_id>/<mailed:token>")
def get_plain_invited_table(game_id: str, token: str) -> Response:
    """Show the table of a mailed key, and how to sit down there. Raises NotFound."""
    config, player = current_services().config, caller()
    invitation_id = private_tables.invitation_of(token, config.secret_key)
    if invitation_id is None:
        raise NotFound
    table, player_id = find(game_id), player and player.id
    is_open = invitation_queries.is_open(table.game.key, invitation_id)
    if table.person(player_id) is None and not is_open:
        raise NotFound
    answer = game_answer(table)
    return plain_page(
        "invitation.html",
        answer.words,
        table=answer.whole(),
        name=answer.words.say("name"),
        names=answer.words.listed(answer.names),
        link=f"{config.public_url}/games/{game_id}#invitation={token}",
        key=token,
        here=f"/plain/invited/{game_id}/{token}",
        seated=table.person(player_id) is not None,
        needs_code=config.registration == "invited",
    )


@bp.post("/invited")
@limited("invitations")
@parse_form(Invited)
def follow_plain_invitation(body: Json) -> Response:
    """Go to the address of a link, or sit down at a table. Raises NotSignedIn, WrongKey, NotFound."""
    page = page_of(body["link"])
    if page is not None:
        return see(page)
    circle = _CIRCLE.fullmatch(unquote(body["link"]))
    if circle is not None:
        return _to_circle(circle[1], circle[2], body)
    services, found = current_services(), _LINK.fullmatch(unquote(body["link"]))
    if found is None:
        raise WrongKey
    if caller() is None:
        raise NotSignedIn
    game_id, key, player_id = found[1], found[2], caller_id()
    table = find(game_id)
    private_tables.refuse_strangers(table, player_id, key, services.config.secret_key)
    if "sit" in body and not table.person(player_id):
        wish = {"key": key, "anyway": bool(body["anyway"])}
        table_setup.sit(services, game_id, player_id, wish)
    elif table.person(player_id) is None and table.game.status == "open" and key is not None:
        answer = game_answer(table)
        return plain_page(
            "invited.html",
            answer.words,
            table=answer.whole(),
            name=answer.words.say("name"),
            names=answer.words.listed(answer.names),
            link=body["link"],
        )
    return see(f"/plain/games/{game_id}")


def _to_circle(circle_id: str, key: str, body: Json) -> Response:
    """Show a circle to somebody who has its link, or let them join. Raises NotSignedIn, NotFound, NotForGuests."""
    services, me = current_services(), caller_id()
    here = f"/plain/circles/{circle_id}"
    if "join" in body:
        circle_members.join(services, services.config.secret_key, circle_id, me, key)
        return see(here)
    shown = invitation_json(circle_id, key)
    if shown["yours"]:
        return see(here)
    return plain_page("circle_invitation.html", circle=shown, link=body["link"])
