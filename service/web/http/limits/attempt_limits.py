"""Limits on passwords, mails, new players and tables, documented in openapi.yaml; they hold across processes.

No proxy can count these, so they are never switched off. Those for everybody at one address together grow with how many
people may come from there (`PEOPLE_PER_ADDRESS`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from service.core.counts import attempt_counts
from service.core.counts.attempt_counts import Attempt, Guess, Limit, Waits
from service.core.runtime.problems import Problem, Unavailable
from service.core.runtime.units import DAY, HOUR, MINUTE
from service.web.http.caller.context import current_services
from service.web.http.limits.rate_limits import client_network

QUARTER = HOUR // 4
BY_BROWSER = Waits("passwords by browser", 5, MINUTE // 2, HOUR, DAY)
"""In a browser in which the owner of the account has signed in before."""
BY_BROWSERS = Waits("passwords by known browsers", 40, MINUTE, QUARTER, DAY)
"""In all such browsers together: somebody who was once signed in can make many of them."""
BY_NETWORK = Waits("passwords by network", 5, MINUTE // 2, HOUR, DAY)
"""With one handle or address, from one network."""
BY_STRANGERS = Waits("passwords by strangers", 20, MINUTE, QUARTER, DAY)
"""With one handle or address, from anywhere, in browsers that are not known."""
FROM_NETWORK = Waits("passwords from network", 30, MINUTE, QUARTER, HOUR, forgiving=False)
"""With any handle or address, in browsers that are not known."""
TO_CONFIRM = Waits("passwords to confirm", 5, MINUTE // 2, HOUR, DAY)
"""When somebody who is signed in has to confirm with the password."""
MAILS_TO = Limit("mails to", 5, HOUR)
"""To one handle or address, from one network: strangers must not keep its owner from asking for one."""
MAILS_FROM = Limit("mails from", 20, HOUR)
GUESTS_FROM = Limit("guests from", 60, HOUR)
TABLES_BY = Limit("tables by", 120, HOUR)
LESSONS_BY = Limit("lessons by", 60, HOUR)
LESSONS_FROM = Limit("lessons from", 240, HOUR)
INVITATIONS_BY = Limit("invitations by", 10, DAY)


def sign_in(who: str, known_browser: str | None) -> list[Guess]:
    """Somebody tries to sign in with a password.

    A browser that is known to the owner of the account has a count of its own, which strangers do not touch. What does
    not exist is counted like what does.
    """
    if known_browser is not None:
        return [Guess(BY_BROWSER, known_browser), Guess(BY_BROWSERS, who.lower())]
    login, network = who.lower(), client_network()
    return [
        Guess(BY_NETWORK, f"{login} {network}"),
        Guess(BY_STRANGERS, login),
        Guess(FROM_NETWORK._replace(free=_shared(FROM_NETWORK.free)), network),
    ]


def confirmation(sign_in_id: str) -> list[Guess]:
    """Somebody confirms with the password; another sign-in of the same player has a count of its own."""
    return [Guess(TO_CONFIRM, sign_in_id)]


def mail(who: str, known_browser: str | None = None) -> list[Attempt]:
    """Somebody has a mail sent to this handle or address; a browser that its owner has used has counts of its own."""
    if known_browser is not None:
        return [Attempt(MAILS_TO, f"{who.lower()} {known_browser}")]
    network = client_network()
    shared = MAILS_FROM._replace(most=_shared(MAILS_FROM.most))
    return [Attempt(MAILS_TO, f"{who.lower()} {network}"), Attempt(shared, network)]


def invitation(player_id: str, address: str) -> list[Attempt]:
    """A player has a mail sent to somebody else."""
    return [Attempt(INVITATIONS_BY, player_id), Attempt(MAILS_TO, address.lower())]


def guest() -> list[Attempt]:
    """Somebody becomes a player."""
    shared = GUESTS_FROM._replace(most=_shared(GUESTS_FROM.most))
    return [Attempt(shared, client_network())]


def table(player_id: str) -> list[Attempt]:
    """A player opens a table."""
    return [Attempt(TABLES_BY, player_id)]


def lesson(player_id: str) -> list[Attempt]:
    """A player begins a lesson."""
    shared = LESSONS_FROM._replace(most=_shared(LESSONS_FROM.most))
    return [Attempt(LESSONS_BY, player_id), Attempt(shared, client_network())]


@contextmanager
def counted(attempts: list[Attempt]) -> Iterator[None]:
    """Count these attempts unless they are refused for another reason. Raises TooManyRequests."""
    count(attempts)
    try:
        yield
    except Problem:
        uncount(attempts)
        raise


@contextmanager
def guessing(guesses: list[Guess]) -> Iterator[None]:
    """Count these guesses; right is what raises nothing. Raises TooManyRequests."""
    services = current_services()
    secret = services.config.secret_key
    if not services.config.attempt_limits:
        yield
        return
    attempt_counts.count_wrong(services, secret, guesses)
    try:
        yield
    except Unavailable:
        attempt_counts.uncount(secret, guesses)
        raise
    attempt_counts.forgive(secret, guesses)


def count(attempts: list[Attempt]) -> None:
    """Count these attempts. Raises TooManyRequests."""
    services = current_services()
    if services.config.attempt_limits:
        attempt_counts.count(services, services.config.secret_key, attempts)


def uncount(attempts: list[Attempt]) -> None:
    """Count these attempts no longer: they succeeded, or had no effect."""
    services = current_services()
    if services.config.attempt_limits:
        attempt_counts.uncount(services.config.secret_key, attempts)


def _shared(most: int) -> int:
    return current_services().config.shared(most)
