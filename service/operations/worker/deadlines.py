"""Deadlines: the worker notices outages, plays for seats that are out of time, and ends what has lasted too long."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import structlog
from sqlalchemy import Select, and_, select, update

from service.core.database import database
from service.core.database.database import Moment, db, insert_unless_there, transaction
from service.core.models.games import Game, Seat
from service.core.models.time import Heartbeat
from service.core.readiness import clock_jumps
from service.core.readiness.clock_jumps import ClockJumps
from service.core.runtime.backoff import Backoff
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY, SECOND
from service.log.event_log import States
from service.tables.before_start import table_expiry, table_setup
from service.tables.clocks import seat_clocks
from service.tables.play import proposal_queries, proposals, timeouts

HEARTBEAT_INTERVAL = 30 * SECOND
SLOW_INTERVAL = SECOND
"""Ms between two searches for what may last for days."""
DESERTED_AFTER = 14 * DAY
"""Ms without a person at the table after which a game is closed."""
MOST = 100
"""Deadlines of one kind that are met at a time."""

_log = structlog.get_logger("tegami.worker")
_game, _seat = Game.metadata.tables["games"], Seat.metadata.tables["seats"]
_heartbeat = Heartbeat.metadata.tables["heartbeats"]
_NAME = "worker"
_RUNNING = and_(_game.c.status != "open", _game.c.status != "over")
"""Said like this, since SQLite would look through all games with a status that is named, and not for what is late."""


class LateSeat(NamedTuple):
    """A seat whose time is over."""

    id: str
    """Of the game."""
    seat: int


class GameDeadline:
    """One kind of deadline: `late` selects the ids of games that are past it, `meet` does what is due there."""

    def __init__(
        self,
        task: str,
        runtime: Runtime,
        late: Callable[[Moment], Select[str]],
        meet: Callable[[str], bool],
    ) -> None:
        self._runtime, self._late, self._meet = runtime, late, meet
        self._games = Backoff(task, runtime.now)

    def meet_all(self) -> int:
        """Do what is due in every game; in how many there was something to do."""
        query = self._late(self._runtime.now()).where(_game.c.id.not_in(self._games.waiting()))
        return sum(
            self._games.attempt(partial(self._meet, game_id), False, game_id)
            for game_id in db.session.scalars(query.limit(MOST)).all()
        )


class Deadlines:
    """Meets the deadlines of all games, beside any number of others that do."""

    def __init__(self, runtime: Runtime, states: States) -> None:
        self._runtime, self._states = runtime, states
        self._last_beat: int | None = None
        self._jumps = ClockJumps(runtime)
        self._last_slow: int | None = None
        self._seats = Backoff("time-out", runtime.now)
        self._starts = GameDeadline(
            "start",
            runtime,
            table_setup.starting_tables,
            partial(table_setup.start_if_due, runtime),
        )
        self._slow = (
            GameDeadline(
                "proposal",
                runtime,
                proposal_queries.overdue_games,
                partial(proposals.lapse, runtime),
            ),
            GameDeadline("pause", runtime, paused, partial(timeouts.end_pause, runtime, states)),
            GameDeadline(
                "open table",
                runtime,
                table_expiry.expired_tables,
                partial(table_expiry.expire, runtime),
            ),
            GameDeadline("deserted game", runtime, deserted, self._abandon),
        )

    def meet_all(self) -> int:
        """Do whatever is due; the number of things done."""
        self.beat()
        return self._starts.meet_all() + self.time_out_all() + self.end_all()

    def beat(self) -> None:
        """Record that a worker is alive; after a silence of all workers give everybody that time back."""
        now = self._runtime.now()
        was_set = self._jumps.notice(now)
        is_early = self._last_beat is not None and 0 <= now - self._last_beat < HEARTBEAT_INTERVAL
        if is_early and not was_set:
            return
        with transaction():
            if was_set:
                clock_jumps.record(now)
            first = insert_unless_there(_heartbeat).values(name=_NAME, at=now)
            db.session.execute(first)
            query = select(_heartbeat.c.at).where(_heartbeat.c.name == _NAME).with_for_update()
            last = db.session.scalars(query).one()
            if now - last > seat_clocks.LONGEST_GAP:
                moved = seat_clocks.credit_outage((last, now), now)
                _log.warning("outage", seconds=(now - last) // SECOND, waits=moved)
            alive = update(_heartbeat).where(_heartbeat.c.name == _NAME)
            db.session.execute(alive.values(at=max(now, last)))
        self._last_beat = now

    def time_out_all(self) -> int:
        """Play for every seat whose time is over; how many they were.

        Only after a heartbeat: if this process slept, the next one gives that time back.
        """
        now = self._runtime.now()
        if self._last_beat is None or now - self._last_beat > seat_clocks.LONGEST_GAP:
            return 0
        query = late_seats(now).where(_game.c.id.not_in(self._seats.waiting())).limit(MOST)
        return sum(
            self._seats.attempt(partial(self._time_out, row), False, row.id)
            for row in database.rows(LateSeat, query)
        )

    def end_all(self) -> int:
        """End proposals and pauses that are over, tables that never start, and games that everybody has left."""
        now = self._runtime.now()
        if self._last_slow is not None and 0 <= now - self._last_slow < SLOW_INTERVAL:
            return 0
        self._last_slow = now
        return sum(deadline.meet_all() for deadline in self._slow)

    def _time_out(self, row: LateSeat) -> bool:
        return timeouts.time_out_seat(self._runtime, self._states, row.id, row.seat)

    def _abandon(self, game_id: str) -> bool:
        since = self._runtime.now() - DESERTED_AFTER
        return timeouts.close_abandoned(self._runtime, self._states, game_id, since)


def late_seats(now: Moment) -> Select[*tuple[object, ...]]:
    """The query for the seats whose time is over, the latest first."""
    return (
        select(*database.columns(LateSeat, _game, _seat))
        .join(_game, _game.c.key == _seat.c.game_key)
        .where(_seat.c.due <= now, _seat.c.waiting)
        .where(_RUNNING, _game.c.paused_at.is_(None))
        .order_by(_seat.c.due)
    )


def paused(now: Moment) -> Select[str]:
    """The ids of games whose pause is over."""
    return select(_game.c.id).where(_RUNNING, _game.c.paused_until <= now)


def deserted(now: Moment) -> Select[str]:
    """The ids of games in which no person has been for long."""
    since = now - DESERTED_AFTER
    return select(_game.c.id).where(_RUNNING, _game.c.unattended_at <= since)


LATE = (
    table_setup.starting_tables,
    late_seats,
    proposal_queries.overdue_games,
    paused,
    table_expiry.expired_tables,
    deserted,
)
"""The queries for all that is due at a time."""
