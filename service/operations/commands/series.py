"""`tegami series`: the series that the operator sets up for everybody."""

from __future__ import annotations

import click
from marshmallow import ValidationError

from rules.kernel import Json
from service.core.database.database import transaction
from service.core.runtime.problems import Problem
from service.core.runtime.units import DAY
from service.operations.audited import AuditedGroup, about
from service.people.circles.series import entries, series
from service.tables.before_start import series_rounds
from service.tables.services import Services
from service.web.api.series_schemas import NewSeries
from service.web.app import own_app


@click.group(cls=AuditedGroup)
def series_for_all() -> None:
    """Open, list or end the series that everybody may join."""


@series_for_all.command("open")
@click.argument("name")
@click.argument("ruleset")
@click.option("--players", type=int, help="The seats of a table; by default the fewest possible.")
@click.option("--pace", default="daily", show_default=True, help="The pace of the games, by name.")
@click.option("--starts-in", type=int, default=7, show_default=True, help="Days until it begins.")
@click.option("--round-days", type=int, default=14, show_default=True, help="Days of a round.")
@click.option("--rounds", type=int, help="How many; by default as suits the number of people.")
@click.option("--repeats", is_flag=True, help="Open another season when one is over.")
def open_one(
    name: str,
    ruleset: str,
    players: int | None,
    pace: str,
    starts_in: int,
    round_days: int,
    rounds: int | None,
    repeats: bool,
) -> None:
    """Open a series with this NAME of the game RULESET, which everybody with an account may join."""
    table: Json = {"ruleset": ruleset, "pace": pace}
    if players is not None:
        table["players"] = players
    terms: Json = {"name": name, "table": table, "starts_in": starts_in, "round_days": round_days}
    try:
        wish = NewSeries().load({**terms, "rounds": rounds, "repeats": repeats})
    except ValidationError as wrong:
        raise click.ClickException(f"not possible: {', '.join(map(str, wrong.messages))}") from None
    app = own_app()
    services: Services = app.extensions["tegami"]
    with app.app_context():
        wish["starts_at"] = services.now() + wish["starts_in"] * DAY
        try:
            made = series_rounds.set_up_for_all(services, wish)
        except Problem as problem:
            raise click.ClickException(f"not possible: {problem.slug}") from None
    about(made.id)
    click.echo(f"{made.id} {made.name}")


@series_for_all.command("list")
def list_all() -> None:
    """List the series for everybody, the latest first."""
    with own_app().app_context():
        for each in series.listed(None):
            people = entries.number_in(each.key)
            what = f"season {each.season}, {each.status}, round {each.round}, {people} people"
            click.echo(f"{each.id} {each.name}: {what}")


@series_for_all.command("end")
@click.argument("series_id")
def end_one(series_id: str) -> None:
    """End the series with this id, whoever has set it up; one that has not begun is forgotten."""
    app = own_app()
    services: Services = app.extensions["tegami"]
    with app.app_context(), transaction():
        try:
            row = series.find(series_id, lock=True)
        except Problem:
            raise click.ClickException("there is no such series") from None
        series_rounds.end_now(services, row)
    about(series_id)
    click.echo(f"{series_id} has ended")
