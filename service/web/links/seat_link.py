"""Links in mails that show a seat's table, and that take back a seat from a house player. A GET changes nothing."""

from __future__ import annotations

from flask import Blueprint, Response

from service.core.runtime.problems import Problem
from service.notifications.mail_texts.game_for_reader import GameForReader
from service.notifications.mail_texts.mail_links import read_seat_link, read_table_link
from service.people import players
from service.tables.play import leaving
from service.tables.views.history_view import since_last_turn
from service.web.http.caller.context import current_services
from service.web.http.headers.cross_site import from_anywhere
from service.web.http.limits.cause import act_for
from service.web.page.game_page import game_page, handed_over_page, html_not_found

bp = Blueprint("seat_link", __name__)


@bp.get("/tables/<token>")
@html_not_found
def get_seated_table(token: str) -> Response:
    """Show the table as the seat sees it now, with what can be done if it is asked something."""
    services = current_services()
    table, player_id = read_table_link(services.config, token)
    game = GameForReader(services, table, player_id, players.get(player_id).language)
    since = since_last_turn(services, game.answer)
    return game_page("own_table.html", game, since=since)


@bp.get("/seats/<token>")
@html_not_found
def get_seat(token: str) -> Response:
    """Say who holds the seat now, and offer to take it back."""
    return handed_over_page(read_seat_link(current_services().config, token))


@bp.post("/seats/<token>")
@from_anywhere
@html_not_found
def take_seat_back(token: str) -> Response:
    """Take the seat back; if that is not possible any more, say so. The body is not read."""
    services = current_services()
    seat = read_seat_link(services.config, token)
    act_for(seat.player_id)
    try:
        leaving.return_to_seat(services, seat.table.game.id, seat.player_id)
    except Problem as problem:
        if problem.status not in {409, 422}:
            raise
    return handed_over_page(read_seat_link(services.config, token))
