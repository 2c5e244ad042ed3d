"""The address for replies to a table's emails: the table, if mail is received and the recipient sits there."""

from __future__ import annotations

from service.core.settings.config import Config
from service.core.words.words import Phrases
from service.log.table_rows.table import Holder
from service.notifications.mail_texts.game_for_reader import GameForReader
from service.notifications.mail_texts.message import Answers, sender_address
from service.notifications.mail_texts.turns.reply_address import reply_address


def answers_to(game: GameForReader, address: str, asked: int = 0) -> Answers:
    """The address for replies to an email about this game that was sent to this address of its reader.

    `asked` is the question in the email; 0 if there is none.
    """
    me, config = game.answer.me, game.services.config
    if isinstance(me, Holder):
        read_at = reply_address(config, game.services.now(), me.tenure, address, asked)
        if read_at is not None:
            return Answers(game.say("mail.answer.to"), read_at, are_read=True)
    return to_nobody(config, game.words)


def to_nobody(config: Config, words: Phrases) -> Answers:
    """An address that nobody reads, as its name says."""
    return Answers(words.say("mail.answer.nobody"), sender_address(config))
