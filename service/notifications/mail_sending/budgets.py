"""Budgets: how many emails are sent because of a person, to a person, about a table, to a domain, and in all.

Every email passes here just before it is sent. An email beyond a budget is not lost: it waits until the budget allows
it, is replaced by newer emails on the same topic, has current contents when it is sent, and is given up only when
nobody needs it any more. Counts are kept in the database, as keyed digests that name nobody, so that they hold across
processes and restarts. `docs/hosting.md` has the same table.
"""

from __future__ import annotations

from collections.abc import Iterator
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


class CountedMail(NamedTuple):
    """The properties of an email by which it is counted."""

    group: str
    """The group of the email's kind (service/notifications/mail_texts/kinds.py)."""
    to: str
    game_key: int | None
    cause: str | None


class Budget(NamedTuple):
    """The largest number of emails of a group in an hour and in a day (None: no limit), for each subject."""

    group: str
    subject: str
    """The name of the subject, a key of `subjects`."""
    hour: int | None
    day: int | None


BUDGETS = (
    Budget("turn", "person at table", 12, None),
    Budget("turn", "person", 120, None),
    Budget("turn", "table", 120, None),
    Budget("turn", "player", 600, None),
    Budget("reply", "person at table", 30, 150),
    Budget("reply", "person", 60, 300),
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
"""The budgets of each group. The budgets of the whole server depend on its settings: `whole_server`."""
OF_PEOPLE = {"link", "account"}
"""The groups of emails without which people cannot sign in, or would not learn what happened to their accounts."""
SHARED = {"network", "domain"}
"""The subjects that several people share, as at a school; their budgets grow with PEOPLE_PER_ADDRESS."""
RESERVE = 20
"""The server's limit on emails divided by this is the number reserved for sign-in links and notices about accounts."""
STRANGERS = 5
"""The server's limit on emails divided by this is the number that may go to addresses typed by strangers."""


def subjects(mail: CountedMail) -> dict[str, str | None]:
    """The subject of the email for each budget, by name; None if the budget does not apply to the email.

    `person` is the recipient, by the mailbox; `player` and `network` are the senders of the request that caused the
    email.
    """
    person, domain = addresses.counted(mail.to), addresses.registered_domain(mail.to)
    causes = (mail.cause or "").split()
    network = next((each for each in causes if each.startswith("n_")), None)
    return {
        "person": person,
        "person at table": None if mail.game_key is None else f"{person} {mail.game_key}",
        "person by network": network and f"{person} {network}",
        "table": None if mail.game_key is None else str(mail.game_key),
        "player": next((each for each in causes if each.startswith("p_")), None),
        "network": network,
        "domain": None if addresses.is_large(domain) else domain,
        "provider": domain if addresses.is_large(domain) else None,
    }


def whole_server(config: Config) -> dict[str, Limit]:
    """The limits of the whole server, by name: for all emails, for emails about games, and for emails to strangers."""
    most = config.mails_per_day
    reserve = most // RESERVE
    about_games = Limit("mails of the server about games", most - reserve, DAY)
    return {
        "all": Limit("mails of the server", most, DAY),
        **({"game": about_games} if reserve else {}),
        "stranger": Limit("mails of the server to strangers", max(1, most // STRANGERS), DAY),
    }


def spend(services: Services, mail: CountedMail) -> int | None:
    """Count an email that is about to be sent; return None if it may be sent.

    Beyond a budget, count nothing, and return the time until which it waits (ms UTC).
    """
    config, attempts = services.config, list(attempts_of(services.config, mail))
    if not attempts:
        return None
    with transaction():
        counts = attempt_counts.count_if_allowed(services, config.secret_key, attempts)
    over = [each.ends_at for each in counts if each.is_over]
    for each in counts:
        # Logged once for a budget of the whole server: with the email that uses it up.
        if not over and each.limit in whole_server(config).values() and each.is_last:
            _log.warning("mail budget", used_up=each.limit.name, most=each.limit.most)
    return max(over, default=None)


def until_for_mail(services: Services, mail: CountedMail) -> int | None:
    """The time (ms UTC) until which this email would wait if it were sent now; None if it would not wait.

    Nothing is counted.
    """
    secret = services.config.secret_key
    counts = [
        attempt_counts.find(services, secret, each) for each in attempts_of(services.config, mail)
    ]
    return max((each.ends_at for each in counts if each.number >= each.limit.most), default=None)


def until_for_link(services: Services, who: str) -> int | None:
    """The time (ms UTC) until which a link requested with this handle or address would wait; None if it would not.

    Strangers must not learn whether there is such an account and whether an email was counted. So requests are counted
    separately, and of the counts of emails, only that of the whole server is used.
    """
    config, secret = services.config, services.config.secret_key
    mail, server = CountedMail("link", who, None, services.cause()), whole_server(config)["all"]
    asked = [
        each._replace(limit=each.limit._replace(name=f"asked for {each.limit.name}"))
        for each in attempts_of(config, mail)
        if each.limit != server
    ]
    with transaction():
        counts = attempt_counts.count_all(services, secret, asked)
    over = [each.ends_at for each in counts if each.is_over]
    used = attempt_counts.find(services, secret, Attempt(server, ""))
    if config.mails_per_day and used.number >= server.most:
        over.append(used.ends_at)
    return max(over, default=None)


def give_back(services: Services, mail: CountedMail) -> None:
    """Subtract an email that was counted but not sent."""
    attempt_counts.uncount(services.config.secret_key, attempts_of(services.config, mail))


def attempts_of(config: Config, mail: CountedMail) -> Iterator[Attempt]:
    """The attempts as which an email is counted; none if budgets are switched off."""
    if not config.mails_per_day:
        return
    for name, limit in whole_server(config).items():
        if name in ("all", mail.group) or (name == "game" and mail.group not in OF_PEOPLE):
            yield Attempt(limit, "")
    of_mail = subjects(mail)
    for budget in BUDGETS:
        subject = of_mail[budget.subject]
        if budget.group == mail.group and subject is not None:
            yield from (Attempt(limit, subject) for limit in limits(budget, config))


def limits(budget: Budget, config: Config) -> Iterator[Limit]:
    """The limits of a budget. Limits that people at one address or in one domain share grow with their number."""
    if budget.subject in SHARED:
        budget = budget._replace(
            hour=budget.hour and config.shared(budget.hour),
            day=budget.day and config.shared(budget.day),
        )
    name = f"mails {budget.group} {budget.subject}"
    if budget.hour is not None:
        yield Limit(f"{name} an hour", budget.hour, HOUR)
    if budget.day is not None:
        yield Limit(f"{name} a day", budget.day, DAY)
