"""Rendering emails about a game: the parts that all of them have, besides the parts of each kind."""

from __future__ import annotations

from collections.abc import Callable

from rules.kernel import Json
from service.core.models.mail import OutboxRow
from service.log.table_rows.table import find, id_of
from service.notifications.mail_texts.answers import answers_to
from service.notifications.mail_texts.game_for_reader import GameForReader
from service.notifications.mail_texts.message import Mail
from service.notifications.mail_texts.templating import render_mail
from service.outbox import recipients
from service.outbox.recipients import Recipient
from service.outbox.unsubscriptions import player_unsubscribe_link
from service.people.names import harmless
from service.tables.services import Services

Told = Callable[[GameForReader, Recipient, OutboxRow], Json | None]


def game_mail(template: str, told: Told) -> Callable[[Services, OutboxRow], Mail | None]:
    """A renderer for a kind of email about a game. `template` shows what `told` returns; None if there is nothing to
    say.

    Each email has a subject (which ends with what is `asked`, if anything), an introduction, a link to the table, a
    link to unsubscribe, and an address for replies.
    """

    def render(services: Services, row: OutboxRow) -> Mail | None:
        recipient = recipients.find(row.player_id)
        game_id = id_of(row.game_key)
        if recipient is None or game_id is None:
            return None
        game = GameForReader(services, find(game_id), recipient.player_id, recipient.language)
        values = told(game, recipient, row)
        if values is None:
            return None
        every = {
            "intro": game.say(f"mail.{row.kind}.intro", name=harmless(recipient.name)),
            "url": game.own_url,
            "thread": game_id,
            "unsubscribe_url": player_unsubscribe_link(services.config, row),
            "answers": answers_to(game, recipient.address),
            "is_key": game.answer.me is not None,
        }
        subject = game.subject(f"mail.{row.kind}.subject", values.get("asked"))
        return render_mail(template, game.words, recipient.address, subject, **{**every, **values})

    return render
