"""The game of a request, and the response that shows it to the caller."""

from __future__ import annotations

from flask import request

from rules.kernel import Json, State
from service.core.settings.config import Config
from service.log.table_rows import private_tables
from service.log.table_rows.table import GameRow, Table, find
from service.tables.play import leaving
from service.tables.views.game_view import GameAnswer, Viewer
from service.web.http.caller.caller import caller, table_with_caller
from service.web.http.caller.context import current_services, preferred_language

SCOPE = "read"
"""The scope that a token needs to see a game."""


def visible_table(game_id: str) -> Table:
    """The table, if the caller may see it. Raises NotFound otherwise."""
    player, secret = caller(), current_services().config.secret_key
    table = table_with_caller() or find(game_id)
    private_tables.refuse_strangers(table, player and player.id, sent_key(), secret)
    return table


def sent_key() -> str | None:
    """The key of an invitation that the caller has sent; None if there is none."""
    return request.headers.get("Invitation")


def game_answer(table: Table, state: State | None = None) -> GameAnswer:
    """The game as the caller may see it. The state of a started game is loaded unless `state` is given."""
    services, player = current_services(), caller()
    if state is None and table.game.number:
        state = services.states.load(table.game)
    player_id = player and player.id
    held = leaving.held_by(table, player_id)
    link = _invitation_link(services.config, table.game) if table.game.private else None
    shortest, now = services.config.poll_after, services.now()
    viewer = Viewer(player_id, preferred_language(), shortest, link, held, now=now)
    return GameAnswer(table, state, viewer, services.heads)


def whole_game(table: Table, state: State | None = None) -> Json:
    """The whole response as JSON (Game in openapi.yaml). The state of a started game is loaded unless `state`
    is given.
    """
    return game_answer(table, state).whole()


def invitation_address(table: Table) -> str:
    """The address that people at a table send to others, so that they can sit down there."""
    config = current_services().config
    if table.game.private:
        return _invitation_link(config, table.game)["url"]
    return f"{config.public_url}/games/{table.game.id}"


def _invitation_link(config: Config, game: GameRow) -> dict[str, str]:
    key = private_tables.table_key(game, config.secret_key)
    return {"url": f"{config.public_url}/games/{game.id}#invitation={key}", "key": key}
