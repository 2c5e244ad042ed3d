"""What the worker does about time: it notices outages, plays for who is out of time, ends what has lasted too long."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import structlog
from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError, InterfaceError, OperationalError

from service import consent, seats, tables, waits
from service.clock import DAY, MINUTE, SECOND
from service.database import Uncertain, db, insert_unless_there, transaction
from service.errors import places
from service.log import States
from service.models import Game, Seat
from service.models_clock import Heartbeat
from service.outside import Outside

BEAT = 30 * SECOND
"""Ms between two heartbeats."""
SELDOM = SECOND
"""Ms between two looks at what may last for days."""
DESERTED = 14 * DAY
"""After so long without a person a game is closed."""
PAUSE = MINUTE
"""Ms that a game is left alone after something failed there."""
OF_THE_DATABASE = (OperationalError, InterfaceError, Uncertain)

_log = structlog.get_logger("tegami.worker")
_heart = Heartbeat.metadata.tables["heartbeats"]
_NAME = "worker"


class Keeper:
    """Keeps the time of all games, beside any number of others that do."""

    def __init__(self, outside: Outside, states: States) -> None:
        self._outside, self._states = outside, states
        self._beaten: int | None = None
        self._ended: int | None = None
        self._failed: dict[str, int] = {}

    def look(self) -> int:
        """Do whatever is due; how much it was."""
        self.beat()
        return self.time_out_all() + self.end_all()

    def beat(self) -> None:
        """Say that a worker is alive; after a silence give everybody the time back."""
        now = self._outside.now()
        if self._beaten is not None and 0 <= now - self._beaten < BEAT:
            return
        with transaction():
            first = insert_unless_there(_heart).values(name=_NAME, at=now)
            db.session.execute(first)
            query = select(_heart.c.at).where(_heart.c.name == _NAME).with_for_update()
            last = db.session.scalars(query).one()
            if now - last > waits.GAP:
                moved = waits.credit_outage((last, now), now)
                _log.warning("outage", seconds=(now - last) // SECOND, waits=moved)
            alive = update(_heart).where(_heart.c.name == _NAME)
            db.session.execute(alive.values(at=max(now, last)))
        self._beaten = now

    def time_out_all(self) -> int:
        """Play for every seat whose time is over; nobody was here in vain, so not before a heartbeat."""
        now = self._outside.now()
        if self._beaten is None or now - self._beaten > waits.GAP:
            return 0  # this process slept: the next heartbeat says what that costs
        query = (
            select(Game.id, Seat.seat)
            .join(Game, Game.key == Seat.game_key)
            .where(Seat.due <= now, Seat.waiting)
            .where(Game.status == "running", Game.paused_at.is_(None))
            .where(Game.id.not_in(self._resting(now)))
            .order_by(Seat.due)
            .limit(100)
        )
        late = self._found(db.session.execute(query))
        return self._each(late, lambda row: self._time_out(*row))

    def _time_out(self, game_id: str, seat: int) -> bool:
        return seats.time_out(self._outside, self._states, game_id, seat)

    def end_all(self) -> int:
        """End pauses and proposals that have had their time, games that everybody has left, tables that never start."""
        now = self._outside.now()
        if self._ended is not None and 0 <= now - self._ended < SELDOM:
            return 0
        self._ended, resting = now, self._resting(now)
        others = (Game.status == "running") & Game.id.not_in(resting)
        paused = select(Game.id).where(others, Game.paused_until <= now).limit(100)
        alone = select(Game.id).where(others, Game.unattended_at <= now - DESERTED).limit(100)
        done = self._each(
            [(game_id,) for game_id in consent.late(now) if game_id not in resting],
            lambda row: consent.lapse(self._outside, row[0]),
        )
        done += self._each(
            self._found(db.session.execute(paused)),
            lambda row: seats.go_on(self._outside, self._states, row[0]),
        )
        done += self._each(
            self._found(db.session.execute(tables.late(now).where(Game.id.not_in(resting)))),
            lambda row: tables.expire(self._outside, row[0]),
        )
        return done + self._each(
            self._found(db.session.execute(alone)),
            lambda row: seats.abandon(self._outside, self._states, row[0], now - DESERTED),
        )

    def _found(self, rows: Iterable[Any]) -> list[Any]:
        found = list(rows)
        db.session.rollback()
        return found

    def _resting(self, now: int) -> list[str]:
        self._failed = {game: at for game, at in self._failed.items() if now - at < PAUSE}
        return list(self._failed)

    def _each(self, rows: Iterable[Any], do: Callable[[Any], bool]) -> int:
        """`do` it for every row (its first member is the game's id): a failure keeps no other game waiting."""
        return sum(self._safely(row, do) for row in rows)

    def _safely(self, row: Any, do: Callable[[Any], bool]) -> bool:
        try:
            return do(row)
        except IntegrityError:  # somebody answered at the same moment
            return False
        except OF_THE_DATABASE:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the other games go on
            db.session.rollback()
            self._failed[row[0]] = self._outside.now()
            _log.error("time", game=row[0], error=type(error).__name__, at=places(error))
            return False
