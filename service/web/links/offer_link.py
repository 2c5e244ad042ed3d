"""Links in emails with which a player sits down: at a place kept for them, or for a rematch.

A GET shows the table, and a POST sits down. Neither signs anybody in.
"""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.problems import NotFound, Problem
from service.core.words.words import Phrases, phrases
from service.log.table_rows import invitation_queries
from service.log.table_rows.table import Table, find
from service.notifications.mail_texts.before_start import table_terms
from service.notifications.mail_texts.mail_links import (
    LinkedSeat,
    read_offer_link,
    read_purpose_link,
    table_link,
)
from service.people import players
from service.people.names import harmless
from service.tables.before_start import invitations, rematch, table_setup
from service.tables.views.people_names import name_in_text
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.caller.context import current_services
from service.web.http.headers.cross_site import from_anywhere
from service.web.http.limits import attempt_limits
from service.web.links.link_schemas import SittingQuery
from service.web.links.questions import (
    Button,
    Question,
    Way,
    ask,
    attempted,
    insisting,
    speak_to,
)
from service.web.page.game_page import html_not_found

bp = Blueprint("offer_link", __name__)


@bp.get("/offers/<token>")
@html_not_found
def get_offer(token: str) -> Response:
    """Show the table to which the player is invited; nobody sits down."""
    table, player_id = read_offer(token)
    return offer(table, player_id, token)


@bp.post("/offers/<token>")
@from_anywhere
@html_not_found
@parse_query(SittingQuery)
def take_offer(query: Json, token: str) -> Response:
    """Sit down at the offered table, or explain why that is not allowed. The body is not read."""
    table, player_id = read_offer(token)
    if table.person(player_id):
        return seated(table, player_id)
    services, game_id = current_services(), table.game.id
    sat, problem = attempted(lambda: table_setup.sit(services, game_id, player_id, query))
    if sat is None:
        return offer(table, player_id, token, problem)
    return seated(sat, player_id, just_now=True)


@bp.get("/rematches/<token>")
@html_not_found
def get_rematch(token: str) -> Response:
    """Ask whether to play a rematch; no table is opened."""
    return again(read_rematch(token))


@bp.post("/rematches/<token>")
@from_anywhere
@html_not_found
@parse_query(SittingQuery)
def play_rematch(query: Json, token: str) -> Response:
    """Open a table for a rematch, or sit down at the existing one. The body is not read."""
    seat, services = read_rematch(token), current_services()
    wish = {"nonce": None, **query}

    def opened() -> Table:
        with attempt_limits.counted(attempt_limits.table(seat.player_id)):
            return rematch.rematch(services, seat.table.game.id, seat.player_id, wish)[0]

    table, problem = attempted(opened)
    return again(seat, problem) if table is None else seated(table, seat.player_id)


def read_offer(token: str) -> tuple[Table, str]:
    """The table, and the id of the player who is invited there or already sits there. Raises NotFound."""
    link, player_id = read_offer_link(current_services().config, token)
    table = find(link.game_id)
    is_invited = invitations.find_one(
        link.invitation_id
    ) is not None and invitation_queries.is_invited(table.game.key, player_id)
    if not is_invited and table.person(player_id) is None:
        raise NotFound
    speak_to(player_id)
    return table, player_id


def read_rematch(token: str) -> LinkedSeat:
    """The seat in this link, whose player wants a rematch. Raises NotFound, HandedOver."""
    seat = read_purpose_link(current_services(), "rematches", token)
    speak_to(seat.player_id)
    return seat


def words_of(table: Table, player_id: str) -> Phrases:
    """The words of the game, in the player's language."""
    return phrases(players.get(player_id).language, table.game.ruleset, table.game.version)


def there(table: Table, words: Phrases) -> str:
    """The names of the people at the table."""
    names = [words.called(harmless(name_in_text(each, words))) for each in table.sat]
    return words.say("plain.invited.table", {"names": words.listed(names)})


def offer(table: Table, player_id: str, token: str, problem: Problem | None = None) -> Response:
    """The page about the game, the people and the pace, with a button to sit down."""
    if table.person(player_id):
        return seated(table, player_id)
    words = words_of(table, player_id)
    said = [words.say("summary"), there(table, words), *table_terms(table, words)]
    as_whom = {"name": players.get(player_id).name}
    said.append(words.say("link.offer.as", as_whom))
    sit = Button(words.say("page.waiting-room.sit"), main=True)
    buttons = insisting(words, problem) or [sit]
    link, _ = read_offer_link(current_services().config, token)
    decline = invitations.decline_link(current_services().config, link.invitation_id)
    ways = [Way(words.say("page.rated.more"), "/plain/ratings")] if table.game.rated else []
    ways.append(Way(words.say("mail.invitation.decline"), decline))
    return ask(words, Question(words.say("name"), said, buttons, ways), problem)


def again(seat: LinkedSeat, problem: Problem | None = None) -> Response:
    """The page about what happens in a rematch."""
    words = words_of(seat.table, seat.player_id)
    said = [words.say("name"), words.say("link.rematch.what")]
    if seat.table.game.rated:
        said.append(words.say("page.rated.what"))
    buttons = insisting(words, problem) or [Button(words.say("page.result.again"), main=True)]
    over = seat.table.game.is_over
    question = Question(words.say("page.result.again"), said, buttons if over else [])
    return ask(words, question, problem)


def seated(table: Table, player_id: str, *, just_now: bool = False) -> Response:
    """The page that says that the player sits there, with a link to the table (the mailed one, once the game has
    begun).
    """
    words, person = words_of(table, player_id), table.seated(player_id)
    next_step = "link.sat.begun" if table.game.status == "running" else "link.sat.waits"
    said = [words.say("name"), there(table, words), words.say(next_step)]
    link = table_link(current_services().config, person)
    is_shown = just_now or table.game.status == "open"
    ways = [Way(words.say("mail.open"), link)] if is_shown else []
    return ask(words, Question(words.say("link.sat"), said, ways=ways))
