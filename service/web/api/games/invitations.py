"""Invitations to a table: making, listing, withdrawing and declining them, and the key of the table's own link."""

from __future__ import annotations

from flask import Blueprint, Response
from marshmallow import ValidationError, validates_schema

from rules.kernel import Json
from service.core.runtime.problems import NotFound
from service.core.runtime.time_and_random import rfc3339
from service.core.words.words import phrases
from service.people import players
from service.tables.before_start import invitations, table_setup
from service.tables.drawing.qr_code import qr_code
from service.tables.views import game_lists
from service.tables.views.people_names import name_of
from service.web.api.people.people_schemas import address, handle
from service.web.http.bodies.body_and_query import parse_body, parse_query
from service.web.http.bodies.cursors import PageQuery, seal
from service.web.http.bodies.fields import Body, identifier, language
from service.web.http.bodies.wrong_members import Wrong
from service.web.http.caller.caller import caller_id, signed_in
from service.web.http.caller.context import current_services, preferred_language
from service.web.http.limits.mailing import invite, invite_player
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.game_answers import invitation_address, visible_table, whole_game

bp = Blueprint("invitations", __name__, url_prefix="/api")
GAME = "/games/<game:game_id>"


class NewInvitation(Body):
    """The body of POST /games/{id}/invitations."""

    address = address()
    language = language()
    handle = handle()
    follow = identifier("f")

    @validates_schema(skip_on_field_errors=True)
    def names_one_person(self, data: Json, **_options: object) -> None:
        """Check that exactly one person is named, in one way, and that a language comes only with an address. Raises
        ValidationError.
        """
        if len(data.keys() & {"address", "handle", "follow"}) != 1:
            raise Wrong("invited").alone()
        if "language" in data and "address" not in data:
            raise ValidationError({"language": [Wrong("unknown")]})


@bp.post(f"{GAME}/invitation-key")
@limited("invitations")
@signed_in("play")
def make_invitation_key(game_id: str) -> tuple[Json, int]:
    """Change the invitation key of a private table."""
    visible_table(game_id)
    return whole_game(table_setup.change_key(current_services(), game_id, caller_id())), 201


@bp.get(f"{GAME}/invitation.svg")
@limited("codes")
@signed_in("read")
def get_invitation_code(game_id: str) -> Response:
    """Return the link of the table as a QR code, for people who sit there. Raises NotFound, NotSeated."""
    table = visible_table(game_id)
    table.seated(caller_id())
    if table.game.alone:
        raise NotFound
    return Response(qr_code(invitation_address(table)), mimetype="image/svg+xml")


@bp.get(f"{GAME}/invitations")
@signed_in("read")
@parse_query(PageQuery)
def list_invitations(query: Json, game_id: str) -> Json:
    """List the invitations to the table."""
    table = visible_table(game_id)
    table.seated(caller_id())
    rows, following = invitations.sent_from(table, query.get("cursor"), query["limit"])
    return {"invitations": [invitation_json(row) for row in rows], "next": seal(following)}


@bp.post(f"{GAME}/invitations")
@limited("invitations")
@signed_in("play")
@parse_body(NewInvitation)
def make_invitation(body: Json, game_id: str) -> tuple[Json, int]:
    """Invite somebody by email, or a player."""
    visible_table(game_id)
    inviter = caller_id()
    if "address" not in body:
        row, new = invite_player(game_id, inviter, body)
        return invitation_json(row), 201 if new else 200
    row, new = invite(game_id, inviter, {"language": players.get(inviter).language, **body})
    return invitation_json(row), 201 if new else 200


@bp.delete(f"{GAME}/invitations/<invitation:invitation_id>")
@signed_in("play")
def take_invitation_back(game_id: str, invitation_id: str) -> tuple[str, int]:
    """Withdraw an invitation that the caller has made or, as the host, anybody's."""
    visible_table(game_id)
    invitations.withdraw(current_services(), game_id, caller_id(), invitation_id)
    return "", 204


@bp.get("/me/invitations")
@signed_in("read")
@parse_query(PageQuery)
def list_my_invitations(query: Json) -> Json:
    """List the tables to which the caller is invited."""
    me, words = caller_id(), phrases(preferred_language())
    found, following = invitations.received_by(me, query.get("cursor"), query["limit"])
    summaries = game_lists.summaries([game for _, game in found], me, words.language)
    games = {each["id"]: each for each in summaries}
    shown = [
        {
            "id": row.id,
            "by": name_of(row.by, row.program, words),
            "made_at": rfc3339(row.made_at),
            "game": games[game.id],
        }
        for row, game in found
        if game.id in games
    ]
    return {"invitations": shown, "next": seal(following)}


@bp.delete("/me/invitations/<invitation:invitation_id>")
@signed_in("play")
def decline_invitation(invitation_id: str) -> tuple[str, int]:
    """Decline an invitation."""
    invitations.decline(current_services(), invitation_id, caller_id())
    return "", 204


def invitation_json(row: invitations.InvitationRow) -> Json:
    """An invitation as the people at the table see it; only the inviter sees the address."""
    yours = row.inviter_id == caller_id()
    return {
        "id": row.id,
        "name": row.name and name_of(row.name, row.program, phrases(preferred_language())),
        "address": row.address if yours else None,
        "yours": yours,
        "declined": row.declined_at is not None,
        "made_at": rfc3339(row.made_at),
    }
