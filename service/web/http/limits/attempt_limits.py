"""Limits on passwords, emails, new players and tables, documented in openapi.yaml; they hold across processes.

No proxy can count these, so they are never switched off. Limits for all people at one network address together grow
with the number of people who may come from there (`PEOPLE_PER_ADDRESS`).
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
"""The limit on wrong passwords in a browser in which the owner of the account has signed in before."""
BY_BROWSERS = Waits("passwords by known browsers", 40, MINUTE, QUARTER, DAY)
"""The limit on wrong passwords in all these browsers together, because somebody who was once signed in can make many of
them.
"""
BY_NETWORK = Waits("passwords by network", 5, MINUTE // 2, HOUR, DAY)
"""The limit on wrong passwords with one handle or address, from one network."""
BY_STRANGERS = Waits("passwords by strangers", 20, MINUTE, QUARTER, DAY)
"""The limit on wrong passwords with one handle or address, from anywhere, in unknown browsers."""
FROM_NETWORK = Waits("passwords from network", 30, MINUTE, QUARTER, HOUR, forgiving=False)
"""The limit on wrong passwords with any handle or address, in unknown browsers."""
TO_CONFIRM = Waits("passwords to confirm", 5, MINUTE // 2, HOUR, DAY)
"""The limit on wrong passwords by somebody who is signed in and has to confirm."""
MAILS_TO = Limit("mails to", 5, HOUR)
"""The limit on emails to one handle or address from one network, so that strangers cannot use up the owner's
requests.
"""
MAILS_FROM = Limit("mails from", 20, HOUR)
GUESTS_FROM = Limit("guests from", 60, HOUR)
TABLES_BY = Limit("tables by", 120, HOUR)
LESSONS_BY = Limit("lessons by", 60, HOUR)
LESSONS_FROM = Limit("lessons from", 240, HOUR)
TRIES_BY = Limit("daily tries by", 60, HOUR)
TRIES_FROM = Limit("daily tries from", 240, HOUR)
TRIES_ON_A_DAY = Limit("daily tries", 50_000, DAY)
"""The limit on tries at one day's deal by everybody, so that a day costs a bounded amount."""
ANALYSES_BY = Limit("analyses by", 20, DAY)
ANALYSES_FROM = Limit("analyses from", 100, DAY)
INVITATIONS_BY = Limit("invitations by", 10, DAY)
NAMES_BY = Limit("names by", 60, DAY)
"""The limit on invitations of players by one person, wrong handles included."""
INVITATIONS_OF = Limit("invitations of", 5, DAY)
"""The limit on invitations of one player by the same person."""


def sign_in(who: str, known_browser: str | None) -> list[Guess]:
    """The guesses to count when somebody tries to sign in with a password.

    A browser that the account's owner has used has a count of its own, which strangers do not affect. Attempts at
    accounts that do not exist count equally.
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
    """The guesses to count when somebody confirms with a password; each sign-in of a player has a count of its own."""
    return [Guess(TO_CONFIRM, sign_in_id)]


def mail(who: str, known_browser: str | None = None) -> list[Attempt]:
    """The attempts to count when somebody requests an email to this handle or address.

    A browser that the owner of the account has used has counts of its own.
    """
    if known_browser is not None:
        return [Attempt(MAILS_TO, f"{who.lower()} {known_browser}")]
    network = client_network()
    shared = MAILS_FROM._replace(most=_shared(MAILS_FROM.most))
    return [Attempt(MAILS_TO, f"{who.lower()} {network}"), Attempt(shared, network)]


def invitation(player_id: str, address: str) -> list[Attempt]:
    """The attempts to count when a player sends an email to somebody else."""
    return [Attempt(INVITATIONS_BY, player_id), Attempt(MAILS_TO, address.lower())]


def names(player_id: str) -> list[Attempt]:
    """The attempts to count when a player names another player, whether or not there is such a player."""
    return [Attempt(NAMES_BY, player_id)]


def invitation_of(player_id: str, invited_id: str) -> list[Attempt]:
    """The attempts to count when a player invites another player to a table."""
    return [Attempt(INVITATIONS_OF, f"{player_id} {invited_id}")]


def guest() -> list[Attempt]:
    """The attempts to count when somebody becomes a player."""
    shared = GUESTS_FROM._replace(most=_shared(GUESTS_FROM.most))
    return [Attempt(shared, client_network())]


def table(player_id: str) -> list[Attempt]:
    """The attempts to count when a player opens a table."""
    return [Attempt(TABLES_BY, player_id)]


def lesson(player_id: str) -> list[Attempt]:
    """The attempts to count when a player begins a lesson."""
    shared = LESSONS_FROM._replace(most=_shared(LESSONS_FROM.most))
    return [Attempt(LESSONS_BY, player_id), Attempt(shared, client_network())]


def daily_try(player_id: str, day: str) -> list[Attempt]:
    """The attempts to count when a player begins a try at a daily deal, or returns to it."""
    shared = TRIES_FROM._replace(most=_shared(TRIES_FROM.most))
    own = Attempt(TRIES_BY, player_id), Attempt(shared, client_network())
    return [*own, Attempt(TRIES_ON_A_DAY, day)]


def analysis(player_id: str) -> list[Attempt]:
    """The attempts to count when a player asks for the analysis of a game."""
    shared = ANALYSES_FROM._replace(most=_shared(ANALYSES_FROM.most))
    return [Attempt(ANALYSES_BY, player_id), Attempt(shared, client_network())]


@contextmanager
def counted(attempts: list[Attempt]) -> Iterator[None]:
    """A block that counts these attempts, and takes them back if it raises a Problem.

    Raises TooManyRequests.
    """
    count(attempts)
    try:
        yield
    except Problem:
        uncount(attempts)
        raise


@contextmanager
def guessing(guesses: list[Guess]) -> Iterator[None]:
    """A block that counts these guesses as wrong if it raises WrongPassword or another problem. Raises
    TooManyRequests.
    """
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
    """Subtract these attempts, because they succeeded or had no effect."""
    services = current_services()
    if services.config.attempt_limits:
        attempt_counts.uncount(services.config.secret_key, attempts)


def _shared(most: int) -> int:
    return current_services().config.shared(most)
