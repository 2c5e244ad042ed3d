"""Reminders before a deadline, at the lead times that each player chose.

A reminder belongs to a question and its deadline: when either changes, the old reminders are cancelled and new ones
queued. The caller owns the commit.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import select

from rules.kernel import Json
from service.core.database.database import db, rows
from service.core.models.games import Game, Seat, Tenure
from service.core.models.mail import Outbox, OutboxRow
from service.core.models.people import Account, Player
from service.core.models.receivers import is_told
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY, MINUTE
from service.log.table_rows.rests import Rest, overlap, stretch
from service.outbox import queue

DEFAULT_LEADS = [2880, 1440, 180]
"""The usual times of reminders, in minutes before a deadline: two days, a day and three hours, if the pace allows
them.
"""
_NUMBERS = ((6 * DAY, 3), (2 * DAY, 2), (0, 1))
"""The numbers of reminders, each with the shortest time available (ms) for which it applies: three from six days on."""

_game, _seat, _tenure, _player, _account, _outbox = (
    kind.metadata.tables[kind.__tablename__]
    for kind in (Game, Seat, Tenure, Player, Account, Outbox)
)


class Deadline(NamedTuple):
    """The deadline of a seat that has to act and whose person can be told. Times are ms UTC."""

    game_key: int
    seat: int
    asked: int
    since: int
    due: int
    tenure: str
    player_id: str
    reminders: list[int] | None
    rest: Json | None = None
    """The rest times of the table; None if it never rests."""


_DEADLINES = (
    select(_seat.c.game_key, _seat.c.seat, _seat.c.asked, _seat.c.since, _seat.c.due)
    .add_columns(_tenure.c.id, _tenure.c.player_id, _player.c.reminders, _game.c.rest)
    .join(_tenure, _tenure.c.id == _seat.c.tenure_id)
    .join(_player, _player.c.id == _tenure.c.player_id)
    .outerjoin(_account, _account.c.player_id == _tenure.c.player_id)
    .join(_game, _game.c.key == _seat.c.game_key)
    .where(is_told(_account.c.address, _tenure.c.player_id))
    .where(_seat.c.due.is_not(None))
    .where(_game.c.paused_at.is_(None))
)


def leads(chosen: list[int] | None) -> list[int]:
    """The longest list of times for reminders, in minutes before a deadline; `chosen` is the value in the player's
    row.
    """
    return DEFAULT_LEADS if chosen is None else chosen


def plan(runtime: Runtime, seats: set[tuple[int, int]]) -> None:
    """Replace the reminders to the people in these seats (game key and seat) with reminders of their present
    deadlines.
    """
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


def is_overtaken(row: OutboxRow, now: int) -> bool:
    """Whether a reminder tells its reader nothing that another email does not.

    That is so if quiet hours have put off the question itself until after the reminder was due, or have put off both
    this reminder and a later one.
    """
    turn = (_outbox.c.kind == "turn") & (
        _outbox.c.done_at.is_(None)
        | (_outbox.c.outcome == "sent") & (_outbox.c.done_at > row.run_at)
    )
    later = (_outbox.c.kind == row.kind) & _outbox.c.run_at.between(row.run_at + 1, now)
    same = (_outbox.c.tenure_id == row.tenure_id) & (_outbox.c.number == row.number)
    told = _outbox.c.outcome.is_distinct_from("cancelled")
    query = select(_outbox.c.id).where(same, turn | later & told)
    return db.session.scalar(query.limit(1)) is not None


def times(deadline: Deadline, now: int) -> list[int]:
    """The times at which to remind (ms UTC), none in the first quarter of the time, when the question was just mailed.

    Time in which the table rests does not count: the leads are times left on the clock.
    """
    since, rest = deadline.since, Rest.of(deadline.rest) or ()
    span = deadline.due - since - overlap((since, deadline.due), rest)
    earliest = max(now, stretch(since, span // 4, rest))
    chosen = deadline.reminders
    if chosen is None:  # as many usual times as fit the time for the question
        fitting = next(number for least, number in _NUMBERS if span >= least)
        chosen = DEFAULT_LEADS[-fitting:]
    wanted = (stretch(since, span - lead * MINUTE, rest) for lead in chosen)
    return [at for at in wanted if at > earliest]
