"""Waits in the database: what a commit does to the time of each seat, and why, written in that commit.

The arithmetic is service/clock.py's. Each change of a seat's time leaves one line or two in `time_entries`, from which
anybody at the table is told why the time is what it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import bindparam, case, insert, or_, select, update

from rules.kernel import Json
from service import clock, paces, reminders
from service.clock import MINUTE, NONE, Entry, Moment, Pace, Span, Step, Wait
from service.database import db
from service.models import Game, Player, Seat, Tenure
from service.models_clock import Heartbeat, Proposal, TimeEntry
from service.outside import Outside

TIME = ("since", "due", "reserve", "extra", "spent")
"""The columns of `seats` that are a Wait."""
GAP = 5 * MINUTE
"""A longer silence of all workers is an outage: it is added to all due times."""

_game, _seat, _tenure, _player = (
    kind.metadata.tables[kind.__tablename__] for kind in (Game, Seat, Tenure, Player)
)
_entry = TimeEntry.metadata.tables["time_entries"]
_proposal = Proposal.metadata.tables["proposals"]
_ALIVE = select(Heartbeat.at)
_INSERT = insert(_entry)
_SET = update(_seat).where(_seat.c.game_key == bindparam("game"), _seat.c.seat == bindparam("of"))
_TOUCH = update(_game).where(_game.c.key == bindparam("of"))


class Answered(NamedTuple):
    """Who answered in a commit, and by what: `seat`, `house` or `timeout`. Nobody, if no action is logged."""

    seat: int | None = None
    by: str | None = None


class Change(NamedTuple):
    """A seat's time that something other than a move has changed."""

    game_key: int
    seat: int
    wait: Wait
    kind: str
    ms: int


def pace_of(game: Any) -> Pace:
    """The pace of a game's row."""
    return paces.loaded(game.pace)


def wait_of(row: Any) -> Wait:
    """The time of a seat's row."""
    return Wait(row.since, row.due, row.reserve, row.extra, row.spent)


def away(row: Any) -> Sequence[Span]:
    """When the seat's player is on vacation."""
    return ((row.away_from, row.away_until),) if row.away_from is not None else ()


def moment(game: Any, now: int) -> Moment:
    """Now, at this table: its clocks stand while it pauses, and since the last heartbeat in an outage."""
    stood = [] if game.paused_at is None else [game.paused_at]
    alive = None if game.pace is None else db.session.scalar(_ALIVE)
    if alive is not None and now - alive > GAP:
        stood.append(alive)
    return Moment(now, min(stood, default=None))


def following(
    game: Any, person: Any, at: Moment, asked: int, waiting: bool, answered: Answered
) -> tuple[Json, list[Json]]:
    """A seat's columns after a commit that asks it `asked`, and the lines that say why."""
    now = at.now
    decided = answered.seat == person.seat
    late = decided and answered.by == "timeout"
    new: Json = {"asked": asked, "waiting": waiting}
    if decided:
        new["misses"] = person.misses + 1 if late else 0
    if person.due is None and (game.pace is None or person.player_id is None):
        same = asked == person.asked and waiting == person.waiting
        return new | {"since": person.since if same else now}, []
    step = Step(person.waiting, waiting, asked == person.asked, decided, late)
    pace = NONE if person.player_id is None else pace_of(game)
    at = at._replace(away=away(person))
    wait, entries = clock.after(pace, wait_of(person), step, at)
    return new | wait._asdict(), [line(game.key, person.seat, now, entry) for entry in entries]


def line(game_key: int, seat: int, now: int, entry: Entry) -> Json:
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
    """Keep why. The caller owns the commit."""
    if lines:
        db.session.execute(_INSERT, lines)


def apply(changes: Iterable[Change], now: int) -> None:
    """Write new times and why. The caller owns locks and commit, and says that the games have changed."""
    changes = list(changes)
    if not changes:
        return
    rows = [{"game": each.game_key, "of": each.seat, **each.wait._asdict()} for each in changes]
    db.session.execute(_SET, rows)
    write_lines(
        [
            line(each.game_key, each.seat, now, Entry(each.kind, each.ms, each.wait))
            for each in changes
        ]
    )
    due = {(each.game_key, each.seat) for each in changes if each.wait.due is not None}
    reminders.plan(Outside(lambda: now), due)


def moved(row: Any, wait: Wait, kind: str) -> list[Change]:
    """The change of a seat's due time to that of `wait`, if it is one."""
    if wait.due is None or wait.due == row.due:
        return []
    return [Change(row.game_key, row.seat, wait, kind, wait.due - row.due)]


def standing(*where: Any) -> list[Any]:
    """The seats whose clocks run, or stand in a pause, with their game's `paused_at` and their player's vacation."""
    query = (
        select(_seat, _game.c.paused_at, _player.c.away_from, _player.c.away_until)
        .join(_game, _game.c.key == _seat.c.game_key)
        .join(_tenure, _tenure.c.id == _seat.c.tenure_id)
        .join(_player, _player.c.id == _tenure.c.player_id)
        .where(_seat.c.due.is_not(None), *where)
        .order_by(_seat.c.game_key, _seat.c.seat)
    )
    return list(db.session.execute(query))


def _at(row: Any, now: int) -> Moment:
    """Now, for one of those."""
    return Moment(now, row.paused_at, away(row))


def lock_games(*where: Any) -> None:
    """Hold games against moves, in the order of their keys, and say that they have changed."""
    keys = select(_game.c.key).where(*where).order_by(_game.c.key).with_for_update()
    found = db.session.scalars(keys).all()
    if found:
        rising = {"revision": _game.c.revision + 1}
        db.session.execute(_TOUCH.values(rising), [{"of": key} for key in found])


def credit_outage(gap: Span, now: int) -> int:
    """Nobody worked during `gap`: whatever was to end by itself ends later. How many due times that moves.

    The caller owns the commit.
    """
    timed = select(_seat.c.game_key).where(_seat.c.due.is_not(None))
    ends = or_(_game.c.key.in_(timed), _game.c.asking > 0, _game.c.unattended_at.is_not(None))
    lock_games(ends, _game.c.status == "running")
    changes = [
        change
        for row in standing()
        for change in moved(row, clock.outage(wait_of(row), gap, _at(row, now)), "outage")
    ]
    apply(changes, now)
    asked, left = _proposal.c.made_at, _game.c.unattended_at
    asking = update(_proposal).where(_proposal.c.status == "open", asked < gap[1])
    db.session.execute(asking.values(due=_proposal.c.due + _lost(asked, gap)))
    alone = update(_game).where(_game.c.status == "running", left < gap[1])
    db.session.execute(alone.values(unattended_at=left + _lost(left, gap)))
    return len(changes)


def _lost(since: Any, gap: Span) -> Any:
    """How much of `gap` lies behind the time in a column that is before its end."""
    return gap[1] - case((since > gap[0], since), else_=gap[0])


def go_away(now: int, player_id: str, span: Span | None) -> None:
    """Set a player's vacation, or take it back; due times that it covers move back, none is brought forward.

    The caller owns the commit and has checked that the vacation is allowed.
    """
    seated = select(_tenure.c.game_key).where(
        _tenure.c.player_id == player_id, _tenure.c.ended_at.is_(None)
    )
    lock_games(_game.c.key.in_(seated))
    then = (span,) if span else ()
    changes = []
    for row in standing(_tenure.c.player_id == player_id):
        changes += moved(row, clock.vacation(wait_of(row), _at(row, now), then), "vacation")
    apply(changes, now)
    begins, ends = span or (None, None)
    query = update(_player).where(_player.c.id == player_id)
    db.session.execute(query.values(away_from=begins, away_until=ends))


def resume(game: Any, now: int) -> None:
    """The table goes on: its clocks have stood since the pause. The caller owns lock and commit."""
    changes = [
        change
        for row in standing(_seat.c.game_key == game.key)
        for change in moved(row, clock.resume(wait_of(row), _at(row, now)), "resumed")
    ]
    apply(changes, now)


def extend(game: Any, person: Any, ms: int, now: int) -> None:
    """More time for a seat; who is asked nothing keeps it for later. The caller owns lock and commit."""
    wait = clock.extend(wait_of(person), ms, away(person))
    apply([Change(game.key, person.seat, wait, "extended", ms)], now)


def taken(game: Any, seat: Any, how: str, now: int, player: Any) -> None:
    """A seat that has just been taken: `player` is the row of who sits there now, or None for a house player.

    Who comes back finds the time that was left: what the last question took until the handover is gone.
    """
    pace, at, wait = pace_of(game), moment(game, now), wait_of(seat)
    if player is None:
        left = clock.charge(pace, wait, at._replace(away=away(seat)))._replace(since=now)
        if seat.due is not None:
            paid = left.spent - wait.spent
            apply([Change(game.key, seat.seat, left, "house", paid)], now)
        return
    wait = clock.returned(pace, wait) if how == "returned" else clock.substituted(pace, wait)
    if seat.waiting:
        wait = clock.begin(pace, wait, at._replace(away=away(player)))
    if pace != NONE:
        apply([Change(game.key, seat.seat, wait, how, (wait.due or now) - now)], now)
