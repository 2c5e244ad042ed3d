"""Links in emails with which a player chooses which emails to receive. A GET shows them, a POST changes one kind."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.words.words import phrases
from service.notifications.mail_texts.mail_links import read_purpose_link
from service.outbox import digests
from service.outbox.unsubscriptions import DIGESTS
from service.people import players
from service.people.accounts import preferences
from service.people.accounts.preferences import MAIL_KINDS
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.caller.context import current_services
from service.web.http.headers.cross_site import from_anywhere
from service.web.links.link_schemas import MailsQuery
from service.web.links.questions import Button, Question, Way, ask, speak_to
from service.web.page.game_page import html_not_found

bp = Blueprint("mails_link", __name__, url_prefix="/mails")


@bp.get("/<token>")
@html_not_found
def get_mails(token: str) -> Response:
    """Show which mails the player receives; nothing is changed."""
    return form(read(token))


@bp.post("/<token>")
@from_anywhere
@html_not_found
@parse_query(MailsQuery)
def change_mails(query: Json, token: str) -> Response:
    """Resume or stop the emails of a kind, or send one a day instead of one for each turn. The body is not read."""
    player_id, services = read(token), current_services()
    if "instead" in query:
        preferences.change(services, player_id, {"digest": DIGESTS[query["instead"]]})
    for wanted, name in ((False, "stop"), (True, "send")):
        if name in query:
            kept = [each for each in preferences.unwanted_kinds(player_id) if each != query[name]]
            unwanted = kept if wanted else [*kept, query[name]]
            preferences.change(services, player_id, {"unwanted": unwanted})
    return form(player_id)


def read(token: str) -> str:
    """The id of the player to whom this link was mailed. Raises NotFound, HandedOver."""
    seat = read_purpose_link(current_services(), "mails", token)
    speak_to(seat.player_id)
    return seat.player_id


def form(player_id: str) -> Response:
    """The page with each kind of mail, and a button that stops or resumes it."""
    player, unwanted = players.get(player_id), preferences.unwanted_kinds(player_id)
    words = phrases(player.language)
    buttons = [Button(words.say("stop.each" if player.digest else "stop.digest"), _instead(player))]
    for kind in MAIL_KINDS:
        if kind != digests.KIND:
            do = "send" if kind in unwanted else "stop"
            what = {"what": words.say(f"page.mail-settings.kind.{kind}")}
            buttons.append(Button(words.say(f"link.mails.{do}", what), f"?{do}={kind}"))
    once = ("page.mail-settings.digest", "page.colon", "page.mail-settings.digest.hint")
    said = ["".join(map(words.say, once)), words.say("link.mails.rest")]
    ways = [Way(words.say("page.me.title"), "/plain/me")]
    return ask(words, Question(words.say("mail.way.mails"), said, buttons, ways))


def _instead(player: players.PlayerRow) -> str:
    return "?instead=each" if player.digest else "?instead=digest"
