"""Turn emails, reminders and nudges: question, deadline, talk, recent events, the table, and a link for each move."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from rules.kernel import Json
from service.core.database.database import db
from service.core.models.games import Game, Seat
from service.core.models.mail import OutboxRow
from service.log.table_rows.table import Holder
from service.notifications.mail_texts.answers import answers_to
from service.notifications.mail_texts.game_for_reader import GameForReader, ways_on
from service.notifications.mail_texts.times import deadline_words
from service.notifications.mail_texts.turns import numbered_options
from service.notifications.mail_texts.turns.unread_talk import unread_talk
from service.outbox.causes import reminders
from service.outbox.recipients import Recipient
from service.tables.services import Services
from service.tables.views.history_view import since_last_turn

_ASKED = (
    select(Seat.seat)
    .join(Game, Game.key == Seat.game_key)
    .where(Seat.tenure_id == bindparam("tenure"), Seat.asked == bindparam("number"))
    .where(Seat.waiting, Game.status == "running")
)


def still_asked(_services: Services, row: OutboxRow) -> bool:
    """Whether the tenure holds its seat, and the game waits for its answer to question `number`."""
    values = {"tenure": row.tenure_id, "number": row.number}
    return db.session.execute(_ASKED, values).first() is not None


def still_to_remind(services: Services, row: OutboxRow) -> bool:
    """Whether a reminder still applies, and no other email contains all of it."""
    return still_asked(services, row) and not reminders.is_overtaken(row, services.now())


def turn(game: GameForReader, recipient: Recipient, row: OutboxRow) -> Json | None:
    """The contents of the email about the recipient's turn, or with somebody's request that they play.

    None if there is nothing to say.
    """
    me = game.answer.me
    if not isinstance(me, Holder) or me.tenure != row.tenure_id or me.asked != row.number:
        return None
    if game.table.game.status != "running" or not me.waiting:
        return None
    step, by_reply = numbered_options.step(game), game.services.config.incoming_mail is not None
    return {
        "answers": answers_to(game, recipient.address, me.asked),
        "asked": game.question,
        "due": deadline_words(game, recipient.zone),
        "talk": unread_talk(game, me),
        "since": since_last_turn(game.services, game.answer),
        "table": game.drawing(),
        "choices": bool(step.options),
        "options": step.options if by_reply or not step.goes_on else [],
        "goes_on": step.goes_on,
        "question": step.question if step.goes_on else "",
        "orders": numbered_options.orders(game),
        "order_tree": numbered_options.order_tree(game),
        "by_reply": by_reply,
        "form": game.form_url,
        "ways": ways_on(game),
        "signed_head": game.signed_head,
    }
