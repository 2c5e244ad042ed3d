"""Moving games that ended long ago to cold storage, in a thread of the worker that uses at most a tenth of a processor.

While cold storage is out of reach, no game is moved, and nothing else waits for it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial

import structlog
from flask import Flask

from service.core.database.database import release_connection
from service.core.database.failures import DATABASE_FAILURES
from service.core.runtime.backoff import Backoff
from service.core.runtime.units import DAY
from service.log.records.cold_storage import ColdStorageOutOfReach
from service.log.verification import cold_moves
from service.tables.services import Services

REST = 60.0
"""How long (seconds) to wait before the next search for games to move, or the next attempt to reach the store."""
SHARE = 0.1
"""The fraction of the time that is spent on moving games."""

_NOT_OF_A_GAME = (*DATABASE_FAILURES, ColdStorageOutOfReach)
"""The failures after which no other game can be moved either."""
_log = structlog.get_logger("tegami.cold_storage")


class ColdGames:
    """Moving games that are due, alongside any number of other workers."""

    def __init__(self, services: Services, timer: Callable[[], float] = time.monotonic) -> None:
        self._services, self._timer = services, timer
        self._games = Backoff("move to cold storage", services.now, raised=_NOT_OF_A_GAME)

    def step(self) -> float:
        """Move some games; returns the number of seconds to rest afterwards."""
        began, services = self._timer(), self._services
        before = services.now() - services.config.cold_after_days * DAY
        found = cold_moves.due(before, self._games.waiting())
        release_connection()
        if not found:
            return REST
        try:
            cold_moves.begin()
            moved = sum(
                self._games.attempt(
                    partial(cold_moves.move, each, services.heads, services.now()), False, each
                )
                for each in found
            )
        except ColdStorageOutOfReach:  # the store itself has logged this
            return REST
        _log.info("games moved to cold storage", number=moved)
        return (self._timer() - began) * (1 / SHARE - 1)


def move_games(app: Flask, stop: threading.Event, wait: Callable[[float], object]) -> None:
    """Move games until `stop` is set, with a `wait` between them, and with one at the start, when other work is more
    urgent.
    """
    services: Services = app.extensions["tegami"]
    rounds, rest = Backoff("cold storage", services.now, raised=()), REST
    with app.app_context():
        games = ColdGames(services)
        while not wait(rest) and not stop.is_set():
            rest = rounds.attempt(games.step, REST)
