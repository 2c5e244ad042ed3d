"""`tegami check`: whether the logs of games are what they were, and lead to what the database says of them."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import click
from sqlalchemy import select

from service.core.database.database import db, release_connection
from service.core.models.games import Game
from service.log.verification import log_checks
from service.tables.services import Services
from service.web.app import create_app

SOME_DAMAGED = 3
"""The exit code if something is wrong with at least one game."""


@click.command("check")
@click.argument("game_ids", nargs=-1, metavar="[GAME …]")
def check(game_ids: tuple[str, ...]) -> None:
    """Check every game, or those of these ids: chains of events, shuffles, positions and results. The server may run.

    Each game with something wrong is a line. The exit code is 0 if there is none, 3 if there is, 1 after a failure,
    and 2 for a game that does not exist.
    """
    app = create_app()
    services: Services = app.extensions["tegami"]
    whole = damaged = 0
    with app.app_context():
        for game_id in _known(game_ids) or log_checks.all_games():
            found = log_checks.check_and_note(game_id, services.now())
            if found is None:
                whole += 1
            else:
                damaged += 1
                click.echo(f"{game_id}  {found.what}")
    click.echo(f"{whole} whole, {damaged} damaged")
    sys.exit(SOME_DAMAGED if damaged else 0)


def _known(game_ids: Iterable[str]) -> list[str]:
    """These ids. Raises UsageError for one that no game has."""
    for game_id in game_ids:
        if db.session.scalar(select(Game.key).where(Game.id == game_id)) is None:
            raise click.UsageError(f"There is no game {game_id}.")
    release_connection()
    return list(game_ids)
