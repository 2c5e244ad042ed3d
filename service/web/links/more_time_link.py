"""Links in emails with which a player asks the table for extra time. A GET shows the time, and a POST asks."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.problems import Problem
from service.core.runtime.units import DAY, SECOND
from service.core.words.words import duration
from service.log.table_rows.table import Table
from service.notifications.mail_texts.game_for_reader import GameForReader
from service.notifications.mail_texts.mail_links import (
    LinkedSeat,
    read_purpose_link,
)
from service.notifications.mail_texts.times import deadline_words
from service.people import players
from service.people.accounts.preferences import time_zone
from service.tables.play import proposals
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.caller.context import current_services
from service.web.http.headers.cross_site import from_anywhere
from service.web.links.link_schemas import DAYS, DaysQuery
from service.web.links.questions import Button, Question, Way, ask, attempted, speak_to
from service.web.page.game_page import html_not_found

bp = Blueprint("more_time_link", __name__, url_prefix="/extensions")


@bp.get("/<token>")
@html_not_found
def get_extension(token: str) -> Response:
    """Show the deadline, and offer to ask for extra time; nothing is proposed."""
    return form(read(token))


@bp.post("/<token>")
@from_anywhere
@html_not_found
@parse_query(DaysQuery)
def ask_for_extension(query: Json, token: str) -> Response:
    """Propose extra time to the table, or explain why that is not allowed. The body is not read."""
    seat, services = read(token), current_services()
    wish = {"kind": "extend", "seconds": query["days"] * DAY // SECOND}
    game_id, player_id = seat.table.game.id, seat.player_id
    table, problem = attempted(lambda: proposals.propose(services, game_id, player_id, wish))
    return form(seat, problem) if table is None else asked(seat, table)


def read(token: str) -> LinkedSeat:
    """The seat of this link. Raises NotFound, HandedOver."""
    seat = read_purpose_link(current_services(), "extensions", token)
    speak_to(seat.player_id)
    return seat


def form(seat: LinkedSeat, problem: Problem | None = None) -> Response:
    """The page with the time left and a button for each number of days; or the page of a finished game."""
    game = game_of(seat, seat.table)
    ways = [Way(game.words.say("mail.open"), game.own_url)]
    if game.table.game.status != "running":
        return ask(game.words, Question(game.words.say("page.turn.over"), ways=ways))
    due = deadline_words(game, time_zone(players.get(seat.player_id)))
    said = [game.words.say("name"), *([due.when] if seat.person.waiting else [])]
    said.append(game.words.say("link.time.what"))
    buttons = [Button(duration(days * DAY, game.words), f"?days={days}") for days in DAYS]
    question = Question(game.words.say("mail.way.time"), said, buttons, ways)
    return ask(game.words, question, problem)


def asked(seat: LinkedSeat, table: Table) -> Response:
    """The page after asking: the others have to vote or, if all of them are house players, the time is granted."""
    game = game_of(seat, table)
    mine = [each for each in proposals.open_proposals(table) if each.player_id == seat.player_id]
    outcome = "asked" if any(each.kind == "extend" for each in mine) else "granted"
    ways = [Way(game.words.say("mail.open"), game.own_url)]
    return ask(game.words, Question(game.words.say(f"link.time.{outcome}"), ways=ways))


def game_of(seat: LinkedSeat, table: Table) -> GameForReader:
    """The table as the player sees it."""
    language = players.get(seat.player_id).language
    return GameForReader(current_services(), table, seat.player_id, language)
