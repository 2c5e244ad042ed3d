"""Inviting, registering and requesting links within the limits on emails, for the API and for pages without scripts."""

from __future__ import annotations

from rules.kernel import Json
from service.core.runtime.problems import AlreadyRegistered, HandleTaken
from service.notifications.mail_sending import budgets
from service.people.accounts import accounts
from service.people.credentials import password_rules
from service.people.credentials.credentials import Caller
from service.tables.before_start import invitations
from service.web.http.caller.context import current_services
from service.web.http.caller.sign_in_cookie import known_browser
from service.web.http.limits import attempt_limits


def invite(game_id: str, inviter: str, wish: Json) -> tuple[invitations.InvitationRow, bool]:
    """Invite the owner of `wish["address"]` in `wish["language"]`; returns the invitation and whether it is new.

    Raises TooManyRequests, NotFound, NotOpen, NotSeated, NotVerified, TableFull.
    """
    services, attempts = current_services(), attempt_limits.invitation(inviter, wish["address"])
    with attempt_limits.counted(attempts):
        row, new = invitations.invite(services, game_id, inviter, wish)
    if not new:  # no mail was sent
        attempt_limits.uncount(attempts)
    return row, new


def invite_player(game_id: str, inviter: str, wish: Json) -> tuple[invitations.InvitationRow, bool]:
    """Invite the player with `wish["handle"]` or `wish["follow"]`; returns the invitation and whether it is new.

    Wrong handles count too, so that nobody can go through many. Raises TooManyRequests, NotFound, NotOpen, NotSeated,
    NotForGuests, AlreadySeated, TableFull.
    """
    attempt_limits.count(attempt_limits.names(inviter))
    invited = invitations.invited_player(inviter, wish)
    attempts = attempt_limits.invitation_of(inviter, invited)
    with attempt_limits.counted(attempts):
        row, new = invitations.invite_player(current_services(), game_id, inviter, invited)
    if not new:
        attempt_limits.uncount(attempts)
    return row, new


def ask_for_link(kind: str, who: str) -> int | None:
    """Mail a link; returns the time until which it waits (ms UTC), or None if it is sent at once to an existing
    account.

    The result does not depend on whether there is an account. Raises TooManyRequests.
    """
    services = current_services()
    attempt_limits.count(attempt_limits.mail(who, known_browser(who)))
    accounts.request_link(services, kind, who)
    return budgets.until_for_link(services, who)


def register(caller: Caller, body: Json) -> None:
    """Make a guest a registered player; only their present credential stays valid.

    Raises CommonPassword, PersonalPassword, TooManyRequests, AlreadyRegistered, HandleTaken.
    """
    services, password = current_services(), body.get("password")
    if password:
        password_rules.check(password, (caller.name, body["handle"], body["address"]))
    attempts = attempt_limits.mail(body["address"])
    attempt_limits.count(attempts)
    password_hash = services.passwords.hash(password) if password else None
    try:
        accounts.register(
            services, caller.id, caller.credential, body["handle"], body["address"], password_hash
        )
    except (AlreadyRegistered, HandleTaken):  # no mail was sent
        attempt_limits.uncount(attempts)
        raise
