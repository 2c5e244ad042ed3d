"""Deadlines: the worker notices outages, plays for seats that are out of time, and ends games that have lasted too
long.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import structlog
from sqlalchemy import Select, select, update

from service.core.database.database import (
    Moment,
    db,
    has_row_locks,
    insert_unless_there,
    release_connection,
    transaction,
)
from service.core.models.games import Game
from service.core.models.server import Heartbeat
from service.core.readiness import clock_jumps, heartbeats
from service.core.runtime.backoff import Backoff
from service.core.runtime.units import SECOND
from service.log.table_rows import outages
from service.people.circles import weeklies
from service.people.circles.series import rounds, series
from service.tables.before_start import (
    departures,
    ready_checks,
    series_rounds,
    series_tables,
    table_setup,
    weekly_tables,
)
from service.tables.clocks import seat_clocks
from service.tables.play import proposals, timeouts
from service.tables.play.orders import acting
from service.tables.services import Services

SLOW_INTERVAL = SECOND
"""The interval (ms) between two searches for things that may last for days."""
MOST = 100
"""The most deadlines of one kind that are handled at a time."""
MOST_SERIES = 20
"""The most series, and the most of their games, that are handled in one go; each of them is one commit."""

_log = structlog.get_logger("tegami.worker")
_game = Game.metadata.tables["games"]
_heartbeat = Heartbeat.metadata.tables["heartbeats"]
_NAME = heartbeats.WORKER

Late = Callable[[Moment], Select[*tuple[object, ...]]]
"""A query for games that are past a deadline at a time: the id of each, and the further arguments of `Meet`."""
Meet = Callable[..., bool]
"""A function that does whatever is due in a game, given the services and a row of the query; returns whether it did
anything.
"""
STARTS = table_setup.starting_tables, table_setup.start_if_due
TIME_OUTS = timeouts.late_seats, timeouts.time_out_seat
OWN_ANSWERS = acting.due_seats, acting.act
READY_CHECKS = ready_checks.over, ready_checks.end
CLOCKS = timeouts.clocks_run_out, timeouts.run_out_clock
OUTAGES = seat_clocks.in_outage, seat_clocks.give_outage_back
SLOW: dict[str, tuple[Late, Meet]] = {
    "proposal": (proposals.overdue_games, proposals.lapse),
    "pause": (timeouts.paused, timeouts.end_pause),
    "deserted live table": (ready_checks.deserted, ready_checks.free_deserted),
    "open table": (departures.expired_tables, departures.expire),
    "deserted game": (timeouts.deserted, timeouts.close_deserted),
}
"""The deadlines of things that may last for days, by task: proposals, pauses, tables that never start, deserted
games.
"""
LATE = [late for late, _ in (STARTS, READY_CHECKS, CLOCKS, TIME_OUTS, *SLOW.values())]
"""The queries for everything that is due at a time, except answers for people (own_answers.py)."""


class GameDeadline:
    """A kind of deadline that games have."""

    def __init__(self, task: str, services: Services, late: Late, meet: Meet) -> None:
        self._services, self._late, self._meet = services, late, meet
        self._games = Backoff(task, services.now)

    def meet_all(self) -> int:
        """Do whatever is due in every game; returns the number of games in which there was something to do."""
        query = self._late(self._services.now()).where(_game.c.id.not_in(self._games.waiting()))
        if self._late is not seat_clocks.in_outage:  # first, outages are credited to the game
            query = query.where(~outages.lasts())
        return sum(
            self._games.attempt(partial(self._meet, self._services, *row), False, str(row[0]))
            for row in db.session.execute(query.limit(MOST)).all()
        )


class Deadlines:
    """The deadlines of all games, handled alongside any number of other workers."""

    def __init__(self, services: Services, *, answers: bool = True) -> None:
        self._services = services
        self._answers = answers
        """Whether answers for people are given together with everything else, and not by a thread of their own."""
        self._last_beat: int | None = None
        self._beats = Backoff("heartbeat", services.now)
        self._jumps = clock_jumps.ClockJumps(services)
        self._last_slow: int | None = None
        self._in_vain_at: int | None = None
        """The time at which there was last no outage to credit to a game, or none could be credited."""
        self._outages = GameDeadline("outage", services, *OUTAGES)
        self._time_outs = GameDeadline("time-out", services, *TIME_OUTS)
        self._own_answers = GameDeadline("own answer", services, *OWN_ANSWERS)
        self._starts = GameDeadline("start", services, *STARTS)
        self._ready_checks = GameDeadline("ready check", services, *READY_CHECKS)
        self._clocks = GameDeadline("outside clock", services, *CLOCKS)
        self._slow = [GameDeadline(task, services, *kind) for task, kind in SLOW.items()]

    def meet_all(self) -> int:
        """Do everything that is due; returns the number of things done."""
        self._beats.attempt(self.beat, None)
        given_back = self.give_back()
        begun = given_back + self._starts.meet_all() + self.go_on_live()
        answered = self.answer_all() if self._answers else 0
        return begun + answered + self.time_out_all() + self.end_all()

    def beat(self) -> None:
        """Record that a worker is alive; after a silence of all workers, note that everybody lost that time."""
        now = self._services.now()
        was_set = self._jumps.notice(now)
        is_early = self._last_beat is not None and 0 <= now - self._last_beat < heartbeats.INTERVAL
        if is_early and not was_set:
            return
        with transaction():
            if was_set:
                clock_jumps.record(now)
            insert_unless_there(_heartbeat, {"name": _NAME, "at": now})
            query = select(_heartbeat.c.at).where(_heartbeat.c.name == _NAME).with_for_update()
            last = db.session.scalars(query).one()
            if last - now > heartbeats.AHEAD and self._is_right(was_set=was_set):
                clock_jumps.set_back(now)
                last = now
            last = clock_jumps.alive_until(last, now)
            if now - last > seat_clocks.LONGEST_GAP:
                self._note_outage(last, now)
            alive = update(_heartbeat).where(_heartbeat.c.name == _NAME)
            db.session.execute(alive.values(at=max(now, last)))
        self._last_beat = now

    def _is_right(self, *, was_set: bool) -> bool:
        """Whether the clock can be relied on: it agrees with the database's, or nobody has set it for a while."""
        is_settled = not was_set and not self._services.jump()
        return is_settled and (has_row_locks() or self._last_beat is not None)

    def _note_outage(self, last: int, now: int) -> None:
        """Note an outage, because no deadline has been handled since the last heartbeat, unless only the clock
        was set.
        """
        outages.note(last, now)
        self._in_vain_at = None
        if self._services.steady and now - last >= clock_jumps.HELD:
            clock_jumps.hold_purge(now)
        _log.warning("outage", seconds=(now - last) // SECOND)

    def give_back(self) -> int:
        """Credit outages to games, one by one; returns the number of games. It may be interrupted and repeated.

        If that fails, or somebody has locked a row, it is tried again a little later.
        """
        now = self._services.now()
        if self._in_vain_at is not None and 0 <= now - self._in_vain_at < SLOW_INTERVAL:
            return 0
        self._in_vain_at = now
        if not outages.any_lasts():
            return 0
        number = self._outages.meet_all()
        if number:
            self._in_vain_at = None
        else:
            with transaction():
                seat_clocks.forget_outages()
        return number

    def go_on_live(self) -> int:
        """End ready checks, and games whose outside clocks have run out; returns their number."""
        if not self._has_beaten(self._services.now()):
            return 0
        return self._ready_checks.meet_all() + self._clocks.meet_all()

    def answer_all(self) -> int:
        """Answer for seats whose players have left an answer, or note when to do so; returns the number of seats."""
        return self._own_answers.meet_all() if self._has_beaten(self._services.now()) else 0

    def time_out_all(self) -> int:
        """Play for every seat whose time is over; returns the number of seats."""
        return self._time_outs.meet_all() if self._has_beaten(self._services.now()) else 0

    def _has_beaten(self, now: int) -> bool:
        """Whether due things may be done: if this process slept, the next heartbeat has to credit that time first."""
        return self._last_beat is not None and now - self._last_beat <= seat_clocks.LONGEST_GAP

    def end_all(self) -> int:
        """End everything that has lasted too long, unless that was just done; returns the number of things that were
        ended.
        """
        now = self._services.now()
        if self._last_slow is not None and 0 <= now - self._last_slow < SLOW_INTERVAL:
            return 0
        if not self._has_beaten(now):
            return 0
        self._last_slow = now
        return sum(deadline.meet_all() for deadline in self._slow)


class WeeklyTables:
    """Opening the weekly tables of circles, each once, however many workers there are."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._each = Backoff("weekly table", services.now)

    def open_all(self) -> int:
        """Open every table that is due; returns the number of tables opened."""
        due = weeklies.due(self._services.now(), self._each.waiting())
        found = db.session.scalars(due.limit(MOST)).all()
        release_connection()
        return sum(
            self._each.attempt(
                partial(weekly_tables.open_if_due, self._services, each), False, each
            )
            for each in found
        )


class SeriesRounds:
    """Beginning the rounds of series and their games, alongside any number of other workers.

    A series, or a game, that fails delays no other.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._series = Backoff("series", services.now)
        self._tables = Backoff("series table", services.now)

    def step(self) -> int:
        """Do some of the things that are due; returns their number."""
        return self._look_at_some() + self._begin_some()

    def _look_at_some(self) -> int:
        most = MOST_SERIES + len(self._series.waiting())
        due = db.session.scalars(series.due(self._services.now()).limit(most)).all()
        release_connection()
        return sum(
            self._series.attempt(partial(series_rounds.look, self._services, each), False, each)
            for each in due
            if not self._series.waits(each)
        )

    def _begin_some(self) -> int:
        most = MOST_SERIES + len(self._tables.waiting())
        ready = db.session.scalars(rounds.ready(self._services.now()).limit(most)).all()
        release_connection()
        begin = series_tables.begin_if_ready
        return sum(
            self._tables.attempt(partial(begin, self._services, each), False, str(each))
            for each in ready
            if not self._tables.waits(str(each))
        )
