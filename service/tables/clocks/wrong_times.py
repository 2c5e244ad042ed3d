"""Deadlines that a wrong clock has computed, set back once the clock is right again.

A seat that got its question, or the credit for an outage, at a time in the future continues from now with the time that
it had left then. So nobody loses time, and no deadline stays too far ahead.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import case, func, select, update

from service.core.database.database import changed_rows, db
from service.core.database.tables import AHEAD
from service.core.models.games import Game, Seat, TimeEntry
from service.core.runtime.time_and_random import Runtime
from service.log.table_rows.rests import stretch
from service.outbox.causes import reminders
from service.tables.clocks import quiet_hours
from service.tables.clocks.arithmetic import Moment, Wait
from service.tables.clocks.seat_clocks import (
    TimedSeat,
    away,
    lock_games,
    stops,
    timed_seats,
    wait_of,
)

_seat, _entry = Seat.metadata.tables["seats"], TimeEntry.metadata.tables["time_entries"]
_game = Game.metadata.tables["games"]


def set_back(now: int) -> dict[str, int]:
    """Set back deadlines, ends of pauses and outside clocks; returns how many of each were set back, by name. The
    caller owns the commit.
    """
    counted = _counted(now)
    lock_games(now, Game.key.in_({game for game, _ in counted}))
    found = {
        "seats.due": _set_back_seats(counted, now),
        "games.paused_until": _set_back_pauses(now),
        "games.clock_due": _set_back_outside_clocks(now),
    }
    _set_back_reasons(now)
    return {name: number for name, number in found.items() if number}


def _counted(now: int) -> dict[tuple[int, int], int]:
    """The times (ms UTC) in the future at which clocks were last computed, by game key and seat."""
    asked = select(_seat.c.game_key, _seat.c.seat, _seat.c.since).where(_seat.c.since > now + AHEAD)
    why = select(_entry.c.game_key, _entry.c.seat, func.max(_entry.c.at))
    why = why.where(_entry.c.at > now + AHEAD).group_by(_entry.c.game_key, _entry.c.seat)
    latest = dict[tuple[int, int], int]()
    for game, seat, at in [*db.session.execute(asked), *db.session.execute(why)]:
        latest[game, seat] = max(at, latest.get((game, seat), 0))
    return latest


def _set_back_seats(counted: Mapping[tuple[int, int], int], now: int) -> int:
    games = {game for game, _ in counted}
    timed = [each for each in timed_seats(Seat.game_key.in_(games)) if each[:2] in counted]
    for each in timed:
        this = (_seat.c.game_key == each.game_key) & (_seat.c.seat == each.seat)
        wait = _from_now(each, counted[each.game_key, each.seat], now)
        db.session.execute(update(_seat).where(this).values(**wait._asdict()))
    reminders.plan(Runtime(lambda: now), {(each.game_key, each.seat) for each in timed})
    return len(timed)


def _from_now(seat: TimedSeat, counted_at: int, now: int) -> Wait:
    """The clock of a seat, with as much time left from now as it had at `counted_at`."""
    standing, wait = stops(seat.rest, away(seat)), quiet_hours.plain(wait_of(seat))
    left = max(Moment(counted_at, away=standing).remaining(wait), 0)
    after = wait._replace(since=min(wait.since, now), due=stretch(now, left, standing))
    return quiet_hours.after_quiet(after, seat, standing)


def _set_back_pauses(now: int) -> int:
    """Move pauses that begin in the future to the present, keeping their length; returns how many were moved."""
    far = update(_game).where(_game.c.paused_at > now + AHEAD, _game.c.paused_until.is_not(None))
    return changed_rows(far.values(paused_until=_game.c.paused_until - _game.c.paused_at + now))


def _set_back_outside_clocks(now: int) -> int:
    """Let outside clocks that began in the future, or were credited with an outage there, continue from now with the
    time that was left; returns how many did.
    """
    began = func.coalesce(_game.c.credited_until, _game.c.started_at)
    far = update(_game).where(began > now + AHEAD, _game.c.clock_due.is_not(None))
    return changed_rows(far.values(clock_due=_game.c.clock_due - began + now))


def _set_back_reasons(now: int) -> None:
    """Move the reasons for these clocks to the present, and shorten outages to the time since they began."""
    ahead = _entry.c.at - now
    real = case((_entry.c.ms > ahead, _entry.c.ms - ahead), else_=0)
    lasted = case((_entry.c.kind == "outage", real), else_=_entry.c.ms)
    far = update(_entry).where(_entry.c.at > now + AHEAD)
    db.session.execute(far.values(at=now, ms=lasted, due=_entry.c.due - ahead))
