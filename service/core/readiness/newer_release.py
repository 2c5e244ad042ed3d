"""Noticing that the tables are those of a newer release: the process ends, and its supervisor starts the new code.

The process looks when it starts and then at regular intervals, in a separate thread, never during a request.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import structlog
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from service.core.database.failures import SchemaIsNewer
from service.core.database.schema import OURS, is_newer

EXIT_CODE = 75
"""The exit code of a process that ends because of a newer release: EX_TEMPFAIL, so that it is started again."""
BEATS = "tegami.beats"
"""The key under which an application may have other `Beats` than the usual ones."""

_log = structlog.get_logger("tegami")


class Beats(NamedTuple):
    """The intervals at which a process looks for a newer release, and the time that it takes to end."""

    every: float = 10.0
    """The seconds between two looks."""
    goodbye: float = 5.0
    """The time (seconds) for which a web process still responds after noticing; it answers writes with 503."""


def beats_of(extensions: Mapping[str, Any]) -> Beats:
    """The beats of the application that has these extensions."""
    found: Beats = extensions.get(BEATS) or Beats()
    return found


def watch(engine: Engine, pause: Callable[[], object], end: Callable[[], None]) -> None:
    """Look after each `pause`, and call `end` once the database is newer. A pause that returns true ends the watch."""
    while not notices_newer(engine):
        if pause():
            return
    end()


def notices_newer(engine: Engine) -> bool:
    """Whether the database is newer; if so, that is logged.

    A database that does not respond is an outage, which others report.
    """
    with suppress(SQLAlchemyError):
        if is_newer(engine):
            _log.error("ending", task="update", cause=SchemaIsNewer.cause, known=OURS.last)
            return True
    return False
