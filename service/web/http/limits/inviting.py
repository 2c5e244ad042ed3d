"""Inviting by mail, held to the limits of mails: from the API and from pages without scripts."""

from __future__ import annotations

from rules.kernel import Json
from service.tables.before_start import invitations
from service.tables.before_start.invitations import InvitationRow
from service.web.http.caller.context import current_services
from service.web.http.limits import attempt_limits


def invite(game_id: str, inviter: str, wish: Json) -> tuple[InvitationRow, bool]:
    """Invite the owner of `wish["address"]` in `wish["language"]`; the invitation, and whether it is new.

    Raises TooManyRequests, NotFound, NotOpen, NotSeated, NotVerified, TableFull.
    """
    services, attempts = current_services(), attempt_limits.invitation(inviter, wish["address"])
    with attempt_limits.counted(attempts):
        row, new = invitations.invite(services, services.config, game_id, inviter, wish)
    if not new:  # no mail was sent
        attempt_limits.uncount(attempts)
    return row, new
