"""`tegami people`: lists and shows players and pairs who always meet, makes admission codes, and erases a player."""

from __future__ import annotations

import click
from sqlalchemy import Row, func, or_, select

from service import personal_data
from service.core.database.database import db
from service.core.models.games import Game, Tenure
from service.core.models.people import Account, Credential, Player
from service.core.runtime.plain_text import for_terminal
from service.core.runtime.time_and_random import rfc3339
from service.core.runtime.units import DAY
from service.operations.audited import AuditedGroup, about
from service.people.accounts import admission_codes
from service.people.ratings.estimates import SCALE
from service.people.ratings.pairs import often
from service.web.app import own_app
from service.web.http.caller.context import current_services

_player, _account = Player.metadata.tables["players"], Account.metadata.tables["accounts"]
_tenure, _game = Tenure.metadata.tables["tenures"], Game.metadata.tables["games"]


_PLAYERS = (
    select(
        *(_player.c[name] for name in ("id", "name", "language", "created_at")),
        *(_account.c[name] for name in ("handle", "address", "pending", "password")),
        _account.c.registered_at,
    )
    .outerjoin_from(_player, _account, _account.c.player_id == _player.c.id)
    .where(_player.c.erased_at.is_(None))
)
"""The query for players with their accounts, whose columns are None for guests."""


@click.group("people", cls=AuditedGroup)
def group() -> None:
    """List, show, compare, invite and erase players."""


@group.command("list")
@click.option("--guests/--no-guests", default=False, help="Guests too.")
@click.option(
    "--most", type=click.IntRange(1), default=100, show_default=True, help="How many lines."
)
def list_people(guests: bool, most: int) -> None:
    """List players, newest first: id, handle, first day, name."""
    with own_app().app_context():
        query = _PLAYERS.order_by(_player.c.created_at.desc(), _player.c.id).limit(most)
        shown = query if guests else query.where(_account.c.handle.is_not(None))
        for row in db.session.execute(shown):
            handle = f"@{row.handle}" if row.handle else "(guest)"
            click.echo(
                f"{row.id}  {handle:<25}  {rfc3339(row.created_at)[:10]}  {for_terminal(row.name)}"
            )


@group.command()
@click.argument("who")
def show(who: str) -> None:
    """Show one player, by id, handle or verified address."""
    with own_app().app_context():
        row = found(who)
        mine = (_tenure.c.player_id == row.id) & _tenure.c.ended_at.is_(None)
        held = select(func.count()).join_from(_tenure, _game, _game.c.key == _tenure.c.game_key)
        seen = select(func.max(Credential.seen_at)).where(Credential.player_id == row.id)
        seen_at = db.session.scalar(seen)
        games = db.session.scalar(held.where(mine, _game.c.status != "over"))
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
            "was here": seen_at and rfc3339(seen_at),
            "seats now": games,
        }
        for name, value in told.items():
            click.echo(f"{name:<20}{'-' if value is None else for_terminal(str(value))}")


@group.command()
@click.option(
    "--days", type=click.IntRange(1, 3650), default=90, show_default=True, help="Since when."
)
@click.option(
    "--least", type=click.IntRange(1), default=10, show_default=True, help="Games together."
)
@click.option(
    "--share",
    type=click.IntRange(1, 100),
    default=50,
    show_default=True,
    help="Per cent of the games of the one who has played less.",
)
@click.option(
    "--most", type=click.IntRange(1), default=50, show_default=True, help="How many lines."
)
def pairs(days: int, least: int, share: int, most: int) -> None:
    """List pairs of people who keep meeting in rated games, and the points that each of them has gained in these."""
    with own_app().app_context():
        since = current_services().now() - days * DAY
        click.echo("together  of all games  points gained  who")
        for pair in often(since, least, share / 100)[:most]:
            played, gains = pair.played, [round(gain / SCALE) for gain in pair.gains]
            click.echo(
                f"{pair.together:>8}  {f'{played[0]}, {played[1]}':<12}  "
                f"{f'{gains[0]:+d}, {gains[1]:+d}':<13}  {', '.join(map(_named, pair.people))}"
            )


def _named(player_id: str) -> str:
    """The id of a player and, if there is one, the handle."""
    handle = db.session.scalar(select(_account.c.handle).where(_account.c.player_id == player_id))
    return f"{player_id} @{handle}" if handle else player_id


@group.command()
@click.option(
    "--days",
    type=click.IntRange(1, 3650),
    default=30,
    show_default=True,
    help="How long the code is valid.",
)
@click.option(
    "--number", type=click.IntRange(1, 1000), default=1, show_default=True, help="How many codes."
)
def invite(days: int, number: int) -> None:
    """Make codes, each of which lets one person register if REGISTRATION is `invited`."""
    with own_app().app_context():
        services = current_services()
        for _ in range(number):
            code = admission_codes.create(services, days)
            click.echo(f"{services.config.public_url}/#invited={code}")


@group.command()
@click.argument("who")
@click.option("--yes", is_flag=True, help="Do not ask.")
def erase(who: str, yes: bool) -> None:
    """Erase a player: house players take the seats, games stay readable."""
    with own_app().app_context():
        row = found(who)
        if not yes:
            click.confirm(
                f"Erase {row.id}, {for_terminal(row.name)}? This cannot be undone.", abort=True
            )
        personal_data.erase(current_services(), row.id)
    click.echo(f"{row.id} is erased")


def found(who: str) -> Row[*tuple[object, ...]]:
    """The player with this id, handle or verified address. Raises ClickException."""
    folded = who.lower()
    known = or_(_player.c.id == who, _account.c.handle == folded, _account.c.folded == folded)
    row = db.session.execute(_PLAYERS.where(known)).one_or_none()
    if row is None:
        raise click.ClickException(f"There is no player {who}")
    about(row.id)
    return row
