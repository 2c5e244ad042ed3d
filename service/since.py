"""What happened since somebody's last turn, in that person's words: the memory of a game that is played over days."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import func, or_, select

from service import history
from service.answers import GameAnswer
from service.database import db
from service.log import States
from service.models import Event, Tenure

MOST = 30
"""Lines that are told."""
FAR = 200
"""Events that are looked at: nobody reads further back in a mail."""


class Since(NamedTuple):
    """The last lines, whether there were more before them, and whether they begin with an own action."""

    lines: list[str]
    more: bool
    own: bool = False


def since_last_turn(states: States, answer: GameAnswer) -> Since:
    """What happened from the viewer's last own action on, that one included; from the start if there is none.

    What others did in that seat (a house player, or whoever held it before) is no action of the viewer's.
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
    first = max(after, answer.game.number - FAR)
    events, _ = history.page(states, answer, first, FAR)
    lines = [line["words"] for event in events for line in event["lines"]]
    return Since(lines[-MOST:], first > after or len(lines) > MOST)
