"""`tegami outbox`: mails that wait or were lost, and another try for them. Addresses are not shown."""

from __future__ import annotations

from typing import Any

import click
from sqlalchemy import and_, or_, select, update

from service import create_app
from service.api.common import Tools
from service.database import db, transaction
from service.models_mail import Outbox
from service.outbox import LEASE
from service.outside import rfc3339

MOST_NUMBER = 2**31 - 1
"""The highest number of a mail that the column holds."""
LOST = ("failed", "expired")
"""Outcomes of mails that were to be sent and were not."""

_outbox = Outbox.metadata.tables["outbox"]


@click.group("outbox")
def group() -> None:
    """Mails: what waits, what was lost, another try."""


@group.command("list")
@click.option("--all", "every", is_flag=True, help="Those that are done, too.")
@click.option(
    "--most", type=click.IntRange(1), default=100, show_default=True, help="How many lines."
)
def list_mails(every: bool, most: int) -> None:
    """Mails that wait or were lost, the newest first."""
    open_or_lost = or_(_outbox.c.done_at.is_(None), _outbox.c.outcome.in_(LOST))
    query = select(_outbox).order_by(_outbox.c.run_at.desc(), _outbox.c.id.desc()).limit(most)
    app = create_app()
    kit: Tools = app.extensions["tegami"]
    with app.app_context():
        for row in db.session.execute(query if every else query.where(open_or_lost)):
            click.echo(line(row, kit.outside.now()))


@group.command()
@click.argument("mails", nargs=-1, type=click.IntRange(1, MOST_NUMBER))
@click.option("--lost", is_flag=True, help="All that were refused or given up.")
def requeue(mails: tuple[int, ...], lost: bool) -> None:
    """Try these mails (their numbers in the list) again at once.

    A mail that no longer matters is not sent then either; nor is one to an address that its server has refused, until
    the address is verified anew.
    """
    if bool(mails) == lost:
        raise click.UsageError("Say which mails, or --lost.")
    app = create_app()
    kit: Tools = app.extensions["tegami"]
    with app.app_context():
        which = _outbox.c.outcome.in_(LOST) if lost else _outbox.c.id.in_(mails)
        number = try_again(kit.outside.now(), which)
    click.echo(f"{number} to be sent again")
    if mails and number < len(set(mails)):
        raise click.ClickException("The others are due within minutes anyway, done, or not there.")


def try_again(now: int, which: Any) -> int:
    """Make mails due now that were lost or that rest after a failure; the number of them.

    One that a courier may have in hand is left alone: it would be sent twice.
    """
    lost = _outbox.c.outcome.in_(LOST)
    resting = and_(_outbox.c.done_at.is_(None), _outbox.c.lease_until > now + LEASE)
    again = {"done_at": None, "outcome": None, "run_at": now, "lease_until": 0}
    with transaction():
        done = db.session.execute(update(_outbox).where(which, or_(lost, resting)).values(again))
        return int(done.rowcount)  # type: ignore[attr-defined]


def line(row: Any, now: int) -> str:
    """A mail as the terminal shows it."""
    to = row.player_id or "(an address)"
    told = f"{row.id:>8}  {rfc3339(row.run_at)[:19]}Z  {row.kind:<16}{to:<26}{state(row, now)}"
    return f"{told}, tried {row.attempts}x" if row.attempts else told


def state(row: Any, now: int) -> str:
    """What has become of a mail."""
    if row.outcome:
        return str(row.outcome)
    if row.lease_until > now:
        return f"rests until {rfc3339(row.lease_until)[:19]}Z"
    return "due" if row.run_at <= now else "not due yet"
