"""Who is asked to a table, and people who play again: invitations, their pages, rematch and nudge."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, render_template

from rules.kernel import Json
from service import invitations, lobby, nudges, rematch
from service.api import tries
from service.api.common import (
    asks,
    game_answer,
    language,
    player_id,
    signed_in,
    takes,
    tools,
    visible,
)
from service.api.limits import limited
from service.outside import rfc3339
from service.people import find as player_of
from service.problems import Problem
from service.rulesets import summary
from service.schemas_tables import InvitationsQuery, NewInvitation, NewRematch
from service.words import phrases

bp = Blueprint("invitations", __name__, template_folder="../pages")
GAME = "/api/games/<game:game_id>"


@bp.get(f"{GAME}/invitations")
@signed_in
@asks(InvitationsQuery)
def list_invitations(query: Json, game_id: str) -> Json:
    """Whom the people at the table have invited."""
    table = visible(game_id)
    table.seated(player_id())
    rows, following = invitations.listed(table, query.get("cursor"), query["limit"])
    return {"invitations": [shown(row) for row in rows], "next": following}


@bp.post(f"{GAME}/invitations")
@limited("invitations")
@signed_in
@takes(NewInvitation)
def make_invitation(body: Json, game_id: str) -> tuple[Json, int]:
    """Invite by mail."""
    visible(game_id)
    wish = {"language": player_of(player_id()).language, **body}
    tried = tries.inviting(player_id(), body["address"])
    tries.count(tried)
    kit = tools()
    try:
        row, new = invitations.invite(kit.outside, kit.config, game_id, player_id(), wish)
    except Problem:
        tries.forgive(tried)
        raise
    if not new:
        tries.forgive(tried)
    return shown(row), 201 if new else 200


@bp.delete(f"{GAME}/invitations/<invitation:invitation_id>")
@signed_in
def take_invitation_back(game_id: str, invitation_id: str) -> tuple[str, int]:
    """Take back an invitation of one's own."""
    visible(game_id)
    invitations.take_back(game_id, player_id(), invitation_id)
    return "", 204


@bp.get("/api/me/invitations")
@signed_in
@asks(InvitationsQuery)
def list_my_invitations(query: Json) -> Json:
    """To which tables the caller is invited."""
    me = player_id()
    rows, following = invitations.mine(me, query.get("cursor"), query["limit"])
    games = lobby.summaries(rows, me, language())
    told = [
        {"id": row.invited, "by": row.by, "made_at": rfc3339(row.made_at), "game": game}
        for row, game in zip(rows, games, strict=True)
    ]
    return {"invitations": told, "next": following}


@bp.delete("/api/me/invitations/<invitation:invitation_id>")
@signed_in
def decline_invitation(invitation_id: str) -> tuple[str, int]:
    """Decline."""
    invitations.decline(tools().outside, invitation_id, player_id())
    return "", 204


@bp.post(f"{GAME}/rematch")
@limited("games")
@signed_in
@takes(NewRematch)
def make_rematch(body: Json, game_id: str) -> tuple[Response, int, dict[str, str]]:
    """Play again with the same people."""
    visible(game_id)
    table, new = rematch.rematch(tools().outside, game_id, player_id(), body.get("nonce"))
    told = jsonify(game_answer(table).whole())
    return told, 201 if new else 200, {"Location": f"/api/games/{table.game.id}"}


@bp.post(f"{GAME}/nudge")
@limited("nudges")
@signed_in
def nudge(game_id: str) -> tuple[Json, int]:
    """Ask whoever is waited for longest to play."""
    visible(game_id)
    return {"seat": nudges.nudge(tools().outside, game_id, player_id())}, 202


@bp.get("/invitations/<token>")
def get_invitation(token: str) -> Response:
    """Ask whether to decline; nothing is changed, for programs follow links too."""
    return page("invitation.html", standing(token))


@bp.post("/invitations/<token>")
def refuse_invitation(token: str) -> Response:
    """Decline. The body is not read."""
    invited = standing(token)
    if invited:
        invitations.decline(tools().outside, invited.id)
    return page("declined.html", invited)


def standing(token: str) -> Any | None:
    """The invitation of a link in a mail, if it stands."""
    invitation_id = invitations.read(tools().config, token)
    return invitations.find_one(invitation_id) if invitation_id else None


def page(template: str, invited: Any | None) -> Response:
    """A page for people, about this invitation; another one if there is none any more."""
    chosen = language()
    fields: Json = {}
    if invited is not None:
        game = summary(invited.ruleset, chosen)["name"]
        fields["said"] = {"name": player_of(invited.inviter_id).name, "game": game}
    html = render_template(
        template if invited else "uninvited.html",
        language=chosen,
        words=phrases(chosen),
        **fields,
    )
    headers = {"Content-Language": chosen, "Vary": "Accept-Language"}
    return Response(html, 200 if invited else 404, headers=headers)


def shown(row: Any) -> Json:
    """An invitation as the people at the table see it; the address is for the inviter alone."""
    yours = row.inviter_id == player_id()
    return {
        "id": row.id,
        "name": row.name,
        "address": row.address if yours else None,
        "yours": yours,
        "declined": row.declined_at is not None,
        "made_at": rfc3339(row.made_at),
    }
