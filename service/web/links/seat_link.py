"""Links in emails that show a seat's table, its past and its record, and that take back a seat from a house player.

A GET changes nothing.
"""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.problems import NotFound
from service.log.records.record import whole_record
from service.notifications.mail_texts.game_for_reader import GameForReader
from service.notifications.mail_texts.game_news import score_lines
from service.notifications.mail_texts.mail_links import (
    HandedOver,
    read_purpose_link,
    read_seat_link,
    read_table_link,
)
from service.people import players
from service.people.accounts.preferences import time_zone
from service.tables.play import leaving
from service.tables.views.history_view import since_last_turn
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.caller.context import current_services
from service.web.http.headers.cross_site import from_anywhere
from service.web.http.limits.cause import act_for
from service.web.links.link_schemas import EventQuery
from service.web.links.questions import Question, ask, attempted
from service.web.page.game_page import game_page, handed_over_page, html_not_found
from service.web.page.past_table import replay_page

bp = Blueprint("seat_link", __name__)


@bp.get("/tables/<token>")
@html_not_found
@parse_query(EventQuery)
def get_seated_table(query: Json, token: str) -> Response:
    """Show the table as the seat sees it now, or saw it after an event, with the choices if it has to act."""
    services = current_services()
    table, player_id = read_table_link(services, token)
    player = players.get(player_id)
    game = GameForReader(services, table, player_id, player.language)
    if table.game.status == "open":
        return before_start(game)
    if "event" in query:
        return replay_page(game, f"/tables/{token}", query["event"], time_zone(player))
    over = table.game.is_over
    return game_page(
        "own_table.html",
        game,
        since=since_last_turn(services, game.answer),
        result=game.body["result"]["words"] if over else None,
        scores=score_lines(game) if over else [],
        replay=f"/tables/{token}?event={1 if over else table.game.number}",
    )


def before_start(game: GameForReader) -> Response:
    """The page about the people who sit there, before the game begins."""
    body, words = game.body, game.words
    seated = {"seated": len(body["seats"]), "players": body["players"]}
    names = words.listed([words.called(name) for name in game.answer.names])
    said = [
        words.say("page.waiting-room.title", seated),
        words.say("plain.invited.table", {"names": names}),
        body["pace"]["detail"],
        words.say("link.sat.waits"),
    ]
    return ask(words, Question(words.say("name"), said))


@bp.get("/records/<token>")
@html_not_found
def get_linked_record(token: str) -> Response:
    """Return the record of a finished game to the people who held seats at the end. Raises NotFound before the end."""
    services = current_services()
    try:
        table = read_purpose_link(services, "records", token).table
    except HandedOver:
        raise NotFound from None
    if not table.game.is_over or table.game.alone:
        raise NotFound
    return Response(
        whole_record(table, services.heads),
        mimetype="application/json",
        headers={"Content-Disposition": f'attachment; filename="{table.game.id}.json"'},
    )


@bp.get("/seats/<token>")
@html_not_found
def get_seat(token: str) -> Response:
    """Show who holds the seat now, and offer to take it back."""
    return handed_over_page(read_seat_link(current_services().config, token))


@bp.post("/seats/<token>")
@from_anywhere
@html_not_found
def take_seat_back(token: str) -> Response:
    """Take the seat back, or explain why that is no longer allowed. The body is not read."""
    services = current_services()
    seat = read_seat_link(services.config, token)
    act_for(seat.player_id)
    game_id, player_id = seat.table.game.id, seat.player_id
    table, _ = attempted(lambda: leaving.return_to_seat(services, game_id, player_id))
    seat = read_seat_link(services.config, token)
    return handed_over_page(seat, taken_back=table is not None)
