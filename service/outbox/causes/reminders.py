"""Reminders before a deadline, at the lead times that each player chose.

A reminder belongs to a question and its deadline: when either changes, the old reminders are cancelled and new ones
queued. The caller owns the commit.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import select

from rules.kernel import Json
from service.core.database.database import rows
from service.core.models.games import Game, Seat, Tenure
from service.core.models.people import Account, Player
from service.core.models.receivers import is_told
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY, MINUTE
from service.outbox import queue

DEFAULT_LEADS = [2880, 1440, 180]
"""Minutes before a deadline, for players who chose none: two days, a day and three hours, as far as the pace allows."""
_NUMBERS = ((6 * DAY, 3), (2 * DAY, 2), (0, 1))
"""From how much time on (ms) how many of them are sent: at a pace of a week three, at that of a day one."""

_game, _seat, _tenure, _player, _account = (
    kind.metadata.tables[kind.__tablename__] for kind in (Game, Seat, Tenure, Player, Account)
)


class Deadline(NamedTuple):
    """A seat that is asked something and has a deadline; its person can be told. Times are ms UTC."""

    game_key: int
    seat: int
    asked: int
    since: int
    due: int
    tenure: str
    player_id: str
    reminders: list[int] | None


_DEADLINES = (
    select(_seat.c.game_key, _seat.c.seat, _seat.c.asked, _seat.c.since, _seat.c.due)
    .add_columns(_tenure.c.id, _tenure.c.player_id, _player.c.reminders)
    .join(_tenure, _tenure.c.id == _seat.c.tenure_id)
    .join(_player, _player.c.id == _tenure.c.player_id)
    .outerjoin(_account, _account.c.player_id == _tenure.c.player_id)
    .join(_game, _game.c.key == _seat.c.game_key)
    .where(is_told(_account.c.address, _tenure.c.player_id))
    .where(_seat.c.due.is_not(None))
    .where(_game.c.paused_at.is_(None))
)


def leads(chosen: list[int] | None) -> list[int]:
    """Minutes before a deadline at which a player is reminded at most; `chosen` is what the player's row holds."""
    return DEFAULT_LEADS if chosen is None else chosen


def plan(runtime: Runtime, seats: set[tuple[int, int]]) -> None:
    """Replace the reminders of the people in these seats (game key and seat) by those for their present deadlines."""
    if not seats:
        return
    query = _DEADLINES.where(_seat.c.game_key.in_({game for game, _ in seats}))
    deadlines = [row for row in rows(Deadline, query) if (row.game_key, row.seat) in seats]
    queue.cancel_outdated(runtime, (), [row.tenure for row in deadlines])
    now = runtime.now()
    queue.put_rows(runtime, [mail for row in deadlines for mail in mails_before(row, now)])


def mails_before(deadline: Deadline, now: int) -> list[Json]:
    """The reminders of a deadline, as rows of the outbox."""
    return [
        queue.row_at_table(
            *("reminder", deadline.game_key, deadline, deadline.asked),
            run_at=at,
            unique=f"{deadline.asked} {deadline.due} {at}",
        )
        for at in times(deadline, now)
    ]


def times(deadline: Deadline, now: int) -> list[int]:
    """When to remind (ms UTC): not in the first quarter of the time, when the question itself has just been mailed."""
    span = deadline.due - deadline.since
    earliest = max(now, deadline.since + span // 4)
    chosen = deadline.reminders
    if chosen is None:  # as many of the usual ones as fit the time of the question
        fitting = next(number for least, number in _NUMBERS if span >= least)
        chosen = DEFAULT_LEADS[-fitting:]
    wanted = (deadline.due - lead * MINUTE for lead in chosen)
    return [at for at in wanted if at > earliest]
