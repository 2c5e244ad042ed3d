"""`tegami outbox`: list emails that wait or were not delivered, try them again, or end the pause of an address.

Addresses are not shown.
"""

from __future__ import annotations

import click
from sqlalchemy import ColumnElement, and_, or_, select, update

from service.core.database.database import changed_rows, db, transaction
from service.core.models.mail import Outbox
from service.core.runtime.time_and_random import rfc3339
from service.operations.audited import AuditedGroup, about
from service.outbox.addresses import undelivered
from service.outbox.queue import LEASE
from service.web.app import own_app
from service.web.http.caller.context import current_services

MOST_NUMBER = 2**31 - 1
"""The highest number of an email that the column can hold."""
LOST = ("failed", "expired")
"""The outcomes of emails that should have been delivered, but were not."""


@click.group("outbox", cls=AuditedGroup)
def group() -> None:
    """List emails that wait or were not delivered, and try them again; end the pause of an address."""


@group.command("list")
@click.option("--all", "every", is_flag=True, help="Those that are done too.")
@click.option(
    "--most", type=click.IntRange(1), default=100, show_default=True, help="How many lines."
)
def list_mails(every: bool, most: int) -> None:
    """List emails that wait or were not delivered, newest first."""
    open_or_lost = or_(Outbox.done_at.is_(None), Outbox.outcome.in_(LOST))
    query = select(Outbox).order_by(Outbox.run_at.desc(), Outbox.id.desc()).limit(most)
    with own_app().app_context():
        shown = query if every else query.where(open_or_lost)
        for row in db.session.scalars(shown):
            click.echo(line(row, current_services().now()))


@group.command()
@click.argument("mails", nargs=-1, type=click.IntRange(1, MOST_NUMBER))
@click.option("--lost", is_flag=True, help="All that were refused or given up.")
def requeue(mails: tuple[int, ...], lost: bool) -> None:
    """Try these emails (by their numbers in the list) again at once.

    An email that is no longer relevant is still not sent; nor is one to an address that pauses:
    `lift` that first.
    """
    if bool(mails) == lost:
        raise click.UsageError("Say which emails, or --lost.")
    with own_app().app_context():
        which = Outbox.outcome.in_(LOST) if lost else Outbox.id.in_(mails)
        number = try_again(current_services().now(), which)
    about(f"{number} mails")
    click.echo(f"{number} to be sent again")
    if mails and number < len(set(mails)):
        raise click.ClickException("The others are due within minutes anyway, done, or not there.")


@group.command()
@click.argument("address")
def lift(address: str) -> None:
    """Send mail to ADDRESS again, which has paused: the mailbox is missing or full, or mail was reported as unwanted.

    Emails that were not sent in that time are tried again by `requeue`.
    """
    with own_app().app_context(), transaction():
        services = current_services()
        lifted = undelivered.lift(services, services.config, address)
    if not lifted:
        raise click.ClickException("Nothing stops emails to this address.")
    click.echo("emails are sent to this address again")


def try_again(now: int, which: ColumnElement[bool]) -> int:
    """Make emails due now that were not delivered, or that wait after a failure; returns their number.

    An email that a sender may be sending is left alone; otherwise it could be sent twice.
    """
    lost = Outbox.outcome.in_(LOST)
    resting = and_(Outbox.done_at.is_(None), Outbox.lease_until > now + LEASE)
    again = {"done_at": None, "outcome": None, "refusal": None, "run_at": now, "lease_until": 0}
    with transaction():
        return changed_rows(update(Outbox).where(which, or_(lost, resting)).values(again))


def line(row: Outbox, now: int) -> str:
    """The line of an email in the list."""
    to = row.player_id or "(an address)"
    told = f"{row.id:>8}  {rfc3339(row.run_at)[:19]}Z  {row.kind:<16}{to:<26}{state(row, now)}"
    told += f", tried {row.attempts}x" if row.attempts else ""
    return f"{told}: {row.refusal}" if row.refusal else told


def state(row: Outbox, now: int) -> str:
    """The state of an email in words."""
    if row.outcome:
        return row.outcome
    if row.lease_until > now:
        return f"waits until {rfc3339(row.lease_until)[:19]}Z"
    return "due" if row.run_at <= now else "not due yet"
