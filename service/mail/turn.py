"""Turn mails, reminders and nudges: what happened, the table, the legal actions with a link for each, the deadline."""

from __future__ import annotations

from service.game.table import Holder
from service.mail.game_for_reader import MOST_CHOICES, GameForReader, find_game
from service.mail.local_time import local_time
from service.mail.message import Mail
from service.mail.templating import render_template
from service.models.mail import OutboxRow
from service.outbox.recipients import Recipient
from service.outbox.unsubscribe_links import player_unsubscribe_link
from service.shared_services import Services
from service.views.since_last_turn import since_last_turn


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
    subject = game.say(f"mail.{kind}.subject")
    text, html = render_template(
        "turn",
        game.words,
        language=recipient.language,
        subject=subject,
        intro=game.say(f"mail.{kind}.intro", name=recipient.name),
        due=deadline(game, recipient),
        url=game.url,
        since=since_last_turn(services.states, game.answer),
        table=game.drawing(),
        choices=game.choices(),
        most=MOST_CHOICES,
        form=game.form_url,
        signed_head=game.signed_head,
        unsubscribe_url=player_unsubscribe_link(services.config, row),
    )
    return Mail(recipient.address, subject, text, html, game.table.game.id)


def _is_asked(game: GameForReader, row: OutboxRow) -> bool:
    """Whether the game still waits for the row's tenure to answer the row's question."""
    me = game.answer.me
    if not isinstance(me, Holder) or me.tenure != row.tenure_id:
        return False
    return game.table.game.status == "running" and me.waiting and me.asked == row.number


def deadline(game: GameForReader, recipient: Recipient) -> str:
    """The deadline in words."""
    row, me = game.table.game, game.answer.me
    if not isinstance(me, Holder) or me.due is None:
        return game.words.say("mail.due.none")
    if row.paused_at is not None:
        return game.words.say("mail.due.paused")
    return game.words.say("mail.due", {"time": local_time(me.due, recipient.zone, game.words)})
