"""The check of all logs, once a day, in a thread of the worker that uses at most a tenth of a processor.

A damaged game is found before somebody needs it, and does not delay the check of other games.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from flask import Flask

from service.core.database.database import release_connection
from service.core.runtime.backoff import Backoff
from service.log.records.cold_storage import ColdStorageOutOfReach
from service.log.verification import log_checks
from service.tables.services import Services

REST = 60.0
"""How long (seconds) to wait before looking again whether a check is due."""
SHARE = 0.1
"""The fraction of the time that is spent on checking games."""


class NightlyCheck:
    """Checking games that are due, alongside any number of other workers."""

    def __init__(self, services: Services, timer: Callable[[], float] = time.monotonic) -> None:
        self._services, self._timer = services, timer
        self._games = Backoff("check of a game", services.now)
        self._hand: list[str] = []
        """The games that this worker has claimed."""

    def step(self) -> float:
        """Check one game; returns the number of seconds to rest afterwards."""
        began = self._timer()
        if not self._hand:
            taken = log_checks.take(self._services.now())
            if taken is None:
                return REST
            self._hand = taken
        if self._hand:
            game_id = self._hand[0]  # it stays claimed without a database to check it in
            self._games.attempt(partial(self._check, game_id), None, game_id)
            self._hand.pop(0)
        release_connection()
        return (self._timer() - began) * (1 / SHARE - 1)

    def _check(self, game_id: str) -> None:
        with suppress(
            ColdStorageOutOfReach
        ):  # the store itself has logged this; the next round checks the game
            log_checks.check_and_note(game_id, self._services.now())


def check_logs(app: Flask, stop: threading.Event, wait: Callable[[float], object]) -> None:
    """Check games until `stop` is set. There is a `wait` before the first game, because other work is more urgent at
    the start, and after each game.
    """
    services: Services = app.extensions["tegami"]
    rounds, rest = Backoff("check", services.now, raised=()), REST
    with app.app_context():
        nightly = NightlyCheck(services)
        while not wait(rest) and not stop.is_set():
            rest = rounds.attempt(nightly.step, REST)
