"""`tegami check`: whether the logs of games are unchanged and agree with the rest of the database.

This module also has `tegami bring-back`, which puts the logs in cold storage back into the database.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

import click
from sqlalchemy import select

from service.core.database.database import db, release_connection
from service.core.database.failures import UnreadableLog
from service.core.models.games import Game
from service.log.records.cold_storage import ColdStorageOutOfReach
from service.log.verification import cold_moves, log_checks
from service.operations.audited import AuditedCommand
from service.tables.services import Services
from service.web.app import create_app, own_app

SOME_DAMAGED = 3
"""The exit code if something is wrong with at least one game."""


@click.command("check")
@click.argument("game_ids", nargs=-1, metavar="[GAME …]")
def check(game_ids: tuple[str, ...]) -> None:
    """Check every game, or those of these ids: chains of events, shuffles, positions and results. The server may run.

    Each damaged game is printed on a line. The exit code is 0 if there is none, 3 if there is, 1 after a failure, such
    as cold storage that is out of reach, and 2 for a game that does not exist.
    """
    app = create_app()
    services: Services = app.extensions["tegami"]
    whole = damaged = unread = 0
    with app.app_context():
        for game_id in _known(game_ids) or log_checks.all_games():
            try:
                found = log_checks.check_and_note(game_id, services.now())
            except ColdStorageOutOfReach as store:
                unread += 1
                click.echo(f"{game_id}  in cold storage, which is out of reach: {store.cause}")
                continue
            if found is None:
                whole += 1
            else:
                damaged += 1
                click.echo(f"{game_id}  {found.what}")
    told = f"{whole} whole, {damaged} damaged"
    click.echo(f"{told}, {unread} out of reach" if unread else told)
    sys.exit(SOME_DAMAGED if damaged else int(unread > 0))


def _known(game_ids: Iterable[str]) -> list[str]:
    """These ids, if each belongs to a game. Raises UsageError otherwise."""
    for game_id in game_ids:
        if db.session.scalar(select(Game.key).where(Game.id == game_id)) is None:
            raise click.UsageError(f"There is no game {game_id}.")
    release_connection()
    return list(game_ids)


@click.command("bring-back", cls=AuditedCommand)
def bring_back() -> None:
    """Put all games in cold storage back into the database, while the server runs without COLD_STORAGE.

    Set COLD_STORAGE only for this command, or the worker moves them there again. The objects in the store stay there.
    It can be interrupted and repeated. The exit code is 1 if a game could not be brought back.
    """
    number, lost = 0, list[str]()
    with own_app().app_context():
        for game_id in cold_moves.cold_games():
            try:
                number += cold_moves.bring_back(game_id)
            except UnreadableLog as damaged:
                lost.append(f"{game_id}  {damaged.cause}")
            except ColdStorageOutOfReach as store:
                told = f"Cold storage is out of reach: {store.cause}."
                raise click.ClickException(f"{number} games are back. {told}") from None
    for line in lost:
        click.echo(line)
    click.echo(f"{number} games are back")
    if lost:
        raise click.ClickException(f"{len(lost)} games could not be brought back.")
