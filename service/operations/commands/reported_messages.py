"""`tegami reports`: messages that people have reported to the operator."""

from __future__ import annotations

import click

from service.core.runtime.plain_text import for_terminal
from service.core.runtime.problems import NotFound
from service.core.runtime.time_and_random import Runtime, rfc3339
from service.operations.audited import AuditedGroup, about
from service.tables.talk import reported_messages
from service.web.app import own_app


@click.group(name="reports", cls=AuditedGroup)
def group() -> None:
    """Messages that people have reported."""


@group.command(name="list")
@click.option("--all", "closed", is_flag=True, help="Closed ones too.")
def list_reports(closed: bool) -> None:
    """List the open reports, oldest first, with the messages."""
    with own_app().app_context():
        found = reported_messages.list_reports(closed=closed)
    for row in found:
        click.echo("\n".join(lines(row)) + "\n")
    click.echo(f"{len(found)} in all")


@group.command(name="close")
@click.argument("report")
@click.option("--hide", is_flag=True, help="Hide the message from everybody, too.")
def close_report(report: str, hide: bool) -> None:
    """Close a report."""
    with own_app().app_context():
        try:
            reported_messages.close(Runtime(), report, hide=hide)
        except NotFound:
            raise click.ClickException(f"There is no report {report}.") from None
    about(f"{report} (hidden)" if hide else report)
    click.echo(f"Closed {report}" + (", and the message is hidden." if hide else "."))


def quoted(text: str) -> str:
    """Somebody's text, with a mark before each line."""
    return "\n".join(f"    | {for_terminal(line)}" for line in text.split("\n"))


def lines(row: reported_messages.ReportRow) -> list[str]:
    """The lines of a report in the list."""
    closed = f", closed {rfc3339(row.closed_at)}" if row.closed_at else ""
    told = [
        f"{row.id} of {rfc3339(row.made_at)} by {for_terminal(row.reporter or '(gone)')}{closed}",
        f"  {row.channel} of {row.game_id}, {rfc3339(row.said_at)}, {for_terminal(row.author or '(gone)')} said:",
        quoted(row.text),
    ]
    why = ["  because:", quoted(row.why)] if row.why else []
    return told + why
