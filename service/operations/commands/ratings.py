"""`tegami ratings` and `tegami played`: the numbers about people, and computing all of them again."""

from __future__ import annotations

import click
from sqlalchemy import func, select

from service.core.database.database import db
from service.core.models.games import Game
from service.core.models.ratings import Rating
from service.operations.audited import AuditedCommand, about
from service.people.ratings import ratings as rated
from service.people.ratings.played import counting
from service.web.app import own_app


@click.command(cls=AuditedCommand)
@click.option("--recompute", is_flag=True, help="Work out all ratings again, from results alone.")
def ratings(recompute: bool) -> None:
    """Say how many players are rated in each ruleset, and in which rulesets games wait to be rated.

    With --recompute, work out all numbers again from results alone; replace stored numbers that differ, and count them.
    The server can keep running.
    """
    with own_app().app_context():
        if not recompute:
            _list()
            return
        changed = 0
        for each in rated.recompute():
            changed += each.changed
            click.echo(f"{each.ruleset}: {each.games} games, {each.changed} numbers changed")
    about(f"{changed} numbers")
    click.echo(f"{changed} numbers changed")


def _list() -> None:
    """Print the rulesets that have ratings."""
    counted = select(Rating.ruleset, func.count()).group_by(Rating.ruleset).order_by(Rating.ruleset)
    for ruleset, number in db.session.execute(counted).all():
        click.echo(f"{ruleset}: {number} rated")
    for ruleset in db.session.scalars(rated.waiting_rulesets()):
        click.echo(f"{ruleset}: games wait to be rated")


@click.command(cls=AuditedCommand)
@click.option(
    "--recount", is_flag=True, help="Work out all sums again from what is kept of each game."
)
@click.option("--from-logs", is_flag=True, help="Let all games be counted again from their logs.")
def played(recount: bool, from_logs: bool) -> None:
    """Say how many finished games are counted for the pages of their players, and how many wait to be counted.

    With --recount, work out the sums again from what is kept of each game; replace stored sums that differ, and say how
    many did. With --from-logs, forget everything, and let the worker count all games again; until then, pages are
    incomplete.
    """
    with own_app().app_context():
        if from_logs:
            counting.forget()
            about("all games")
        elif recount:
            done = counting.recount()
            about(f"{done.changed} sums")
            click.echo(f"{done.sums} sums, {done.changed} changed")
            return
        counted = select(Game.counted, func.count()).where(Game.ended_at.is_not(None))
        found = db.session.execute(counted.group_by(Game.counted)).all()
    numbers: dict[bool | None, int] = {row[0]: row[1] for row in found}
    click.echo(f"{numbers.get(True, 0)} games counted")
    click.echo(f"{numbers.get(None, 0)} games wait to be counted")
    if numbers.get(False):
        click.echo(f"{numbers[False]} games cannot be read")
