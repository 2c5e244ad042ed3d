"""Links in emails that switch a webhook on again after it failed for days. A GET shows it, a POST switches it on."""

from __future__ import annotations

from flask import Blueprint, Response

from service.core.models.receivers import WEBHOOK, Receiver
from service.core.runtime.problems import NotFound
from service.core.words.words import phrases
from service.notifications.mail_texts.mail_links import read_webhook_link
from service.notifications.receivers import addresses, receivers
from service.people import players
from service.people.names import harmless
from service.web.http.caller.context import current_services
from service.web.http.headers.cross_site import from_anywhere
from service.web.links.questions import Button, Question, Way, ask, speak_to
from service.web.page.game_page import html_not_found

bp = Blueprint("webhook_link", __name__, url_prefix="/webhooks")


@bp.get("/<token>")
@html_not_found
def get_linked_webhook(token: str) -> Response:
    """Show whether the webhook is on; nothing is changed."""
    return form(read(token))


@bp.post("/<token>")
@from_anywhere
@html_not_found
def switch_webhook_on(token: str) -> Response:
    """Switch the webhook on. The body is not read."""
    webhook = read(token)
    if webhook.off_at is not None:
        wish = {"active": True}
        receivers.change(current_services(), webhook.player_id, webhook.id, wish)
    return form(read(token))


def read(token: str) -> Receiver:
    """The webhook of this link. Raises NotFound if it was deleted, or switched off again."""
    linked = read_webhook_link(current_services(), token)
    found = receivers.find(linked.webhook_id)
    if found is None or found.kind != WEBHOOK or found.off_at not in {None, linked.off_at}:
        raise NotFound
    speak_to(found.player_id)
    return found


def form(webhook: Receiver) -> Response:
    """The page with the reason why the webhook is off and a button; or the page that says that the webhook is on."""
    words = phrases(players.get(webhook.player_id).language)
    fields = {"label": harmless(webhook.label), "host": addresses.host_of(webhook.url)}
    if webhook.off_at is None:
        said, buttons = [words.say("link.webhook.on", fields)], []
    else:
        said = [words.say("link.webhook.off", fields), words.say("mail.webhook-off.after")]
        buttons = [Button(words.say("mail.webhook-off.button"), main=True)]
    ways = [Way(words.say("page.me.title"), "/plain/me")]
    return ask(words, Question(words.say("link.webhook"), said, buttons, ways))
