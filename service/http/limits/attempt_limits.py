"""Limits on passwords, mails, new players and tables, documented in openapi.yaml; they hold across processes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from service.core.problems import Problem
from service.core.units import DAY, HOUR
from service.http.context import current_services
from service.http.limits.rate_limits import client_network
from service.people import attempt_counts
from service.people.attempt_counts import Attempt, Limit

QUARTER = HOUR // 4
SIGN_INS_AS = Limit("sign-ins as", 10, QUARTER)
"""With one handle or address, from anywhere."""
SIGN_INS_FROM = Limit("sign-ins from", 30, QUARTER)
PASSWORDS_OF = Limit("passwords of", 10, QUARTER)
"""When somebody who is signed in has to confirm with the password."""
MAILS_TO = Limit("mails to", 5, HOUR)
"""To one handle or address."""
MAILS_FROM = Limit("mails from", 20, HOUR)
GUESTS_FROM = Limit("guests from", 60, HOUR)
TABLES_BY = Limit("tables by", 120, HOUR)
INVITATIONS_BY = Limit("invitations by", 10, DAY)


def sign_in(who: str) -> list[Attempt]:
    """Somebody tries to sign in with a password."""
    return [Attempt(SIGN_INS_AS, who.lower()), Attempt(SIGN_INS_FROM, client_network())]


def confirmation(player_id: str) -> list[Attempt]:
    """A player confirms with the password."""
    return [Attempt(PASSWORDS_OF, player_id)]


def mail(who: str) -> list[Attempt]:
    """Somebody has a mail sent to this handle or address."""
    return [Attempt(MAILS_TO, who.lower()), Attempt(MAILS_FROM, client_network())]


def invitation(player_id: str, address: str) -> list[Attempt]:
    """A player has a mail sent to somebody else."""
    return [Attempt(INVITATIONS_BY, player_id), Attempt(MAILS_TO, address.lower())]


def guest() -> list[Attempt]:
    """Somebody becomes a player."""
    return [Attempt(GUESTS_FROM, client_network())]


def table(player_id: str) -> list[Attempt]:
    """A player opens a table."""
    return [Attempt(TABLES_BY, player_id)]


@contextmanager
def counted(attempts: list[Attempt]) -> Iterator[None]:
    """Count these attempts unless they are refused for another reason. Raises TooManyRequests."""
    count(attempts)
    try:
        yield
    except Problem:
        uncount(attempts)
        raise


def count(attempts: list[Attempt]) -> None:
    """Count these attempts, unless limits are switched off. Raises TooManyRequests."""
    services = current_services()
    if services.config.rate_limits:
        attempt_counts.count(services.runtime, services.config.secret_key, attempts)


def uncount(attempts: list[Attempt]) -> None:
    """Count these attempts no longer: they succeeded, or had no effect."""
    services = current_services()
    if services.config.rate_limits:
        attempt_counts.uncount(services.config.secret_key, attempts)
