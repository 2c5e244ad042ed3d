"""The waiting time of a requested email. People are told it, so that they do not request the email again."""

from __future__ import annotations

from service.core.models.people import Account
from service.notifications.mail_sending import budgets
from service.notifications.mail_sending.budgets import CountedMail
from service.outbox import queue
from service.tables.services import Services


def verification_until(services: Services, account: Account) -> int | None:
    """The time (ms UTC) until which the email that verifies an address waits; None if it is sent at once, or was sent.

    The time is the same if the address belongs to another account, whose owner is then warned instead.
    """
    if account.pending is None:
        return None
    kinds = ("verify", "known-address")
    row = queue.find_unsent([f"{kind} {account.nonce}" for kind in kinds])
    if row is None:
        return None
    if row.attempts == 0:
        mail = CountedMail("stranger", account.pending, None, row.cause)
        return budgets.until_for_mail(services, mail)
    return row.lease_until if row.lease_until > services.now() + queue.LEASE else None
