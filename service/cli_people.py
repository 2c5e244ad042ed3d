"""`tegami people`: who there is, invitation codes, and erasing somebody."""

from __future__ import annotations

from typing import Any

import click
from sqlalchemy import Select, func, or_, select

from service import admissions, create_app, erasure
from service.api.common import Tools
from service.database import db
from service.models import Credential, Game, Player, Tenure
from service.models_people import Account
from service.outside import rfc3339

_player, _account = Player.__table__, Account.__table__
_tenure, _game = Tenure.__table__, Game.__table__


@click.group("people")
def group() -> None:
    """People: list, show, invite, erase."""


@group.command("list")
@click.option("--guests/--no-guests", default=False, help="Guests too.")
@click.option(
    "--most", type=click.IntRange(1), default=100, show_default=True, help="How many lines."
)
def list_people(guests: bool, most: int) -> None:
    """The newest players first: id, handle, name, day of coming."""
    with create_app().app_context():
        query = _people().order_by(_player.c.created_at.desc(), _player.c.id).limit(most)
        for row in db.session.execute(
            query if guests else query.where(_account.c.handle.is_not(None))
        ):
            handle = f"@{row.handle}" if row.handle else "(guest)"
            click.echo(f"{row.id}  {handle:<25}  {rfc3339(row.created_at)[:10]}  {row.name}")


@group.command()
@click.argument("who")
def show(who: str) -> None:
    """One player, by id, handle or verified address."""
    with create_app().app_context():
        row = found(who)
        held = select(func.count()).where(
            _tenure.c.player_id == row.id, _tenure.c.ended_at.is_(None)
        )
        running = held.join_from(_tenure, _game, _game.c.key == _tenure.c.game_key)
        seen = select(func.max(Credential.seen_at)).where(Credential.player_id == row.id)
        games = db.session.scalar(running.where(_game.c.status != "over"))
        told = {
            "id": row.id,
            "name": row.name,
            "handle": row.handle,
            "address": row.address,
            "unverified address": row.pending,
            "password": "yes" if row.password else "no",
            "language": row.language,
            "came": rfc3339(row.created_at),
            "registered": row.registered_at and rfc3339(row.registered_at),
            "was here": _time(db.session.scalar(seen)),
            "seats now": games,
        }
        for name, value in told.items():
            click.echo(f"{name:<20}{'-' if value is None else value}")


@group.command()
@click.option(
    "--days",
    type=click.IntRange(1, 3650),
    default=30,
    show_default=True,
    help="How long the code is good.",
)
@click.option(
    "--number", type=click.IntRange(1, 1000), default=1, show_default=True, help="How many codes."
)
def invite(days: int, number: int) -> None:
    """Make codes that let one person in each, where REGISTRATION is `invited`."""
    app = create_app()
    kit: Tools = app.extensions["tegami"]
    with app.app_context():
        for _ in range(number):
            code = admissions.make(kit.outside, days)
            click.echo(f"{kit.config.public_url}/#invited={code}")


@group.command()
@click.argument("who")
@click.option("--yes", is_flag=True, help="Do not ask.")
def erase(who: str, yes: bool) -> None:
    """Erase a player: seats go to house players, games stay readable."""
    app = create_app()
    kit: Tools = app.extensions["tegami"]
    with app.app_context():
        row = found(who)
        if not yes:
            click.confirm(f"Erase {row.id}, {row.name}? Nothing brings them back.", abort=True)
        erasure.erase(kit.outside, kit.states, row.id)
    click.echo(f"{row.id} is erased")


def found(who: str) -> Any:
    """The player of this id, handle or verified address. Raises ClickException."""
    known = (
        _player.c.id == who,
        _account.c.handle == who.lower(),
        _account.c.folded == who.lower(),
    )
    row = db.session.execute(_people().where(or_(*known))).one_or_none()
    if row is None:
        raise click.ClickException(f"There is nobody called {who}")
    return row


def _people() -> Select[Any]:
    of_account = ("handle", "address", "pending", "password", "registered_at")
    return (
        select(_player, *(_account.c[name] for name in of_account))
        .outerjoin(_account, _account.c.player_id == _player.c.id)
        .where(_player.c.erased_at.is_(None))
    )


def _time(at: int | None) -> str | None:
    return None if at is None else rfc3339(at)
