"""Messages to a receiver: the change, the address at which to look, and the words of an email's subject.

They contain nothing that a locked screen should not show: no card, no talk, no move. They are worded when they are
sent, in the language of the player, and not stored.
"""

from __future__ import annotations

from rules.kernel import Json
from service.core.models.following import ChangeRow
from service.core.models.receivers import Delivery, Receiver
from service.core.runtime.problems import NoSuchTable
from service.core.runtime.time_and_random import rfc3339
from service.core.words.words import phrases
from service.log.table_rows.table import find
from service.notifications.mail_texts.game_for_reader import GameForReader, table_url
from service.notifications.receivers import receivers, shapes
from service.notifications.receivers.deliveries import PING
from service.people import players
from service.tables.services import Services
from service.tables.views import changes_view

SUBJECTS = {"turn": "mail.turn.subject", "ended": "mail.over.subject"}
"""The messages that word a kind of change. All other kinds are worded as news from the table."""
UNSEATED = {
    "removed": "mail.before-start.removed.subject",
    "invitation": "receiver.invitation",
}
"""The messages for people who do not sit at the table, or are alone there; their words name nobody else."""


def payload(services: Services, receiver: Receiver, delivery: Delivery) -> Json:
    """The message about a delivery: a `WebhookMessage` of openapi.yaml, or the form that a chat service reads."""
    words, shape = words_of(services, receiver.player_id, delivery), receivers.shape(receiver)
    if shape != shapes.OURS:
        return shapes.chat_message(shape, words, _link(services, delivery))
    data = {
        "webhook": receiver.id,
        "sequence": delivery.sequence,
        "words": words,
        "change": change_of(delivery),
    }
    return {"type": delivery.kind, "timestamp": rfc3339(delivery.at), "data": data}


def _link(services: Services, delivery: Delivery) -> str:
    """The address of the table that has changed; for a ping, the address of the first page."""
    if delivery.game is None:
        return f"{services.config.public_url}/"
    return table_url(services.config, delivery.game)


def change_of(delivery: Delivery) -> Json | None:
    """The change as `GET /api/me/changes` lists it; None for a ping."""
    if delivery.change is None:
        return None
    where = (delivery.game or "", delivery.revision or 0)  # every change has both
    return changes_view.shown(ChangeRow(delivery.change, delivery.kind, delivery.at, *where))


def words_of(services: Services, player_id: str, delivery: Delivery) -> str:
    """The news in the words of an email's subject."""
    language = players.get(player_id).language
    if delivery.kind == PING:
        return phrases(language).say("receiver.ping")
    try:
        table = find(delivery.game or "")
    except NoSuchTable:
        return phrases(language).say("receiver.gone")
    if table.person(player_id) is None or len(table.people) < 2:
        words = phrases(language, table.game.ruleset, table.game.version)
        key = UNSEATED.get(delivery.kind, "receiver.news")
        return words.say(key, {"game": words.say("name")})
    reader = GameForReader(services, table, player_id, language)
    asked = reader.question if delivery.kind == "turn" else None
    return reader.subject(SUBJECTS.get(delivery.kind, "mail.told.subject"), asked)
