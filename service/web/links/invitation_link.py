"""Links in emails that decline an invitation."""

from __future__ import annotations

from flask import Blueprint, Response

from service.core.words.words import phrases
from service.people import players
from service.tables.before_start import invitations
from service.web.http.caller.context import current_services, preferred_language
from service.web.http.headers.cross_site import from_anywhere
from service.web.page.rendering import page

bp = Blueprint("invitation_link", __name__, url_prefix="/invitations")


@bp.get("/<token>")
def get_invitation(token: str) -> Response:
    """Ask whether to decline the invitation; nothing is changed, because mail programs follow links too."""
    return invitation_page("invitation.html", read_link(token))


@bp.post("/<token>")
@from_anywhere
def refuse_invitation(token: str) -> Response:
    """Decline the invitation. The body is not read."""
    invitation = read_link(token)
    if invitation:
        invitations.decline(current_services(), invitation.id)
    return invitation_page("declined.html", invitation)


def read_link(token: str) -> invitations.InvitationRow | None:
    """The invitation of the link; None if it was declined or withdrawn, or if this server never issued the
    link.
    """
    invitation_id = invitations.read_decline_link(current_services().config, token)
    return invitations.find_one(invitation_id) if invitation_id else None


def invitation_page(template: str, invitation: invitations.InvitationRow | None) -> Response:
    """A page about this invitation, or one that says that it no longer exists."""
    if invitation is None:
        return page("not_invited.html", status=404)
    inviter = players.get(invitation.inviter_id).name
    words = phrases(preferred_language(), invitation.ruleset, invitation.version)
    return page(template, names={"name": inviter, "game": words.say("name")})
