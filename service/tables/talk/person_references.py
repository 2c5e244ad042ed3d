"""How a request names another person without their id: by a tenure at the table, or by a message."""

from __future__ import annotations

from sqlalchemy import select

from rules.kernel import Json
from service.core.database.database import db
from service.core.models.games import Tenure
from service.core.runtime.problems import NotFound
from service.tables.talk import messages
from service.tables.talk.participants import Participant


def find_other_person(participant: Participant, reference: Json) -> str:
    """The id of the person with this `tenure`, or who wrote this `message`. Raises NotFound."""
    if "message" in reference:
        found = messages.get(participant, reference["message"]).player_id
    else:
        found = db.session.scalar(
            select(Tenure.player_id).where(
                Tenure.id == reference["tenure"], Tenure.game_key == participant.table.game.key
            )
        )
    if found is None or found == participant.player_id:  # None: a house player, or erased
        raise NotFound
    return found
