"""What happened since the viewer's last turn: a reminder for games that take days."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import func, or_, select

from service.core.database.database import db
from service.core.models.games import Event, Tenure
from service.log.event_log import States
from service.tables.views import history_view
from service.tables.views.game_view import GameAnswer

MOST_LINES = 30
"""The most lines that are shown."""
MOST_EVENTS = 200
"""The most events that are read."""


class Since(NamedTuple):
    """The last lines, whether there are more before them, and whether they begin with the viewer's own action."""

    lines: list[str]
    more: bool
    own: bool = False


def since_last_turn(states: States, answer: GameAnswer) -> Since:
    """What happened from the viewer's last action on, including it; from the start if there is none.

    What a house player or a previous holder did in that seat is not the viewer's action.
    """
    mine = (Tenure.game_key == Event.game_key) & (Tenure.player_id == answer.viewer.player_id)
    held = or_(Tenure.ended.is_(None), Event.number < Tenure.ended)
    query = (
        select(func.max(Event.number))
        .join(Tenure, mine & (Event.number > Tenure.began) & held)
        .where(Event.game_key == answer.game.key, Event.seat == answer.seat)
    )
    last = db.session.scalar(query)
    return since(states, answer, (last or 1) - 1)._replace(own=last is not None)


def since(states: States, answer: GameAnswer, after: int) -> Since:
    """What happened after event `after`."""
    first = max(after, answer.game.number - MOST_EVENTS)
    events, _ = history_view.page(states, answer, first, MOST_EVENTS)
    lines = [line["words"] for event in events for line in event["lines"]]
    return Since(lines[-MOST_LINES:], first > after or len(lines) > MOST_LINES)
