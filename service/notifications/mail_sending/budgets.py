"""Budgets: how many mails leave because of somebody, to somebody, about a table, to a domain, and in all.

Every mail passes here just before it is sent. One that is over a budget is not lost: it waits until the budget allows
it, is replaced by newer ones about the same, says what holds when it is sent, and is given up only when nobody needs
it any more. Counts are kept in the database, so that they hold across processes and restarts, as keyed digests, which
name nobody. `docs/hosting.md` has the same table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import structlog

from service.core.counts import attempt_counts
from service.core.counts.attempt_counts import Attempt, Limit
from service.core.database.database import transaction
from service.core.runtime.units import DAY, HOUR
from service.core.settings.config import Config
from service.outbox.addresses import addresses
from service.tables.services import Services

_log = structlog.get_logger("tegami.budgets")


class Counted(NamedTuple):
    """What a mail is counted by."""

    group: str
    """That of its kind (service/notifications/mail_texts/kinds.py)."""
    to: str
    game_key: int | None
    cause: str | None


class Budget(NamedTuple):
    """At most so many mails of a group in an hour and in a day (None: any number) for each subject."""

    group: str
    subject: str
    """A key of SUBJECTS."""
    hour: int | None
    day: int | None


BUDGETS = (
    Budget("turn", "person at table", 12, None),
    Budget("turn", "person", 120, None),
    Budget("turn", "table", 120, None),
    Budget("turn", "player", 600, None),
    Budget("news", "person at table", 4, 12),
    Budget("news", "person", 20, 60),
    Budget("news", "table", 40, 120),
    Budget("news", "player", 60, 200),
    Budget("news", "network", 120, 400),
    Budget("link", "person by network", 3, 6),
    Budget("link", "person", 12, 24),
    Budget("link", "network", 20, 60),
    Budget("stranger", "person", 3, 6),
    Budget("stranger", "domain", 30, 120),
    Budget("stranger", "provider", 600, 3000),
    Budget("stranger", "player", 10, 20),
    Budget("stranger", "network", 20, 60),
    Budget("account", "person", 6, 20),
)
"""Those of the whole server depend on its settings: `whole_server`."""
OF_PEOPLE = {"link", "account"}
"""Groups of mails without which people cannot sign in, or do not learn what happened to their account."""
RESERVE = 20
"""One in so many of the server's mails is kept for links to sign in with and for notices about accounts."""
STRANGERS = 5
"""One in so many of the server's mails may go to an address because a stranger typed it."""


def _person(mail: Counted) -> str:
    return addresses.counted(mail.to)


def _player(mail: Counted) -> str | None:
    return next((each for each in (mail.cause or "").split() if each.startswith("p_")), None)


def _network(mail: Counted) -> str | None:
    return next((each for each in (mail.cause or "").split() if each.startswith("n_")), None)


def _table(mail: Counted) -> str | None:
    return None if mail.game_key is None else str(mail.game_key)


def _domain(mail: Counted) -> str | None:
    domain = addresses.registered_domain(mail.to)
    return None if addresses.is_large(domain) else domain


def _provider(mail: Counted) -> str | None:
    domain = addresses.registered_domain(mail.to)
    return domain if addresses.is_large(domain) else None


def _together(*parts: Callable[[Counted], str | None]) -> Callable[[Counted], str | None]:
    def subject(mail: Counted) -> str | None:
        found = [part(mail) for part in parts]
        return None if None in found else " ".join(map(str, found))

    return subject


SUBJECTS: dict[str, Callable[[Counted], str | None]] = {
    "person": _person,
    "person at table": _together(_person, _table),
    "person by network": _together(_person, _network),
    "table": _table,
    "player": _player,
    "network": _network,
    "domain": _domain,
    "provider": _provider,
}
"""Whom or what a budget is for; None: it does not apply to the mail.

`person` is the recipient, by the mailbox; `player` and `network` sent the request that caused the mail.
"""


def whole_server(config: Config) -> dict[str, Limit]:
    """The budgets of the whole server: for all mails, for those about games, and for those to strangers."""
    most = config.mails_per_day
    reserve = most // RESERVE
    about_games = Limit("mails of the server about games", most - reserve, DAY)
    return {
        "all": Limit("mails of the server", most, DAY),
        **({"game": about_games} if reserve else {}),
        "stranger": Limit("mails of the server to strangers", max(1, most // STRANGERS), DAY),
    }


def spend(services: Services, mail: Counted) -> int | None:
    """Count a mail that is about to be sent; over a budget count nothing, and return until when (ms UTC) it waits."""
    config, attempts = services.config, list(attempts_of(services.config, mail))
    if not attempts:
        return None
    with transaction():
        counts = attempt_counts.count_if_allowed(services.runtime, config.secret_key, attempts)
    _log_used_up(services, counts)
    return max((each.ends_at for each in counts if each.is_over), default=None)


def give_back(services: Services, mail: Counted) -> None:
    """A mail that was counted has not been sent."""
    attempts = list(attempts_of(services.config, mail))
    if attempts:
        attempt_counts.uncount(services.config.secret_key, attempts)


def attempts_of(config: Config, mail: Counted) -> Iterator[Attempt]:
    """What is counted for a mail; nothing if budgets are switched off."""
    if not config.mails_per_day:
        return
    for name, limit in whole_server(config).items():
        if name in ("all", mail.group) or (name == "game" and mail.group not in OF_PEOPLE):
            yield Attempt(limit, "")
    for budget in BUDGETS:
        subject = SUBJECTS[budget.subject](mail) if budget.group == mail.group else None
        if subject is not None:
            yield from (Attempt(limit, subject) for limit in limits(budget))


def limits(budget: Budget) -> Iterator[Limit]:
    """The limits of a budget."""
    name = f"mails {budget.group} {budget.subject}"
    if budget.hour is not None:
        yield Limit(f"{name} an hour", budget.hour, HOUR)
    if budget.day is not None:
        yield Limit(f"{name} a day", budget.day, DAY)


def _log_used_up(services: Services, counts: list[attempt_counts.Count]) -> None:
    """Name a budget of the whole server in the log, once: with the mail that uses it up."""
    if any(each.is_over for each in counts):
        return
    for each in counts:
        if each.limit in whole_server(services.config).values() and each.is_last:
            _log.warning("mail budget", used_up=each.limit.name, most=each.limit.most)
