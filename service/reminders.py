"""Reminders: rows of the outbox before a time is over, at the leads that each player chose.

They belong to a wait and to the due time that it has: when that moves, the old ones are called back and new ones take
their place. The caller owns the commit.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from service import outbox
from service.clock import MINUTE
from service.database import db
from service.models import Game, Player, Seat, Tenure
from service.models_mail import Outbox
from service.models_people import Account
from service.outside import Outside
from service.settings import leads

_game, _seat, _tenure, _player, _account = (
    kind.metadata.tables[kind.__tablename__] for kind in (Game, Seat, Tenure, Player, Account)
)
_WAITS = (
    select(_seat.c.seat, _seat.c.asked, _seat.c.since, _seat.c.due, _seat.c.game_key)
    .add_columns(_tenure.c.id.label("tenure"), _tenure.c.player_id, _player.c.reminders)
    .join(_tenure, _tenure.c.id == _seat.c.tenure_id)
    .join(_player, _player.c.id == _tenure.c.player_id)
    .join(_account, _account.c.player_id == _tenure.c.player_id)
    .join(_game, _game.c.key == _seat.c.game_key)
    .where(_account.c.address.is_not(None), _seat.c.due.is_not(None))
    .where(_game.c.paused_at.is_(None))
)
"""Waits that run out, of people who can be written to."""


def plan(outside: Outside, wanted: set[tuple[int, int]]) -> None:
    """Remind those who hold these seats (game and seat) of what they are asked now; of nothing else."""
    if not wanted:
        return
    found = _WAITS.where(_seat.c.game_key.in_({game for game, _ in wanted}))
    rows = [row for row in db.session.execute(found) if (row.game_key, row.seat) in wanted]
    if not rows:
        return
    outbox.cancel(
        outside, Outbox.kind == "reminder", Outbox.tenure_id.in_([row.tenure for row in rows])
    )
    for row in rows:
        for at in times(row, outside.now()):
            _put(outside, row, at)


def call_back(outside: Outside, game_key: int) -> None:
    """Remind nobody at this table."""
    outbox.cancel(outside, Outbox.kind == "reminder", Outbox.game_key == game_key)


def times(row: Any, now: int) -> list[int]:
    """When to remind (ms UTC): not in the first quarter of the time, in which the question itself is news."""
    first = max(now, row.since + (row.due - row.since) // 4)
    return [at for at in (row.due - lead * MINUTE for lead in leads(row.reminders)) if at > first]


def _put(outside: Outside, row: Any, at: int) -> None:
    outbox.put(
        outside,
        "reminder",
        f"reminder {row.tenure} {row.asked} {row.due} {at}",
        run_at=at,
        player_id=row.player_id,
        game_key=row.game_key,
        tenure_id=row.tenure,
        number=row.asked,
    )
