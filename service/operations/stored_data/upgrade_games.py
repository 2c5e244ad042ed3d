"""`tegami upgrade-games`: brings running games to a newer version of their rules if the new version allows
their logs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from typing import NamedTuple

import click
from sqlalchemy import select

import rules
from service.core.database.database import db, release_connection, transaction
from service.core.database.failures import UnreadableLog
from service.core.models.games import Game
from service.core.runtime.problems import NotFound
from service.log.event_log import NotLegal
from service.log.table_rows.table import find
from service.operations.audited import AuditedCommand, about
from service.tables.play import service_events
from service.tables.services import Services
from service.web.app import own_app

SOME_STAY = 3
"""The exit code if at least one game keeps its version."""


class Upgrade(NamedTuple):
    """The result for a game: its earlier version and, if the game keeps it, the reason."""

    game: str
    version: int
    reason: str | None


@click.command("upgrade-games", cls=AuditedCommand)
@click.argument("slug")
@click.option("--to", type=click.IntRange(1), help="The version; without it, the newest.")
@click.option("--dry-run", is_flag=True, help="Only say what would become of each game.")
def upgrade_games(slug: str, to: int | None, dry_run: bool) -> None:
    """Bring running games of SLUG to a newer version of the rules.

    A game keeps its version if the new one does not allow its log, or if the log is damaged; it is listed with the
    event that differs. The exit code is 0 if no game stays, 3 if some do, 1 after a failure, and 2 for a game or a
    version that does not exist.
    """
    known = rules.versions(slug)
    if not known:
        raise click.UsageError(f"There is no game {slug}; there are {', '.join(rules.slugs())}.")
    if to is not None and to not in known:
        raise click.UsageError(f"There is no version {to} of {slug}; there are {known}.")
    newer, app = to or known[-1], own_app()
    stay = go_on = 0
    with app.app_context():
        for outcome in upgrade_all(app.extensions["tegami"], slug, newer, dry_run=dry_run):
            if outcome.reason is None:  # the line about a game names no card
                go_on += 1
                click.echo(f"{outcome.game}  version {outcome.version} -> {newer}")
            else:
                stay += 1
                click.echo(f"{outcome.game}  stays at version {outcome.version}: {outcome.reason}")
    about(f"{slug}, version {newer}, {go_on} games")
    would = "would go on" if dry_run else "go on"
    click.echo(f"{go_on} {would} by version {newer}, {stay} stay")
    sys.exit(SOME_STAY if stay else 0)


def upgrade_all(services: Services, slug: str, to: int, *, dry_run: bool) -> Iterator[Upgrade]:
    """Bring every running game of an older version to version `to`, each in a separate transaction; yields
    the results.
    """
    older = (Game.ruleset == slug, Game.version < to, Game.status == "running")
    query = select(Game.id, Game.version).where(*older).order_by(Game.key)
    for game_id, version in db.session.execute(query).all():
        try:
            outcome = upgrade(services, game_id, to, dry_run=dry_run)
        except UnreadableLog as damaged:
            outcome = Upgrade(game_id, version, f"{damaged.cause} (tegami check says more)")
        if outcome is not None:
            yield outcome


def upgrade(services: Services, game_id: str, to: int, *, dry_run: bool) -> Upgrade | None:
    """Bring a game to version `to`, or only report what would happen; None if the game no longer runs under an older
    version.

    Raises UnreadableLog.
    """
    release_connection()
    with nullcontext() if dry_run else transaction():
        try:
            table = find(game_id, lock=not dry_run)
        except NotFound:
            return None
        if table.game.status != "running" or table.game.version >= to:
            return None
        try:
            if dry_run:
                service_events.by_version(table, to)
            else:
                service_events.change_version(services, table, to)
        except NotLegal as reason:
            return Upgrade(game_id, table.game.version, str(reason))
        return Upgrade(game_id, table.game.version, None)
