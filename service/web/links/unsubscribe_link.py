"""Links in mails that stop such mails."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.problems import WrongLink
from service.core.words.words import Phrases
from service.outbox import digests, recipients, unsubscriptions
from service.outbox.unsubscriptions import MailToAddress, MailToPlayer
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.caller.context import current_services
from service.web.http.headers.cross_site import from_anywhere
from service.web.page.page_schemas import UnsubscribeQuery
from service.web.page.rendering import page, words_for

bp = Blueprint("unsubscribe_link", __name__, url_prefix="/unsubscribe")


@bp.get("")
@parse_query(UnsubscribeQuery)
def get_unsubscribe(query: Json) -> Response:
    """Ask what to stop; nothing is changed, because mail programs follow links too."""
    mail = read_link(query)
    words = in_language_of(mail, query)
    return page("unsubscribe.html", words, choices=choices_of(mail), link=query["link"])


@bp.post("")
@from_anywhere
@parse_query(UnsubscribeQuery)
def unsubscribe(query: Json) -> Response:
    """Stop mails; without a choice, as mail programs do, what the mail was about: its kind, about its game if any.

    The body is not read.
    """
    mail = read_link(query)
    choice, choices = query.get("stop"), choices_of(mail)
    stopped = choice if choice in choices else choices[0]
    services, exactly = current_services(), choice == stopped
    unsubscriptions.follow_link(services, mail, stopped, exactly=exactly)
    others = [each for each in choices if each != stopped]
    words = in_language_of(mail, query)
    return page("unsubscribed.html", words, stopped=stopped, choices=others, link=query["link"])


def in_language_of(mail: MailToPlayer | MailToAddress, query: Json) -> Phrases:
    """The words of the page, in the language of a player's mails unless the query names one."""
    reader = recipients.find(mail.player_id) if isinstance(mail, MailToPlayer) else None
    return words_for({"lang": reader.language, **query} if reader else query)


def read_link(query: Json) -> MailToPlayer | MailToAddress:
    """The mail that has this link. Raises WrongLink."""
    mail = unsubscriptions.read_unsubscribe_link(current_services().config, query["link"])
    if mail is None:
        raise WrongLink
    return mail


def choices_of(mail: MailToPlayer | MailToAddress) -> list[str]:
    """What the link can stop, the usual choice first."""
    if isinstance(mail, MailToAddress):
        return ["address", "nothing"]
    about_game = ["this", "game"] if mail.game_id else []
    instead = {digests.KIND: "each", **dict.fromkeys(digests.BUNDLED, "digest")}
    other = [instead[mail.kind]] if mail.kind in instead else []
    return [*about_game, "kind", *other, "all", "nothing"]
