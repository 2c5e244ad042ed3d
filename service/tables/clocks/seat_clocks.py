"""The clocks of seats in the database: what a commit does to each of them, and why, written in that commit.

The arithmetic is in arithmetic.py. Each change of a clock leaves a line or two in `time_entries`, from
which everybody at the table can see why a seat has the time it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from sqlalchemy import ColumnElement, bindparam, case, or_, select, update

from rules.kernel import Json
from service.core.database.database import columns, db, rows, write_rows
from service.core.models.games import Game, Seat, Tenure
from service.core.models.people import Player
from service.core.models.proposals import Proposal
from service.core.models.time import TimeEntry
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import MINUTE
from service.log import changes
from service.log.events import Action
from service.log.table_rows.table import GameRow, Holder, Table
from service.outbox.causes import reminders
from service.tables.clocks import arithmetic, paces, quiet_hours
from service.tables.clocks.arithmetic import (
    NONE,
    ClockEntry,
    Moment,
    Pace,
    QuestionChange,
    Span,
    Wait,
)

CLOCK_COLUMNS = ("since", "due", "reserve", "extra", "spent", "moved")
"""The columns of `seats` that make a Wait."""
LONGEST_GAP = 5 * MINUTE
"""A longer gap between the workers' heartbeats is an outage, which postpones all deadlines."""

_game, _seat, _tenure, _player = (
    kind.metadata.tables[kind.__tablename__] for kind in (Game, Seat, Tenure, Player)
)
_entry = TimeEntry.metadata.tables["time_entries"]
_proposal = Proposal.metadata.tables["proposals"]
_SET = update(_seat).where(_seat.c.game_key == bindparam("game"), _seat.c.seat == bindparam("of"))
_TOUCH = update(_game).where(_game.c.key == bindparam("of"))


class ClockChange(NamedTuple):
    """A change of a seat's clock by something other than a move."""

    game_key: int
    seat: int
    entry: ClockEntry


class Newcomer(NamedTuple):
    """The vacation and the quiet hours of a player who takes a seat in a running game."""

    away_from: int | None
    away_until: int | None
    quiet: str | None
    time_zone: str | None


class TimedSeat(NamedTuple):
    """A seat whose clock runs or is paused, with its game's pause and its player's vacation and quiet hours."""

    game_key: int
    seat: int
    since: int
    due: int | None
    reserve: int
    extra: int
    spent: int
    moved: int
    paused_at: int | None
    away_from: int | None
    away_until: int | None
    quiet: str | None
    time_zone: str | None


def pace_of(game: GameRow) -> Pace:
    """The pace of a game."""
    return paces.loaded(game.pace)


def wait_of(seat: Holder | TimedSeat) -> Wait:
    """The time of a seat."""
    return Wait(seat.since, seat.due, seat.reserve, seat.extra, seat.spent, seat.moved)


def away(person: Holder | TimedSeat | Newcomer) -> Sequence[Span]:
    """When this person is on vacation."""
    begins, ends = person.away_from, person.away_until
    return () if begins is None or ends is None else ((begins, ends),)


def clock_moment(table: Table, now: int) -> Moment:
    """Now, at this table: its clocks are stopped during a pause, and during an outage since the last heartbeat."""
    game, alive = table.game, table.worker_alive_at
    stopped_at = [] if game.paused_at is None else [game.paused_at]
    if game.pace is not None and alive is not None and now - alive > LONGEST_GAP:
        stopped_at.append(alive)
    return Moment(now, min(stopped_at, default=None))


def after_commit(
    game: GameRow, holder: Holder, at: Moment, asked: int, waiting: bool, answer: Action | None
) -> tuple[Json, list[Json]]:
    """A seat's columns after a commit that leaves it with question `asked`, and the lines that say why.

    `answer` is the action that the commit logs, if it logs one.
    """
    now = at.now
    decided = answer is not None and answer["seat"] == holder.seat
    late = decided and answer is not None and answer["by"] == "timeout"
    new: Json = {"asked": asked, "waiting": waiting}
    if decided:
        new["misses"] = holder.misses + 1 if late else 0
    if holder.due is None and (game.pace is None or holder.player_id is None):
        same = asked == holder.asked and waiting == holder.waiting
        return new | {"since": holder.since if same else now}, []
    change = QuestionChange(holder.waiting, waiting, asked == holder.asked, decided, late)
    pace = NONE if holder.player_id is None else pace_of(game)
    at = at._replace(away=away(holder))
    wait, entries = quiet_hours.after_commit(pace, wait_of(holder), change, at, holder)
    return new | wait._asdict(), [line(game.key, holder.seat, now, entry) for entry in entries]


def line(game_key: int, seat: int, now: int, entry: ClockEntry) -> Json:
    """A row of `time_entries`."""
    wait = entry.wait
    return {
        "game_key": game_key,
        "seat": seat,
        "at": now,
        "kind": entry.kind,
        "ms": entry.ms,
        "due": wait.due,
        "reserve": wait.reserve,
        "extra": wait.extra,
    }


def write_lines(lines: list[Json]) -> None:
    """Store why clocks have changed. The caller owns the commit."""
    write_rows(_entry, lines)


def write_changes(changes: Sequence[ClockChange], now: int) -> None:
    """Write changed clocks and why. The caller owns locks and commit, and raises the revisions of the games."""
    if not changes:
        return
    rows = [{"game": key, "of": seat, **entry.wait._asdict()} for key, seat, entry in changes]
    db.session.execute(_SET, rows)
    write_lines([line(key, seat, now, entry) for key, seat, entry in changes])
    due = {(key, seat) for key, seat, entry in changes if entry.wait.due is not None}
    reminders.plan(Runtime(lambda: now), due)


def _postpone(
    seats: Iterable[TimedSeat],
    now: int,
    kind: str,
    change: Callable[..., Wait],
    *,
    then: Sequence[Span] | None = None,
    shown: int | None = None,
) -> int:
    """Postpone the deadlines of seats by a `change` of arithmetic.py; how many changes that makes, none if all stay.

    `then` are the vacations after it, if they change; `shown` is the time that the clocks show, if it is not that of
    `now`.
    """
    changes = list[ClockChange]()
    for row in seats:
        before, at = wait_of(row), Moment(now, row.paused_at, away(row))
        gone = at.away if then is None else then
        clock_time = at.clock_time(before) if shown is None else shown
        after = quiet_hours.postponed(before, row, gone, clock_time, partial(change, at=at))
        entries = quiet_hours.reasons(kind, before, after)
        changes += [ClockChange(row.game_key, row.seat, entry) for entry in entries]
    write_changes(changes, now)
    return len(changes)


def timed_seats(*where: ColumnElement[bool]) -> list[TimedSeat]:
    """The seats whose clocks run, or have stopped for a pause."""
    query = (
        select(*columns(TimedSeat, _seat, _game, _player))
        .join(_game, _game.c.key == _seat.c.game_key)
        .join(_tenure, _tenure.c.id == _seat.c.tenure_id)
        .join(_player, _player.c.id == _tenure.c.player_id)
        .where(_seat.c.due.is_not(None), *where)
        .order_by(_seat.c.game_key, _seat.c.seat)
    )
    return rows(TimedSeat, query)


def lock_games(now: int, *where: ColumnElement[bool]) -> None:
    """Lock games against moves, in the order of their keys, and raise their revisions."""
    keys = select(_game.c.key).where(*where).order_by(_game.c.key).with_for_update()
    found = db.session.scalars(keys).all()
    if found:
        raised = {"revision": _game.c.revision + 1}
        db.session.execute(_TOUCH.values(raised), [{"of": key} for key in found])
        changes.note_tables(now, _game.c.key.in_(found))


def credit_outage(gap: Span, now: int) -> int:
    """Postpone all deadlines by an outage during `gap`; returns how many moved. The caller owns the commit."""
    timed = select(_seat.c.game_key).where(_seat.c.due.is_not(None))
    ends = or_(_game.c.key.in_(timed), _game.c.asking > 0, _game.c.unattended_at.is_not(None))
    lock_games(now, ends, _game.c.status == "running")
    change = partial(arithmetic.outage, gap=gap)
    moved = _postpone(timed_seats(), now, "outage", change, shown=gap[0])
    asked, left = _proposal.c.made_at, _game.c.unattended_at
    asking = update(_proposal).where(_proposal.c.status == "open", asked < gap[1])
    db.session.execute(asking.values(due=_proposal.c.due + _lost(asked, gap)))
    alone = update(_game).where(_game.c.status == "running", left < gap[1])
    db.session.execute(alone.values(unattended_at=left + _lost(left, gap)))
    return moved


def _lost(since: ColumnElement[int], gap: Span) -> ColumnElement[int]:
    """How much of `gap` lies after the time in the column `since`, which is before its end."""
    return gap[1] - case((since > gap[0], since), else_=gap[0])


def set_vacation(now: int, player_id: str, span: Span | None) -> None:
    """Set or cancel (None) a player's vacation; that postpones the deadlines that it covers and brings none forward.

    The caller owns the commit and has checked that the vacation is allowed.
    """
    seated = select(_tenure.c.game_key).where(
        _tenure.c.player_id == player_id, _tenure.c.ended_at.is_(None)
    )
    lock_games(now, _game.c.key.in_(seated))
    then = (span,) if span else ()
    seats, change = timed_seats(_tenure.c.player_id == player_id), arithmetic.vacation
    _postpone(seats, now, "vacation", partial(change, then=then), then=then)
    begins, ends = span or (None, None)
    query = update(_player).where(_player.c.id == player_id)
    db.session.execute(query.values(away_from=begins, away_until=ends))


def resume_clocks(game: GameRow, now: int) -> None:
    """The table resumes: its clocks have been stopped since the pause. The caller owns lock and commit."""
    _postpone(timed_seats(_seat.c.game_key == game.key), now, "resumed", arithmetic.resume)


def extend_clock(game: GameRow, holder: Holder, ms: int, now: int) -> None:
    """Give a seat more time; a seat that is asked nothing keeps it for later. The caller owns lock and commit."""
    before, gone = wait_of(holder), away(holder)
    shown = Moment(now, game.paused_at).clock_time(before)
    extended = partial(arithmetic.extend, ms=ms, away=gone)
    after = quiet_hours.postponed(before, holder, gone, shown, extended)
    entries = quiet_hours.reasons("extended", before, after, ms)
    write_changes([ClockChange(game.key, holder.seat, entry) for entry in entries], now)


def change_holder(table: Table, seat: Holder, how: str, now: int, player: Newcomer | None) -> None:
    """A seat has just been taken by `player`, or by a house player (None).

    A player who returns gets the time that was left at the handover.
    """
    game, at, wait = table.game, clock_moment(table, now), quiet_hours.plain(wait_of(seat))
    pace = pace_of(game)
    if player is None:
        left = arithmetic.charge(pace, wait, at._replace(away=away(seat)))._replace(since=now)
        if seat.due is not None:
            entry = ClockEntry("house", left.spent - wait.spent, left)
            write_changes([ClockChange(game.key, seat.seat, entry)], now)
        return
    wait = (
        arithmetic.returned(pace, wait) if how == "returned" else arithmetic.substituted(pace, wait)
    )
    if seat.waiting:
        wait = arithmetic.begin(pace, wait, at._replace(away=away(player)))
    if pace != NONE:
        entries = quiet_hours.begun(how, now, wait, player, away(player))
        write_changes([ClockChange(game.key, seat.seat, entry) for entry in entries], now)
