"""The worker: makes the moves of house players, and in a thread of its own takes mails to the post.

One process or several: the log refuses a second answer by itself, and the outbox gives a mail to one of them.
"""

from __future__ import annotations

import random
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import structlog
from flask import Flask
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError, InterfaceError, OperationalError

from rules import house
from rules.kernel import State
from service.api.common import Tools
from service.courier import Courier, courier_of, deliver
from service.database import Uncertain, db, transaction
from service.errors import places
from service.keeper import Keeper
from service.models import Game, Seat
from service.play import answer
from service.purge import Daily
from service.table import Table, find

REST = 0.1
"""Seconds between two looks when there was nothing to do."""
PAUSE = 60_000
"""Ms that a game is left alone after its house player failed."""
OF_THE_DATABASE = (OperationalError, InterfaceError, Uncertain)
"""What is no fault of the game at hand: the next look tries again."""

_log = structlog.get_logger("tegami.worker")


class Worker:
    """Looks for seats of house players that are waited for. `rng` chooses, `kit` is the application's."""

    def __init__(self, kit: Tools, rng: random.Random) -> None:
        self._kit, self._rng = kit, rng
        self._keeper = Keeper(kit.outside, kit.states)
        self._daily = Daily(kit.outside)
        self._failed: dict[str, int] = {}
        """Games whose house player failed, and when (ms UTC)."""

    def look(self) -> int:
        """Make every move that is due, keep the time of all games, and once a day purge; how much there was to do."""
        return self.move_all() + self._keeper.look() + self._daily.look()

    def move_all(self) -> int:
        """Make every move that is due; the number of them."""
        return sum(self._move_safely(game_id, seat) for game_id, seat in self._due())

    def _due(self) -> list[Any]:
        now = self._kit.outside.now()
        self._failed = {game: at for game, at in self._failed.items() if now - at < PAUSE}
        query = (
            select(Game.id, Seat.seat)
            .join(Game, Game.key == Seat.game_key)
            .where(Seat.waiting, Seat.house, Game.id.not_in(list(self._failed)))
            .where(Game.unattended_at.is_(None))  # nobody is left who would see it
            .limit(100)
        )
        due = list(db.session.execute(query))
        db.session.rollback()
        return due

    def _move_safely(self, game_id: str, seat: int) -> bool:
        """One game's failure keeps nobody else waiting."""
        try:
            return self._move(game_id, seat)
        except IntegrityError:  # another worker answered at the same moment
            return False
        except OF_THE_DATABASE:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the other games go on
            db.session.rollback()
            self._failed[game_id] = self._kit.outside.now()
            _log.error("house", game=game_id, error=type(error).__name__, at=places(error))
            return False

    def _move(self, game_id: str, seat: int) -> bool:
        """Choose from what the seat sees, then answer, if the question is still the same under the lock."""
        seen = find(game_id)
        if not seated(seen, seat).waiting:  # another seat's move came between
            return False
        asked = seated(seen, seat).asked
        action = self._choose(seen, self._kit.states.load(db.session, seen.game), seat)
        with transaction():
            table = find(game_id, lock=True)
            present = seated(table, seat)
            if present.asked != asked or not present.waiting or present.player_id:
                return False
            state = self._kit.states.load(db.session, table.game)
            played = answer(self._kit.outside, table, state, present, action, by="house")
        self._kit.states.put(game_id, played.table.game.number, played.state)
        return True

    def _choose(self, table: Table, state: State, seat: int) -> Any:
        ruleset = table.ruleset
        view, legal = ruleset.view(state, seat), ruleset.legal(state, seat)
        return house.choose(view, legal, self._rng)


def seated(table: Table, seat: int) -> Any:
    """The row of whoever holds this seat."""
    return next(person for person in table.people if person.seat == seat)


def work(
    app: Flask,
    stop: threading.Event,
    wait: Callable[[float], Any] | None = None,
    courier: Courier | None = None,
) -> None:
    """Work until `stop` is set; `wait` rests so many seconds between two looks that found nothing to do, the courier's
    too; `courier` is the one of the settings unless given.
    """
    worker = Worker(app.extensions["tegami"], random.SystemRandom())
    rest = wait or stop.wait
    courier = courier or courier_of(app.extensions["tegami"])
    with delivering(app, stop, courier, rest), app.app_context():
        while not stop.is_set():
            if not move_or_report(worker):
                rest(REST)


@contextmanager
def delivering(
    app: Flask, stop: threading.Event, courier: Courier | None, wait: Callable[[float], Any]
) -> Iterator[None]:
    """Meanwhile the courier is at work, in a thread: a slow mail server delays nobody's move.

    At the end it finishes the mail that it has in hand.
    """
    if courier is None:
        yield
        return
    thread = threading.Thread(target=deliver, args=(app, stop, courier, wait), name="courier")
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def move_or_report(worker: Worker) -> int:
    """`look`; a database out of reach is reported and tried again later."""
    try:
        return worker.look()
    except Exception as error:  # noqa: BLE001 - the next look may succeed
        db.session.rollback()
        _log.error("worker", error=type(error).__name__, at=places(error))
        return 0


def stop_on_signals() -> threading.Event:
    """An event that SIGTERM and SIGINT set, so that a move under way is finished."""
    stop = threading.Event()

    def set_it(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, set_it)
    return stop
