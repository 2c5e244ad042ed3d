"""The decisions of a person in a game: what they chose themselves, where there was a choice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import select

from service.core.database.database import db
from service.core.models.games import Tenure
from service.core.models.orders import OwnAnswer
from service.log.event_log import Passed
from service.log.table_rows.table import Table
from service.tables.services import Services

MOST = 400
"""The most decisions of a game that are looked at, counted from its beginning; few games have more than a hundred."""


class Held(NamedTuple):
    """The seat that a person held in a game, and the ranges of events in which they held it: pairs of the number of the
    first event and of the one after the last (None: until the end).
    """

    seat: int
    spans: list[tuple[int, int | None]]

    def includes(self, number: int) -> bool:
        """Whether the person held the seat at the event of this number."""
        return any(
            first <= number and (after is None or number < after) for first, after in self.spans
        )


def held_by(table: Table, player_id: str) -> Held | None:
    """The seat of this person; None if they never held one. Nobody holds two seats of a game."""
    mine = (Tenure.game_key == table.game.key) & (Tenure.player_id == player_id)
    query = select(Tenure.seat, Tenure.began, Tenure.ended).where(mine, Tenure.began.is_not(None))
    found = db.session.execute(query.order_by(Tenure.began)).all()
    if not found:
        return None
    return Held(found[0].seat, [(row.began, row.ended) for row in found])


def decisions(services: Services, table: Table, player_id: str, held: Held) -> list[int]:
    """The numbers of the events in which this person chose among several actions.

    It leaves out decisions that a time-out, a house player or the service made for them, and decisions that were taken
    back. Raises UnreadableLog.
    """
    played = select(OwnAnswer.number).where(OwnAnswer.game_key == table.game.key)
    for_them = set(db.session.scalars(played.where(OwnAnswer.player_id == player_id)))
    found = _own(services, table, held)
    return [number for number in found if number not in for_them][:MOST]


def _own(services: Services, table: Table, held: Held) -> Iterator[int]:
    """The numbers of the events in which the person in the seat chose among several actions while the game waited for
    the seat.
    """
    for passed in services.states.course(table.game):
        event = passed.event
        if event["kind"] != "action" or event["seat"] != held.seat or event["by"] != "seat":
            continue
        stands = passed.number not in table.game.taken_back
        if stands and held.includes(passed.number) and _had_choice(table, passed, held.seat):
            yield passed.number


def _had_choice(table: Table, passed: Passed, seat: int) -> bool:
    ruleset = table.ruleset
    waited = seat in ruleset.turn(passed.before).waiting
    return waited and len(ruleset.legal(passed.before, seat)) > 1
