"""Links in emails that stop such emails."""

from __future__ import annotations

import functools
from collections.abc import Callable

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.problems import InvalidQuery, WrongLink
from service.core.words.words import Phrases
from service.outbox import digests, recipients, unsubscriptions
from service.outbox.unsubscriptions import MailToAddress, MailToPlayer
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.caller.context import current_services
from service.web.http.headers.cross_site import from_anywhere
from service.web.page.not_found import wants_html
from service.web.page.page_schemas import UnsubscribeQuery
from service.web.page.rendering import page, words_for

bp = Blueprint("unsubscribe_link", __name__, url_prefix="/unsubscribe")


def html_wrong_link(endpoint: Callable[[], Response]) -> Callable[[], Response]:
    """A decorator that shows browsers a page if the link is incomplete; programs get the problem document.

    Some mail programs cut links off.
    """

    @functools.wraps(endpoint)
    def answered() -> Response:
        try:
            return endpoint()
        except (InvalidQuery, WrongLink) as problem:
            if not wants_html():
                raise
            return page("wrong_link.html", status=problem.status)

    return answered


@bp.get("")
@html_wrong_link
@parse_query(UnsubscribeQuery)
def get_unsubscribe(query: Json) -> Response:
    """Ask which emails to stop; nothing is changed, because mail programs follow links too."""
    mail = read_link(query)
    return stop_page(query, mail, choices_of(mail))


@bp.post("")
@from_anywhere
@html_wrong_link
@parse_query(UnsubscribeQuery)
def unsubscribe(query: Json) -> Response:
    """Stop the chosen emails. If nothing is chosen, as by mail programs, stop those of this email's kind and game.

    For an email about a turn, these are all emails about turns at that table, including reminders, which would
    otherwise continue. The body is not read.
    """
    mail = read_link(query)
    choice, choices = query.get("stop"), choices_of(mail)
    stopped = choice if choice in choices else choices[0]
    services, exactly = current_services(), choice == stopped
    unsubscriptions.follow_link(services, mail, stopped, exactly=exactly)
    others = [each for each in choices if each != stopped]
    return stop_page(query, mail, others, label_of(mail, stopped))


def stop_page(
    query: Json, mail: MailToPlayer | MailToAddress, choices: list[str], stopped: str | None = None
) -> Response:
    """The page with these choices; `stopped` is the choice that was just made, if any."""
    labels = {choice: label_of(mail, choice) for choice in choices}
    template = "unsubscribed.html" if stopped else "unsubscribe.html"
    values = {"choices": labels, "link": query["link"], "stopped": stopped}
    return page(template, in_language_of(mail, query), status=200, **values)


def label_of(mail: MailToPlayer | MailToAddress, choice: str) -> str:
    """The key of the message for a choice."""
    is_turn = isinstance(mail, MailToPlayer) and mail.is_about_turn
    return "turns" if choice == "this" and is_turn else choice


def in_language_of(mail: MailToPlayer | MailToAddress, query: Json) -> Phrases:
    """The words of the page, in the language of the query or, without one, of the player's mails."""
    reader = recipients.find(mail.player_id) if isinstance(mail, MailToPlayer) else None
    return words_for({"lang": reader.language, **query} if reader else query)


def read_link(query: Json) -> MailToPlayer | MailToAddress:
    """The mail that contains this link. Raises WrongLink."""
    mail = unsubscriptions.read_unsubscribe_link(current_services().config, query["link"])
    if mail is None:
        raise WrongLink
    return mail


def choices_of(mail: MailToPlayer | MailToAddress) -> list[str]:
    """The choices of the link, the most usual one first."""
    if isinstance(mail, MailToAddress):
        return ["address", "nothing"]
    usual, *broader = ["this", "game", "kind"] if mail.game_id else ["kind"]
    instead = ["digest"] if mail.is_about_turn else ["each"] if mail.kind == digests.KIND else []
    return [usual, *instead, *broader, "all", "nothing"]
