"""Returned mail: its address pauses if the report means that no mail arrives there.

Anybody can write such a message. What counts is the address to which it is sent, which only recipients of the email
know: it is signed, for one email to one address, expires after days, and has no effect once the address was found to
work again. An email counts once. And nobody can make many addresses pause: beyond the budgets, a report is only noted.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

import structlog

from service.core.counts import attempt_counts
from service.core.counts.attempt_counts import Attempt, Limit
from service.core.database.database import transaction
from service.core.models.mail import SentMail
from service.core.runtime.problems import TooManyRequests
from service.core.runtime.units import DAY
from service.core.settings.config import Config
from service.notifications.incoming_mail.returned import reports
from service.notifications.incoming_mail.returned.reports import Report
from service.notifications.mail_sending.transport import FULL, says_no_mailbox
from service.outbox import queue
from service.outbox.addresses import addresses, return_addresses, undelivered
from service.outbox.addresses.undelivered import Found
from service.people.accounts import accounts
from service.tables.services import Services

OF_PERSON = Limit("returned mails of a person", 12, DAY)
"""The limit on examined reports about one address."""
MOST_OF_STRANGERS = 32_000
"""The greatest size of a part of a complaint that is read, in bytes."""
LEAST_PAUSES, PAUSES = 20, 50
"""The limit on addresses that may pause in a day because of returned emails.

It is the larger one of a number, and of MAILS_PER_DAY divided by the other.
"""
UNROUTABLE = {"5.4.1", "5.4.4", "5.4.310"}
"""The codes that mail servers use for other failures, too, besides a domain or recipient that does not exist."""

NO_CODE = "no code"
"""The status noted for a permanent failure whose report has no known reason; the second such report pauses the
address.
"""
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_log = structlog.get_logger("tegami.returned")


class Returned(NamedTuple):
    """An email of ours that has come back, or about which somebody complains."""

    mail: SentMail
    address: str
    report: Report


def is_one(config: Config, data: bytes, recipients: list[str]) -> bool:
    """Whether a message is sent to a return address of ours, or is a complaint."""
    if any(return_addresses.read(config, each) for each in recipients):
        return True
    head = _BLANK_LINE.split(data[:MOST_OF_STRANGERS], maxsplit=1)[0].lower()
    return b"multipart/report" in head and b"feedback-report" in head


def receive(services: Services, data: bytes, recipients: list[str]) -> str:
    """Note a message's report about the address of one of our emails; return the outcome in a word for the log.

    Only little is read of messages that people without an email of ours could have written. A complaint arrives at an
    address known only to our mail server, and the email that it contains identifies the recipient.
    """
    ours = _sent(services, recipients)
    report = reports.read(data, reports.MOST_READ if ours else MOST_OF_STRANGERS)
    if report is not None and not ours:
        ours = _sent(services, report.senders)
    if report is None or ours is None:
        return "no report" if ours else "not ours"
    return _note(services, Returned(*ours, report))


def _sent(services: Services, recipients: Collection[str]) -> tuple[SentMail, str] | None:
    """The email of the first genuine return address among these, with the address to which it was sent.

    None if no address is genuine.
    """
    for each in recipients:
        returning = return_addresses.read(services.config, each)
        mail = queue.find_sent(returning.row_id) if returning else None
        if returning is None or mail is None:
            continue
        for address in _may_have_gone_to(mail):
            if returning.is_of(services.config, services.now(), address):
                return mail, address
    return None


def _may_have_gone_to(mail: SentMail) -> list[str]:
    """The present addresses of the email's recipient."""
    player, login = mail.player_id, (mail.data or {}).get("who")
    account = accounts.find_by_login(login) if isinstance(login, str) else None
    found = (mail.address, player and accounts.address_of(player), account and account.address)
    return [each for each in found if each]


def _note(services: Services, returned: Returned) -> str:
    config, mail, address = services.config, returned.mail, returned.address
    found = found_in(returned)
    if found is None:
        return "nothing to note"
    if mail.refusal is not None:
        return "known already"
    before = undelivered.known(config, address)
    if before and before.lifted_at is not None and (mail.done_at or 0) <= before.lifted_at:
        return "of before it was lifted"
    person = Attempt(OF_PERSON, addresses.counted(address))
    try:
        attempt_counts.count(services, config.secret_key, [person])
    except TooManyRequests:
        return "over the budget of a person"
    if found.status == NO_CODE and before and before.status == NO_CODE:
        found = found._replace(why=undelivered.NO_MAILBOX)
    found = within_budget(services, found)
    with transaction():
        known = undelivered.note(services, config, address, found)
        if returned.report.what != "delayed":
            queue.note_returned(mail.id, refusal_of(returned.report))
    paused = known.pauses(services.now())
    _log.info(
        "returned", row=mail.id, kind=mail.kind, why=known.why, status=found.status, paused=paused
    )
    return known.why or ""


def within_budget(services: Services, found: Found) -> Found:
    """The report to note; it pauses no address once too many have paused because of returned emails."""
    if found.why not in undelivered.PAUSING:
        return found
    with transaction():
        pauses = Attempt(most_pauses(services.config), "")
        (count,) = attempt_counts.count_if_allowed(services, services.config.secret_key, [pauses])
    return found._replace(why=undelivered.REFUSED) if count.is_over else found


def most_pauses(config: Config) -> Limit:
    """The limit on addresses that pause in a day because of returned emails."""
    most = max(LEAST_PAUSES, config.mails_per_day // PAUSES)
    return Limit("addresses paused by returned mail", most, DAY)


def found_in(returned: Returned) -> Found | None:
    """The meaning of a report for the address; None if it has none."""
    report, sent_at = returned.report, returned.mail.done_at
    if report.what == "complaint":
        return Found(undelivered.COMPLAINT, report.status[:12], returned=True)
    if report.status[1:] == FULL[1:]:
        return Found(undelivered.OVER_QUOTA, report.status, True, since=sent_at)
    if report.what == "delayed":
        return None
    if says_no_mailbox(report.status) or report.status in UNROUTABLE:
        return Found(undelivered.NO_MAILBOX, report.status, returned=True)
    return Found(undelivered.REFUSED, report.status or NO_CODE, returned=True)


def refusal_of(report: Report) -> str:
    """The reason stored for a returned email; `tegami doctor` counts by it."""
    if report.what == "complaint":
        return f"complaint ({report.status})"
    return (
        f"{report.status} in a mail that came back" if report.status else "came back without a code"
    )
