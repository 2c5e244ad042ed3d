"""Limits that hold over all processes and restarts: of tries at passwords and of mails. Told in openapi.yaml."""

from __future__ import annotations

from service import tallies
from service.api.common import tools
from service.api.limits import origin
from service.tallies import HOUR, Limit, Try

QUARTER = HOUR // 4
SIGN_INS_AS = Limit("sign-ins as", 10, QUARTER)
"""With one handle or address, wherever from."""
SIGN_INS_FROM = Limit("sign-ins from", 30, QUARTER)
PASSWORDS_OF = Limit("passwords of", 10, QUARTER)
"""When somebody who is signed in is asked for the password."""
MAILS_TO = Limit("mails to", 5, HOUR)
"""To one handle or address."""
MAILS_FROM = Limit("mails from", 20, HOUR)
INVITATIONS_BY = Limit("invitations by", 10, 24 * HOUR)


def signing_in(who: str) -> list[Try]:
    """Somebody tries to sign in with a password."""
    return [Try(SIGN_INS_AS, who.lower()), Try(SIGN_INS_FROM, origin())]


def confirming(player_id: str) -> list[Try]:
    """A player gives the password once more."""
    return [Try(PASSWORDS_OF, player_id)]


def mailing(who: str) -> list[Try]:
    """Somebody lets us write to an address."""
    return [Try(MAILS_TO, who.lower()), Try(MAILS_FROM, origin())]


def inviting(player_id: str, address: str) -> list[Try]:
    """A player lets us write to somebody else."""
    return [Try(INVITATIONS_BY, player_id), Try(MAILS_TO, address.lower())]


def count(tries: list[Try]) -> None:
    """Count these, if limits are held at all. Raises TooManyRequests."""
    kit = tools()
    if kit.config.rate_limits:
        tallies.count(kit.outside, kit.config.secret_key, tries)


def forgive(tries: list[Try]) -> None:
    """They were right ones."""
    kit = tools()
    if kit.config.rate_limits:
        tallies.forgive(kit.config.secret_key, tries)
