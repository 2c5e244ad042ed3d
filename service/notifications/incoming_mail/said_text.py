"""Text from a reply that is said at the table, by the same use case as on the page."""

from __future__ import annotations

import hashlib
import os

from service.core.runtime.problems import Problem
from service.notifications.incoming_mail.reading.message import Refused
from service.notifications.mail_texts.game_for_reader import GameForReader
from service.notifications.mail_texts.turns.reply_address import Answering
from service.tables.services import Services
from service.tables.talk import messages

SHORTEST_LINE = 12
"""The length of the shortest line of the table that nobody writes by chance, in characters."""
_CARDS = set("♠♡♢♣♤♥♦♧")


def say(services: Services, answering: Answering, text: str, once: str) -> None:
    """Say the text at the table, once for all copies of the message. Raises Refused if the writer may not say it."""
    if len(text) > messages.LONGEST_MESSAGE:
        raise Refused(os.EX_DATAERR, "answer.too-long")
    said = {"channel": "seats", "text": text, "once": _digest(answering, once)}
    try:
        messages.post(services, answering.table.game.id, answering.player_id, said)
    except Problem as problem:
        raise Refused(os.EX_NOPERM, f"problem.{problem.slug}.detail") from None


def is_said(answering: Answering, once: str) -> bool:
    """Whether this message has been said before."""
    game_id, player_id = answering.table.game.id, answering.player_id
    return messages.is_said(game_id, player_id, _digest(answering, once))


def refuse_quotes(game: GameForReader, text: str) -> None:
    """Raise Refused if the text contains a line of the email, which was quoted in an unknown way.

    A line may be broken elsewhere, so its parts count too if they are long or show cards.
    """
    if not game.table.game.number:
        return
    drawing = game.drawing()
    shown = _squeezed(drawing.text + "".join(drawing.prompt))
    whole = {" ".join(line.split()) for line in drawing.text.splitlines()}
    for line in text.splitlines():
        own = _squeezed(line)
        is_part = own in shown and (len(own) >= SHORTEST_LINE or _shows_card(own))
        if is_part or (len(line) >= SHORTEST_LINE and line in whole):
            raise Refused(os.EX_DATAERR, "answer.quotes-table")


def _shows_card(text: str) -> bool:
    return len(text) > 1 and bool(_CARDS & set(text))


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _digest(answering: Answering, once: str) -> str:
    return hashlib.sha256(f"{answering.tenure} {once}".encode()).hexdigest()[:32]
