"""The game that a request is about, and the answer that shows it to the caller."""

from __future__ import annotations

from flask import request

from rules.kernel import State
from service.core.database import db
from service.game import private_tables
from service.game.table import Table, find
from service.http.accept_language import preferred_language
from service.http.caller import caller, table_with_caller
from service.http.context import current_services
from service.play import leaving
from service.views.game_view import GameAnswer, Viewer


def visible_table(game_id: str) -> Table:
    """The table, if the caller may see it. Raises NotFound."""
    player, secret = caller(), current_services().config.secret_key
    table = table_with_caller() or find(game_id)
    private_tables.refuse_strangers(table, player and player.id, sent_key(), secret)
    return table


def sent_key() -> str | None:
    """The key of an invitation, if the caller has sent one."""
    return request.headers.get("Invitation")


def game_answer(table: Table, state: State | None = None) -> GameAnswer:
    """The game as the caller may see it. Loads the state of a started game unless it is given."""
    services, player = current_services(), caller()
    if state is None and table.game.number:
        state = services.states.load(db.session, table.game)
    link = _invitation_link(table) if table.game.private else None
    held = leaving.held_by(table, player and player.id)
    viewer = Viewer(
        player and player.id, preferred_language(), services.config.poll_after, link, held
    )
    return GameAnswer(table, state, viewer, services.heads)


def _invitation_link(table: Table) -> dict[str, str]:
    config, game_id = current_services().config, table.game.id
    key = private_tables.table_key(table.game, config.secret_key)
    return {"url": f"{config.public_url}/#/games/{game_id}?invitation={key}", "key": key}
