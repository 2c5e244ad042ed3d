"""Turn mails, reminders and nudges: question, deadline, talk, what happened, the table, a link for each move."""

from __future__ import annotations

from email.headerregistry import Address

from service.core.models.mail import OutboxRow
from service.log.table_rows.table import Holder
from service.notifications.mail_texts.game_for_reader import GameForReader, find_game
from service.notifications.mail_texts.message import Mail, sender_address
from service.notifications.mail_texts.move_links import MOST_CHOICES
from service.notifications.mail_texts.templating import render_template
from service.notifications.mail_texts.turns.deadline_words import deadline_words
from service.notifications.mail_texts.turns.reply_address import reply_address
from service.notifications.mail_texts.turns.unread_talk import unread_talk
from service.notifications.mail_texts.turns.ways_on import ways_on
from service.outbox.recipients import Recipient
from service.outbox.unsubscribe_links import player_unsubscribe_link
from service.tables.services import Services
from service.tables.views.since_last_turn import since_last_turn


def render_turn(services: Services, row: OutboxRow) -> Mail | None:
    """It is the recipient's turn."""
    return _turn_mail(services, row, "turn")


def render_reminder(services: Services, row: OutboxRow) -> Mail | None:
    """It is still the recipient's turn."""
    return _turn_mail(services, row, "reminder")


def render_nudge(services: Services, row: OutboxRow) -> Mail | None:
    """It is still the recipient's turn, and somebody at the table asks them to play."""
    return _turn_mail(services, row, "nudge")


def _turn_mail(services: Services, row: OutboxRow, kind: str) -> Mail | None:
    found = find_game(services, row)
    if found is None or not _is_asked(found[0], row):
        return None
    game, recipient = found
    subject, answers = game.say(f"mail.{kind}.subject"), _answers(game, recipient)
    text, html = render_template(
        "turn",
        game.words,
        language=recipient.language,
        subject=subject,
        intro=game.say(f"mail.{kind}.intro", name=recipient.name),
        due=deadline_words(game, recipient.zone),
        url=game.own_url,
        talk=unread_talk(game, row),
        since=since_last_turn(services, game.answer),
        table=game.drawing(),
        choices=game.choices(),
        most=MOST_CHOICES,
        form=game.form_url,
        ways=ways_on(game),
        signed_head=game.signed_head,
        answered=answers is not None,
        unsubscribe_url=player_unsubscribe_link(services.config, row),
    )
    headers = {"Reply-To": _reply_to(game, answers)}
    return Mail(recipient.address, subject, text, html, game.table.game.id, headers)


def _answers(game: GameForReader, recipient: Recipient) -> str | None:
    """The address to which this reader's answers to this mail go; None if nobody reads them."""
    config, now = game.services.config, game.services.now()
    return reply_address(config, now, game.holder.tenure, recipient.address)


def _reply_to(game: GameForReader, answers: str | None) -> str:
    """Where an answer goes; the name in front says it, or that nobody reads it."""
    says = game.say("mail.answer.to" if answers else "mail.answer.nobody")
    return str(Address(says, addr_spec=answers or sender_address(game.services.config)))


def _is_asked(game: GameForReader, row: OutboxRow) -> bool:
    """Whether the game still waits for the row's tenure to answer the row's question."""
    me = game.answer.me
    if not isinstance(me, Holder) or me.tenure != row.tenure_id:
        return False
    return game.table.game.status == "running" and me.waiting and me.asked == row.number
