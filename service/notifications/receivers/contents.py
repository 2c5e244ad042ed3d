"""What a receiver is told: which change it was, where to look, and in words what the subject of a mail says.

Nothing is told that a locked screen should not show: no card, no talk, no move. It is worded when it is sent, in the
language of the player, and not kept.
"""

from __future__ import annotations

from rules.kernel import Json
from service.core.models.following import ChangeRow
from service.core.models.receivers import Delivery, Receiver
from service.core.runtime.problems import NoSuchTable
from service.core.runtime.time_and_random import rfc3339
from service.core.words.words import phrases
from service.log.table_rows.table import find
from service.notifications.mail_texts.game_for_reader import GameForReader
from service.notifications.receivers.deliveries import PING
from service.people import players
from service.tables.services import Services
from service.tables.views import changes_view

SUBJECTS = {"turn": "mail.turn.subject", "ended": "mail.over.subject"}
"""The message by which a kind of change is worded; others are news from the table."""
UNSEATED = {
    "removed": "mail.before-start.removed.subject",
    "invitation": "receiver.invitation",
}
"""The same for whoever does not sit there, or alone: these words name nobody else."""


def payload(services: Services, receiver: Receiver, delivery: Delivery) -> Json:
    """What is sent about a delivery, as openapi.yaml describes it (`WebhookMessage`)."""
    data = {
        "webhook": receiver.id,
        "sequence": delivery.sequence,
        "words": words_of(services, receiver.player_id, delivery),
        "change": change_of(delivery),
    }
    return {"type": delivery.kind, "timestamp": rfc3339(delivery.at), "data": data}


def change_of(delivery: Delivery) -> Json | None:
    """The change as `GET /api/me/changes` lists it; None for a ping."""
    if delivery.change is None:
        return None
    where = (delivery.game or "", delivery.revision or 0)  # every change has both
    return changes_view.shown(ChangeRow(delivery.change, delivery.kind, delivery.at, *where))


def words_of(services: Services, player_id: str, delivery: Delivery) -> str:
    """What has happened, as the subject of a mail would say it."""
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
