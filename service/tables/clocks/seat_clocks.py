"""The clocks of seats in the database: what a commit does to each of them, and why, written in that commit.

The arithmetic is in arithmetic.py. Each change of a clock leaves a line or two in `time_entries`, from
which everybody at the table can see why a seat has the time it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, bindparam, case, or_, select, update
from sqlalchemy.orm import InstrumentedAttribute

from rules.kernel import Json
from service.core.database.database import columns, db, rows, transaction, write_rows
from service.core.models.games import Game, Seat, Tenure, TimeEntry
from service.core.models.people import Player
from service.core.models.proposals import Proposal
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import MINUTE
from service.log import changes
from service.log.events import Action
from service.log.table_rows import outages
from service.log.table_rows.table import GameRow, Holder, Table, find
from service.outbox.causes import reminders
from service.tables.clocks import arithmetic, paces, quiet_hours
from service.tables.clocks.arithmetic import NONE, ClockEntry, Moment, QuestionChange, Span, Wait

LONGEST_GAP = 5 * MINUTE
"""A longer gap between the workers' heartbeats is an outage, which postpones all deadlines."""

_seat = Seat.metadata.tables["seats"]
_SET = update(_seat).where(_seat.c.game_key == bindparam("game"), _seat.c.seat == bindparam("of"))


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


def wait_of(seat: Holder | TimedSeat) -> Wait:
    """The time of a seat."""
    return Wait(seat.since, seat.due, seat.reserve, seat.extra, seat.spent, seat.moved)


def away(person: Holder | TimedSeat) -> Sequence[Span]:
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
    pace = NONE if holder.player_id is None else paces.loaded(game.pace)
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
    write_rows(TimeEntry.__table__, lines)


def write_changes(changes: Mapping[tuple[int, int], Sequence[ClockEntry]], now: int) -> None:
    """Write changed clocks and why, by game key and seat; something other than a move has changed them.

    The caller owns locks and commit, and raises the revisions of the games.
    """
    found = [(*seat, entry) for seat, entries in changes.items() for entry in entries]
    if not found:
        return
    rows = [{"game": key, "of": seat, **entry.wait._asdict()} for key, seat, entry in found]
    db.session.execute(_SET, rows)
    write_lines([line(key, seat, now, entry) for key, seat, entry in found])
    due = {(key, seat) for key, seat, entry in found if entry.wait.due is not None}
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
    changes = dict[tuple[int, int], list[ClockEntry]]()
    for row in seats:
        before, at = wait_of(row), Moment(now, row.paused_at, away(row))
        gone = at.away if then is None else then
        clock_time = at.clock_time(before) if shown is None else shown
        after = quiet_hours.postponed(before, row, gone, clock_time, partial(change, at=at))
        changes[row.game_key, row.seat] = quiet_hours.reasons(kind, before, after)
    write_changes(changes, now)
    return sum(map(len, changes.values()))


def timed_seats(*where: ColumnElement[bool]) -> list[TimedSeat]:
    """The seats whose clocks run, or have stopped for a pause."""
    query = (
        select(*columns(TimedSeat, Seat.__table__, Game.__table__, Player.__table__))
        .join(Game, Game.key == Seat.game_key)
        .join(Tenure, Tenure.id == Seat.tenure_id)
        .join(Player, Player.id == Tenure.player_id)
        .where(Seat.due.is_not(None), *where)
        .order_by(Seat.game_key, Seat.seat)
    )
    return rows(TimedSeat, query)


def lock_games(now: int, *where: ColumnElement[bool]) -> None:
    """Lock games against moves, in the order of their keys, and raise their revisions."""
    keys = select(Game.key).where(*where).order_by(Game.key).with_for_update()
    found = db.session.scalars(keys).all()
    if found:
        these = Game.key.in_(found)
        db.session.execute(update(Game).where(these).values(revision=Game.revision + 1))
        changes.note_tables(now, these)


_CONCERNED = and_(
    Game.status == "running",
    or_(
        select(Seat.game_key).where(Seat.game_key == Game.key, Seat.due.is_not(None)).exists(),
        Game.asking > 0,
        Game.unattended_at.is_not(None),
    ),
)
"""The condition for games that have a deadline."""


def in_outage(_now: object) -> Select[str]:
    """The query for the ids of games to which an outage is to be given back."""
    return select(Game.id).where(_CONCERNED, outages.lasts()).order_by(Game.key)


def give_outage_back(runtime: Runtime, game_id: str) -> bool:
    """Postpone all deadlines of a game by the outage that lasts for it until now; whether one did."""
    with transaction():
        game, now = find(game_id, lock=True).game, runtime.now()
        lasting = outages.lasting(game.key)
        if game.is_over or lasting is None:
            return False
        lock_games(now, Game.key == game.key)
        _credit(game.key, (lasting[0], now), now)
        until = update(Game).where(Game.key == game.key)
        db.session.execute(until.values(credited_until=max(now, lasting[1])))
    return True


def forget_outages() -> None:
    """Forget those that have been given back to every game. The caller owns the commit."""
    outages.forget(_CONCERNED)


def _credit(game_key: int, gap: Span, now: int) -> None:
    """Postpone all deadlines of a game, whose row is locked, by an outage during `gap`."""
    change = partial(arithmetic.outage, gap=gap)
    _postpone(timed_seats(Seat.game_key == game_key), now, "outage", change, shown=gap[0])
    asked, left = Proposal.made_at, Game.unattended_at
    asking = update(Proposal).where(Proposal.game_key == game_key, Proposal.status == "open")
    lost = asking.where(asked < gap[1]).values(due=Proposal.due + _lost(asked, gap))
    db.session.execute(lost)
    alone = update(Game).where(Game.key == game_key, left < gap[1])
    db.session.execute(alone.values(unattended_at=left + _lost(left, gap)))


def _lost(since: InstrumentedAttribute[Any], gap: Span) -> ColumnElement[int]:
    """How much of `gap` lies after the time in the column `since`, which is before its end."""
    return gap[1] - case((since > gap[0], since), else_=gap[0])


def set_vacation(now: int, player_id: str, span: Span | None) -> None:
    """Set or cancel (None) a player's vacation; that postpones the deadlines that it covers and brings none forward.

    The caller owns the commit and has checked that the vacation is allowed.
    """
    seated = select(Tenure.game_key).where(Tenure.player_id == player_id, Tenure.ended_at.is_(None))
    lock_games(now, Game.key.in_(seated))
    then = (span,) if span else ()
    seats, change = timed_seats(Tenure.player_id == player_id), arithmetic.vacation
    _postpone(seats, now, "vacation", partial(change, then=then), then=then)
    begins, ends = span or (None, None)
    query = update(Player).where(Player.id == player_id)
    db.session.execute(query.values(away_from=begins, away_until=ends))


def resume_clocks(game: GameRow, now: int) -> None:
    """The table resumes: its clocks have been stopped since the pause. The caller owns lock and commit."""
    _postpone(timed_seats(Seat.game_key == game.key), now, "resumed", arithmetic.resume)


def extend_clock(game: GameRow, holder: Holder, ms: int, now: int) -> None:
    """Give a seat more time; a seat that is asked nothing keeps it for later. The caller owns lock and commit."""
    before, gone = wait_of(holder), away(holder)
    shown = Moment(now, game.paused_at).clock_time(before)
    extended = partial(arithmetic.extend, ms=ms, away=gone)
    after = quiet_hours.postponed(before, holder, gone, shown, extended)
    entries = quiet_hours.reasons("extended", before, after, ms)
    write_changes({(game.key, holder.seat): entries}, now)


def change_holder(table: Table, before: Holder, how: str, now: int) -> None:
    """The seat of `before` has just changed hands, and the table shows it.

    A player who returns gets the time that was left at the handover.
    """
    pace, at = paces.loaded(table.game.pace), clock_moment(table, now)
    holder, wait = table.holders[before.seat], quiet_hours.plain(wait_of(before))
    entries = list[ClockEntry]()
    if holder.player_id is None:
        left = arithmetic.charge(pace, wait, at._replace(away=away(before)))._replace(since=now)
        if before.due is not None:
            entries = [ClockEntry("house", left.spent - wait.spent, left)]
    elif pace != NONE:
        begin = arithmetic.returned if how == "returned" else arithmetic.substituted
        wait = begin(pace, wait)
        if before.waiting:
            wait = arithmetic.begin(pace, wait, at._replace(away=away(holder)))
        entries = quiet_hours.begun(how, now, wait, holder, away(holder))
    write_changes({(table.game.key, before.seat): entries}, now)
