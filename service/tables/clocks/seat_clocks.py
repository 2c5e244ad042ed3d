"""The clocks of seats in the database: the effect of a commit on each of them, and the reasons, written in that commit.

The arithmetic is in arithmetic.py. Each change of a clock leaves one or two lines in `time_entries`, which tell
everybody at the table why a seat has its time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    ScalarSelect,
    Select,
    and_,
    bindparam,
    case,
    func,
    or_,
    select,
    update,
)
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
from service.log.table_rows.rests import Rest, Span, Standstills, Stops, overlap
from service.log.table_rows.table import GameRow, Holder, Table, find
from service.outbox.causes import reminders
from service.tables.clocks import arithmetic, own_answers, paces, quiet_hours
from service.tables.clocks.arithmetic import (
    NONE,
    ClockEntry,
    GivenBack,
    Moment,
    QuestionChange,
    Wait,
)

LONGEST_GAP = 5 * MINUTE
"""How long (ms) a gap between the workers' heartbeats may be.

A longer one is an outage, which postpones all deadlines.
"""

BEGINNINGS = ("asked", "returned", "substitute")
"""The kinds of entries that begin the time for an answer."""
PAID_WITHIN = 20
"""The most entries among which to look for a seat's answer: others may follow it at the same moment."""

_seat, _entry = Seat.metadata.tables["seats"], TimeEntry.metadata.tables["time_entries"]
_SET = update(_seat).where(_seat.c.game_key == bindparam("game"), _seat.c.seat == bindparam("of"))


class TimedSeat(NamedTuple):
    """A seat whose clock runs or is paused, with its game's pause and rest, and its player's vacation and
    quiet hours.
    """

    game_key: int
    seat: int
    since: int
    due: int | None
    reserve: int
    extra: int
    spent: int
    moved: int
    paused_at: int | None
    rest: Json | None
    away_from: int | None
    away_until: int | None
    quiet: str | None
    time_zone: str | None


def wait_of(seat: Holder | TimedSeat) -> Wait:
    """The clock of a seat, as the row has it."""
    return Wait(seat.since, seat.due, seat.reserve, seat.extra, seat.spent, seat.moved)


def away(person: Holder | TimedSeat) -> Sequence[Span]:
    """The vacations of this person, as periods (ms UTC)."""
    begins, ends = person.away_from, person.away_until
    return () if begins is None or ends is None else ((begins, ends),)


def stops(rest: Json | None, away: Sequence[Span]) -> Stops:
    """The periods in which a clock stands still at a table with this rest, whose player is on vacation during
    `away`.
    """
    resting = Rest.of(rest)
    return away if resting is None else Standstills(away, resting)


def clock_moment(table: Table, now: int) -> Moment:
    """The present moment at this table; its clocks stand still during a pause, and during an outage since the last
    heartbeat.
    """
    game, shown = table.game, shown_at(table, now)
    stopped_at = [] if game.paused_at is None else [game.paused_at]
    if game.pace is not None and shown < now:
        stopped_at.append(shown)
    return Moment(now, min(stopped_at, default=None))


def shown_at(table: Table, now: int) -> int:
    """The time with which to compare deadlines at this table: the last heartbeat during an outage, otherwise `now`."""
    alive = table.worker_alive_at
    return alive if alive is not None and now - alive > LONGEST_GAP else now


def after_commit(
    game: GameRow,
    holder: Holder,
    at: Moment,
    asked: int,
    waiting: bool,
    answer: Action | None,
    back: GivenBack | None = None,
) -> tuple[Json, list[Json]]:
    """A seat's columns after a commit that leaves it with question `asked`, and the lines with the reasons.

    `answer` is the action that the commit logs, if any; `back` is what the seat gets back if the commit takes its
    answer back.
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
    before = wait_of(holder)
    if back is not None:
        before, change = back.wait, QuestionChange(False, waiting, False, False, left=back.left)
    pace = NONE if holder.player_id is None else paces.loaded(game.pace)
    at = at._replace(away=stops(game.rest, away(holder)))
    wait, entries = quiet_hours.after_commit(pace, before, change, at, holder)
    entries = with_rest(entries, at)
    entries = [ClockEntry("given-back", back.paid, before), *entries] if back else entries
    return new | wait._asdict(), [line(game.key, holder.seat, now, entry) for entry in entries]


def with_rest(entries: Sequence[ClockEntry], at: Moment) -> list[ClockEntry]:
    """The reasons for a seat's time, with a separate one for the time that the table's rest adds to a new question."""
    found = list[ClockEntry]()
    for each in entries:
        due = each.wait.due or 0
        added = overlap((at.now, due), at.resting) if each.kind in BEGINNINGS else 0
        if added:
            without = each.wait._replace(due=due - added)
            found += [
                each._replace(ms=each.ms - added, wait=without),
                ClockEntry("rest", added, each.wait),
            ]
        else:
            found.append(each)
    return found


def line(game_key: int, seat: int, now: int, entry: ClockEntry) -> Json:
    """A row of `time_entries` for this seat."""
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
    """Store the reasons for changes of clocks. The caller owns the commit."""
    write_rows(TimeEntry.__table__, lines)


def write_changes(changes: Mapping[tuple[int, int], Sequence[ClockEntry]], now: int) -> None:
    """Store clocks that something other than a move has changed, with the reasons; `changes` has them by game key and
    seat.

    The caller owns the locks and the commit, and raises the revisions of the games.
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
    """Postpone the deadlines of seats with `change`, a function of arithmetic.py; returns the number of deadlines that
    changed.

    `then` are the vacations after the change, if it changes them; `shown` is the time that the clocks show, if it is
    not the present.
    """
    changes = dict[tuple[int, int], list[ClockEntry]]()
    for row in seats:
        before, at = wait_of(row), Moment(now, row.paused_at, stops(row.rest, away(row)))
        gone, changed = at.away, partial(change, at=at)
        if then is not None:
            gone = stops(row.rest, then)
            changed = partial(changed, then=gone)
        clock_time = at.clock_time(before) if shown is None else shown
        after = quiet_hours.postponed(before, row, gone, clock_time, changed)
        changes[row.game_key, row.seat] = quiet_hours.reasons(kind, before, after)
    write_changes(changes, now)
    return sum(map(len, changes.values()))


def timed_seats(*where: ColumnElement[bool]) -> list[TimedSeat]:
    """The seats whose clocks run, or are stopped by a pause."""
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
    """Lock the games that fit `where` against moves, in the order of their keys, and raise their revisions."""
    keys = select(Game.key).where(*where).order_by(Game.key).with_for_update()
    found = db.session.scalars(keys).all()
    if found:
        these = Game.key.in_(found)
        db.session.execute(update(Game).where(these).values(revision=Game.revision + 1))
        changes.note_tables(now, these)


_PLAYED = and_(
    Game.status == "running",
    or_(
        select(Seat.game_key).where(Seat.game_key == Game.key, Seat.due.is_not(None)).exists(),
        select(Seat.game_key).where(Seat.game_key == Game.key, Seat.acts_at.is_not(None)).exists(),
        Game.asking > 0,
        Game.unattended_at.is_not(None),
        Game.clock_due.is_not(None),
    ),
)
_CONCERNED = or_(_PLAYED, and_(Game.status == "open", Game.live))
"""The condition for games that outages concern: those with a deadline, those in which the service may have an answer to
give, and open tables where people have to be present.
"""


_FULL_SINCE = (
    select(func.max(Tenure.sat_at))
    .where(Tenure.game_key == Game.key, Tenure.ended_at.is_(None))
    .correlate(Game)
    .scalar_subquery()
)
"""The time at which the last person sat down: then everybody is asked whether they are there."""


def in_outage(_now: object) -> Select[str]:
    """The query for the ids of games to which an outage has not yet been credited."""
    return select(Game.id).where(_CONCERNED, outages.lasts()).order_by(Game.key)


def give_outage_back(runtime: Runtime, game_id: str) -> bool:
    """Postpone all deadlines of a game by the outage that it has not been credited with, up to now; returns whether
    there was one.
    """
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
    """Delete the outages that have been credited to every game. The caller owns the commit."""
    outages.forget(_CONCERNED)


def _credit(game_key: int, gap: Span, now: int) -> None:
    """Postpone all deadlines of a game, whose row is locked, by an outage during `gap`."""
    change = partial(arithmetic.outage, gap=gap)
    _postpone(timed_seats(Seat.game_key == game_key), now, "outage", change, shown=gap[0])
    own_answers.wait_anew(now, Seat.game_key == game_key)
    asked, left = Proposal.made_at, Game.unattended_at
    asking = update(Proposal).where(Proposal.game_key == game_key, Proposal.status == "open")
    lost = asking.where(asked < gap[1]).values(due=Proposal.due + _lost(asked, gap))
    db.session.execute(lost)
    ran = update(Game).where(Game.key == game_key, Game.clock_due.is_not(None))
    db.session.execute(ran.values(clock_due=Game.clock_due + _lost(Game.started_at, gap)))
    check = update(Game).where(Game.key == game_key, Game.ready_until.is_not(None))
    db.session.execute(check.values(ready_until=Game.ready_until + _lost(_FULL_SINCE, gap)))
    alone = update(Game).where(Game.key == game_key, left < gap[1])
    db.session.execute(alone.values(unattended_at=left + _lost(left, gap)))


def _lost(since: InstrumentedAttribute[Any] | ScalarSelect[int], gap: Span) -> ColumnElement[int]:
    """The part (ms) of `gap` that lies after the time `since`, which is before the end of the gap."""
    return gap[1] - case((since > gap[0], since), else_=gap[0])


def set_vacation(now: int, player_id: str, span: Span | None) -> None:
    """Set a player's vacation, or cancel it (`span` is None). Deadlines within it are postponed; none moves forward.

    The caller owns the commit, and has checked that the vacation is allowed.
    """
    seated = select(Tenure.game_key).where(Tenure.player_id == player_id, Tenure.ended_at.is_(None))
    lock_games(now, Game.key.in_(seated))
    then = (span,) if span else ()
    seats = timed_seats(Tenure.player_id == player_id)
    _postpone(seats, now, "vacation", arithmetic.vacation, then=then)
    begins, ends = span or (None, None)
    query = update(Player).where(Player.id == player_id)
    db.session.execute(query.values(away_from=begins, away_until=ends))


def resume_clocks(game: GameRow, now: int) -> None:
    """Restart the table's clocks, which have been stopped since the pause. The caller owns the lock and the commit."""
    _postpone(timed_seats(Seat.game_key == game.key), now, "resumed", arithmetic.resume)
    own_answers.wait_anew(now, Seat.game_key == game.key)


def extend_clock(game: GameRow, holder: Holder, ms: int, now: int) -> None:
    """Give a seat extra time; a seat without a question keeps it for later.

    The caller owns the lock and the commit.
    """
    before, gone = wait_of(holder), stops(game.rest, away(holder))
    shown = Moment(now, game.paused_at).clock_time(before)
    extended = partial(arithmetic.extend, ms=ms, away=gone)
    after = quiet_hours.postponed(before, holder, gone, shown, extended)
    entries = quiet_hours.reasons("extended", before, after, ms)
    write_changes({(game.key, holder.seat): entries}, now)


def given_back(table: Table, undone: Mapping[int, int]) -> dict[int, GivenBack]:
    """What each seat of `undone` gets back when its answer is taken back; `undone` has the time of the answer by seat
    (ms UTC).

    The time between an answer and its take-back is not charged to the seat, but the time that the answer took is
    charged. So nobody gains time by answering and taking it back.
    """
    found, pace = dict[int, GivenBack](), paces.loaded(table.game.pace)
    for holder in table.holders:
        paid = _paid(table.game.key, holder.seat, undone.get(holder.seat))
        if holder.player_id is not None and paid is not None:
            wait = quiet_hours.plain(wait_of(holder))._replace(due=None)
            found[holder.seat] = arithmetic.given_back(pace, wait, *paid)
    return found


class _Paid(NamedTuple):
    """The costs of an answer: its time, and the changes of the bank and of the extra time."""

    ms: int
    reserve: int
    extra: int


def _paid(game_key: int, seat: int, at: int | None) -> _Paid | None:
    """The costs of the answer that the seat gave at this time; None if no clock ran."""
    if at is None:
        return None
    mine = (_entry.c.game_key == game_key) & (_entry.c.seat == seat)
    query = select(_entry).where(mine, _entry.c.at <= at).order_by(_entry.c.key.desc())
    found = db.session.execute(query.limit(PAID_WITHIN)).all()
    for after, before in pairwise(found):
        if after.at == at and after.kind in ("answered", "late"):
            changes = after.reserve - before.reserve, after.extra - before.extra
            return _Paid(after.ms, *changes)
    return None


def change_holder(table: Table, before: Holder, how: str, now: int) -> None:
    """Update the clock of a seat that has just changed hands; `before` is its former holder.

    A player who returns gets the time that was left at the handover.
    """
    pace, at, rest = paces.loaded(table.game.pace), clock_moment(table, now), table.game.rest
    holder, wait = table.holders[before.seat], quiet_hours.plain(wait_of(before))
    entries = list[ClockEntry]()
    if holder.player_id is None:
        at = at._replace(away=stops(rest, away(before)))
        left = arithmetic.charge(pace, wait, at)._replace(since=now)
        if before.due is not None:
            entries = [ClockEntry("house", left.spent - wait.spent, left)]
    elif pace != NONE:
        begin = arithmetic.returned if how == "returned" else arithmetic.substituted
        wait, at = begin(pace, wait), at._replace(away=stops(rest, away(holder)))
        if before.waiting:
            wait = arithmetic.begin(pace, wait, at)
        entries = with_rest(quiet_hours.begun(how, now, wait, holder, at.away), at)
    write_changes({(table.game.key, before.seat): entries}, now)
