"""An answer to a turn mail is said at the table, by the same use case as on the page, with its mutes and blocks."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace

from service.core.counts import attempt_counts
from service.core.counts.attempt_counts import Attempt, Limit
from service.core.runtime.problems import NotFound, Problem, TooManyRequests
from service.core.runtime.units import HOUR
from service.core.settings.config import Config
from service.core.words.words import phrases
from service.notifications.incoming_mail.answer_text import written_above
from service.notifications.incoming_mail.message import ReceivedMail, Refused
from service.notifications.mail_texts.game_for_reader import GameForReader
from service.notifications.mail_texts.mail_links import HandedOver
from service.notifications.mail_texts.message import sender_address
from service.notifications.mail_texts.turns import reply_address
from service.notifications.mail_texts.turns.reply_address import Answering
from service.outbox.addresses import addresses
from service.people import players
from service.tables.services import Services
from service.tables.talk import messages

BY_MAIL = Limit("messages by mail", 30, HOUR)
"""Of one player, across all tables; one over it waits at the mail server, which tries again."""
SHORTEST_LINE = 12
"""Characters of a line of the table that nobody writes by chance."""


def receive(services: Services, received: ReceivedMail) -> bool:
    """Say what a message says above its quote; whether it was said. Mail from programs is ignored. Raises Refused."""
    if received.is_automatic:
        return False
    answering = _who_answers(services, received)
    language = players.get(answering.player_id).language
    try:
        _say(services, received, answering, language)
    except Refused as refused:
        raise Refused(refused.code, refused.why, language) from None
    return True


def _who_answers(services: Services, received: ReceivedMail) -> Answering:
    """Who has been given the address to which the message was sent, and writes from where the mail went."""
    config, now = services.config, services.now()
    tokens = [reply_address.token_in(config, each) for each in received.recipients]
    try:
        answering = reply_address.read_token(config, now, next(filter(None, tokens), ""))
    except HandedOver:
        raise Refused(os.EX_NOUSER, "answer.handed-over") from None
    except NotFound:
        raise Refused(os.EX_NOUSER, "answer.no-address") from None
    if addresses.counted(received.sender) != addresses.counted(answering.address):
        raise Refused(os.EX_NOPERM, "answer.other-sender")
    return answering


def _say(services: Services, received: ReceivedMail, answering: Answering, language: str) -> None:
    text = written_above(received.text(), marks(services.config))
    if not text:
        raise Refused(os.EX_DATAERR, "answer.nothing-above")
    if len(text) > messages.LONGEST_MESSAGE:
        raise Refused(os.EX_DATAERR, "answer.too-long")
    if _quotes_table(services, answering, language, text):
        raise Refused(os.EX_DATAERR, "answer.quotes-table")
    services = replace(services, cause=lambda: answering.player_id)
    # the same for each copy of a message, so that it is said once; without a Message-ID, for the same text
    copies = f"{answering.tenure} {received.id or received.text()}"
    once = hashlib.sha256(copies.encode()).hexdigest()[:32]
    said = {"channel": "seats", "text": text, "once": once}
    game_id = answering.table.game.id
    if messages.is_said(game_id, answering.player_id, once):
        return
    attempt = Attempt(BY_MAIL, answering.player_id)
    try:
        attempt_counts.count(services, services.config.secret_key, [attempt])
        messages.post(services, game_id, answering.player_id, said)
    except TooManyRequests:
        raise Refused(os.EX_TEMPFAIL, "answer.too-many") from None
    except Problem as problem:
        raise Refused(os.EX_NOPERM, f"problem.{problem.slug}.detail") from None


def marks(config: Config) -> list[str]:
    """What stands in our mails, and in no answer: who sends them, where answers go, our links, the line above all."""
    ours, _, domain = (config.incoming_mail or "").partition("@")
    receiver = f"@{domain}" if ours == "*" else f"{ours}+"
    lines = [phrases(language).say("mail.answer.above") for language in ("en", "ja")]
    links = [f"{config.public_url}/{path}/" for path in ("moves", "tables", "unsubscribe")]
    return [sender_address(config), receiver, *lines, *links]


def _quotes_table(services: Services, answering: Answering, language: str, text: str) -> bool:
    """Whether a line of what the mail shows is still there: another way to quote than those that are known."""
    if not answering.table.game.number:
        return False
    game = GameForReader(services, answering.table, answering.player_id, language)
    drawn = {" ".join(line.split()) for line in game.drawing().text.splitlines()}
    return any(len(line) >= SHORTEST_LINE and line in drawn for line in text.splitlines())
